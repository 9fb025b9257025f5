// Books, trades and candles over REST: which calls make up one response.
import type { Candle, Trade } from '#schemas/marketData'
import { collectCandles } from '../../shared/collectCandles.ts'
import { readTape, shapeReader } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, CandlesQuery, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { DataPricePoint, DataTrade } from '../wire.ts'
import { bookIdOf } from './bookRef.ts'
import {
  booksPerRequest,
  fetchBook,
  fetchBooks,
  fetchTokenMarket,
  type PricesSpan,
  pricePages,
  tradePages,
  tradesPageMax,
} from './endpoints.ts'
import { FillIds, fillNamesOf } from './fillIds.ts'
import { candlesOf, normalizeBook, normalizeTrades } from './normalizeTape.ts'

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (bookIdOf(bookId) === null) return null
  const raw = await fetchBook(context, bookId)
  return raw === null ? null : normalizeBook(raw, context.clock.now())
}

export async function fetchOrderBooks(
  context: VenueContext,
  bookIds: readonly string[],
): Promise<Map<string, BookSnapshot>> {
  const wanted = [...new Set(bookIds)].filter((id) => bookIdOf(id) !== null)
  const books = new Map<string, BookSnapshot>()
  for (let from = 0; from < wanted.length; from += booksPerRequest) {
    const answer = await fetchBooks(context, wanted.slice(from, from + booksPerRequest))
    for (const raw of answer) books.set(raw.asset_id, normalizeBook(raw, context.clock.now()))
  }
  return books
}

const tradesPageMin = 100

/**
 * Newest first. The venue lists both tokens of a market together and takes no range there: the requested range is searched page by page.
 */
export async function fetchTrades(context: VenueContext, outcome: OutcomeRef, query: TradesQuery): Promise<Trade[]> {
  const market = await conditionIdOf(context, outcome)
  if (market === null) return []
  const isRange = query.startMs !== undefined || query.endMs !== undefined
  const pageRows = isRange ? tradesPageMax : Math.min(tradesPageMax, Math.max(tradesPageMin, 4 * query.limit))
  const rows: DataTrade[] = []
  for await (const page of tradePages(context, market, pageRows)) {
    rows.push(...readTape(context, page, { what: 'trade', name: 'transaction_hash', read: shapeReader(DataTrade) }))
    const own = normalizeTrades(rows, outcome.outcomeId, new FillIds())
    const oldest = rows.at(-1)
    const isReached = query.startMs !== undefined && oldest !== undefined && oldest.timestamp * 1000 < query.startMs
    if (isReached || own.filter((trade) => isInRange(trade, query)).length >= query.limit) break
  }
  return normalizeTrades(rows, outcome.outcomeId, fillNamesOf(context))
    .filter((trade) => isInRange(trade, query))
    .slice(0, query.limit)
}

/** From the catalog, otherwise from the CLOB. */
async function conditionIdOf(context: VenueContext, { outcomeId, metadata }: OutcomeRef): Promise<string | null> {
  const { conditionId } = metadata
  if (typeof conditionId === 'string' && conditionId !== '') return conditionId
  if (bookIdOf(outcomeId) === null) return null
  return (await fetchTokenMarket(context, outcomeId))?.condition_id ?? null
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
export const candleResolutionsMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 6 * hourMs, dayMs] as const

/** The venue refuses spans of more than 15 days. */
const spanMaxMs = 14 * dayMs
/** Windows read of one range: about four months. */
const windowsMax = 8
/** Samples wanted per candle, as far as the venue has them. */
const samplesPerCandle = 12
/** Widths the venue keeps, seconds, and how far back each surely reaches. */
const grains = [
  { seconds: 60, reachMs: 7 * dayMs },
  { seconds: 300, reachMs: 60 * dayMs },
  { seconds: 1_800, reachMs: 90 * dayMs },
  { seconds: 10_800, reachMs: Number.POSITIVE_INFINITY },
] as const
/** Kept for the whole life of a market. */
const wholeLife = grains[3]
/** How far the catalog's times of opening and closing may be off. */
const slackMs = dayMs

/** The widest that still gives the samples wanted; further back only wider ones are left. */
function grainOf(resolutionMs: number, ageMs: number): number {
  const wanted = grains.findLast(({ seconds }) => seconds * 1000 * samplesPerCandle <= resolutionMs) ?? grains[0]
  return (grains.find(({ seconds, reachMs }) => seconds >= wanted.seconds && ageMs < reachMs) ?? wholeLife).seconds
}

/** Oldest first. Point-sampled: see `candlesOf`. */
export async function fetchCandles(context: VenueContext, outcome: OutcomeRef, query: CandlesQuery): Promise<Candle[]> {
  if (bookIdOf(outcome.outcomeId) === null) return []
  const { resolutionMs, limit } = query
  const nowMs = context.clock.now()
  const read = async (span: PricesSpan, seconds: number, fromMs: number, beforeMs: number): Promise<Candle[]> => {
    const points: DataPricePoint[] = []
    const spec = { what: 'price', name: 'timestamp', read: shapeReader(DataPricePoint) }
    for await (const page of pricePages(context, outcome.outcomeId, span, seconds))
      points.push(...readTape(context, page, spec))
    return candlesOf(points, resolutionMs).filter(({ timestamp }) => timestamp >= fromMs && timestamp < beforeMs)
  }
  const windows = { nowMs, ...livesOf(outcome) }
  const fromMs = Math.max(query.startMs ?? 0, windows.earliestMs ?? 0)
  const rangeMs = Math.min(query.endMs ?? nowMs, windows.latestMs ?? nowMs, nowMs) - fromMs
  const isCoarse = resolutionMs >= 2 * wholeLife.seconds * 1000 && Math.min(limit * resolutionMs, rangeMs) > spanMaxMs
  if (!isCoarse) {
    const { candles } = await collectCandles(query, {
      ...windows,
      spanMaxMs,
      requestsMax: windowsMax,
      fetch: (from, before) =>
        read(
          { start: Math.max(1, from / 1000), end: Math.ceil(Math.min(before, nowMs) / 1000) },
          grainOf(resolutionMs, nowMs - from),
          from,
          before,
        ),
    })
    if (candles.length > 0 || rangeMs <= windowsMax * spanMaxMs) return candles
  }
  const { candles } = await collectCandles(query, {
    ...windows,
    spanMaxMs: Number.MAX_SAFE_INTEGER,
    requestsMax: 1,
    fetch: (from, before) => read({ interval: 'max' }, wholeLife.seconds, from, before),
  })
  return candles
}

/** From the catalog: nothing was traded before or after. */
function livesOf({ metadata }: OutcomeRef): { earliestMs: number | null; latestMs: number | null } {
  const at = (name: string): number | null => {
    const time = typeof metadata[name] === 'string' ? Date.parse(metadata[name]) : Number.NaN
    return Number.isNaN(time) ? null : time
  }
  const [start, end] = [at('startDate'), at('closedTime')]
  return { earliestMs: start === null ? null : start - slackMs, latestMs: end === null ? null : end + slackMs }
}
