// Books, trades and candles over REST: which calls make one answer.
import type { Candle, Trade } from '#schemas/marketData'
import type { BookSnapshot, CandlesQuery, OutcomeRef, TradesQuery, VenueContext } from '../../venue.ts'
import type { DataTrade } from '../wire.ts'
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
    const page = await fetchTradeRows(context, {
      market,
      limit: tradesPageMax,
      offset,
      ...(startMs === undefined ? {} : { start: Math.floor(startMs / 1000) }),
      ...(endMs === undefined ? {} : { end: Math.ceil(endMs / 1000) }),
    })
    rows.push(...(page ?? []))
    const own = rows.filter(({ asset }) => asset === outcome.outcomeId).length
    if (page === null || page.length < tradesPageMax || own >= limit) break
  }
  return normalizeTrades(rows, outcome.outcomeId)
    .filter(({ timestamp }) => timestamp >= (startMs ?? 0) && timestamp <= (endMs ?? Number.POSITIVE_INFINITY))
    .slice(0, limit)
}

/** From the catalog, else asked of the CLOB. */
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

/** Longest span asked by start and end; the venue refuses long ones, so beyond it the whole history is read and cut. */
const spanMaxMs = 14 * dayMs
/** Samples wanted in a candle, where the venue's one-minute floor allows. */
const samplesPerCandle = 12

/** Oldest first, at most `limit`, the newest when there are more. Point-sampled: see `candlesOf`. */
export async function fetchCandles(context: VenueContext, outcome: OutcomeRef, query: CandlesQuery): Promise<Candle[]> {
  if (bookIdOf(outcome.outcomeId) === null) return []
  const { resolutionMs, limit } = query
  const endMs = query.endMs ?? context.clock.now()
  const startMs = Math.floor((query.startMs ?? endMs - limit * resolutionMs) / resolutionMs) * resolutionMs
  const span =
    endMs - startMs > spanMaxMs
      ? { interval: 'max' as const }
      : { startTs: Math.floor(startMs / 1000), endTs: Math.ceil(endMs / 1000) }
  const fidelity = Math.max(1, Math.floor(resolutionMs / samplesPerCandle / minuteMs))
  const answer = await fetchPricesHistory(context, outcome.outcomeId, span, fidelity)
  return candlesOf(answer?.history ?? [], resolutionMs)
    .filter(({ timestamp }) => timestamp >= startMs && timestamp <= endMs)
    .slice(-limit)
}
