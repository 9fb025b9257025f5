// Books, trades and candles over REST: which calls make up one response.
import type { Candle, Trade } from '#schemas/marketData'
import { collectCandles } from '../../shared/collectCandles.ts'
import { furtherPage } from '../../shared/data/pages.ts'
import { readTape, shaped } from '../../shared/data/rows.ts'
import { isAsked } from '../../shared/data/tape.ts'
import type { BookSnapshot, CandlesQuery, OutcomeRef, TradesQuery, VenueContext } from '../../venue.ts'
import { ClobPricePoint, DataTrade } from '../wire.ts'
import { bookIdOf } from './bookRef.ts'
import {
  booksPerRequest,
  fetchBook,
  fetchBooks,
  fetchPricesHistory,
  fetchTokenMarket,
  fetchTradeRows,
  tradesOffsetMax,
  tradesPageMax,
} from './endpoints.ts'
import { fillNamesOf } from './fillNames.ts'
import { candlesOf, distinctRows, normalizeBook, normalizeTrades } from './normalizeTape.ts'

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
    for (const raw of answer ?? []) books.set(raw.asset_id, normalizeBook(raw, context.clock.now()))
  }
  return books
}

/** Newest first. The venue lists both tokens of a market together and reaches back 1,500 rows. */
export async function fetchTrades(context: VenueContext, outcome: OutcomeRef, query: TradesQuery): Promise<Trade[]> {
  const market = await conditionIdOf(context, outcome)
  if (market === null) return []
  const { startMs, endMs, limit } = query
  const rows: DataTrade[] = []
  for (let offset = 0; offset <= tradesOffsetMax; offset += tradesPageMax) {
    const reading = fetchTradeRows(context, {
      market,
      limit: tradesPageMax,
      offset,
      ...(startMs === undefined ? {} : { start: Math.floor(startMs / 1000) }),
      ...(endMs === undefined ? {} : { end: Math.ceil(endMs / 1000) }),
    })
    const page = await furtherPage(context, offset === 0, reading)
    rows.push(...readTape(context, page, { what: 'trade', name: 'transactionHash', read: shaped(DataTrade) }))
    const own = distinctRows(rows.filter(({ asset }) => asset === outcome.outcomeId)).length
    if (page === null || page.length < tradesPageMax || own >= limit) break
  }
  return normalizeTrades(rows, outcome.outcomeId, fillNamesOf(context))
    .filter((trade) => isAsked(trade, query))
    .slice(0, limit)
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

/**
 * Longest span requested by start and end; the venue refuses long ones, so beyond it the whole history is read and cut.
 */
const spanMaxMs = 14 * dayMs
/** Windows read before falling back to the whole history. */
const windowsMax = 2
/** Samples wanted per candle, as far as the venue's one-minute minimum allows. */
const samplesPerCandle = 12

/** Oldest first. Point-sampled: see `candlesOf`. */
export async function fetchCandles(context: VenueContext, outcome: OutcomeRef, query: CandlesQuery): Promise<Candle[]> {
  if (bookIdOf(outcome.outcomeId) === null) return []
  const { resolutionMs, limit } = query
  const fidelity = Math.max(1, Math.floor(resolutionMs / samplesPerCandle / minuteMs))
  const read = async (span: Parameters<typeof fetchPricesHistory>[2], fromMs: number, beforeMs: number) => {
    const answer = await fetchPricesHistory(context, outcome.outcomeId, span, fidelity)
    const points = { what: 'price', name: 't', read: shaped(ClobPricePoint) }
    const candles = candlesOf(readTape(context, answer?.history, points), resolutionMs)
    return candles.filter(({ timestamp }) => timestamp >= fromMs && timestamp < beforeMs)
  }
  const nowMs = context.clock.now()
  const windows = { nowMs, earliestMs: null, latestMs: null }
  const rangeMs = Math.min(query.endMs ?? nowMs, nowMs) - (query.startMs ?? 0)
  if (Math.min(limit * resolutionMs, rangeMs) <= spanMaxMs) {
    const { candles, whole } = await collectCandles(query, {
      ...windows,
      spanMaxMs,
      requestsMax: windowsMax,
      fetch: (fromMs, beforeMs) =>
        read({ startTs: fromMs / 1000, endTs: Math.ceil(Math.min(beforeMs, nowMs) / 1000) }, fromMs, beforeMs),
    })
    if (whole) return candles
  }
  const { candles } = await collectCandles(query, {
    ...windows,
    spanMaxMs: Number.MAX_SAFE_INTEGER,
    requestsMax: 1,
    fetch: (fromMs, beforeMs) => read({ interval: 'max' }, fromMs, beforeMs),
  })
  return candles
}
