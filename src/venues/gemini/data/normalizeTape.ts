// Books and trades in our words. Half a book is no book: a level that cannot be read gives null, never a thinner one.
import { ONE, parseMicros, toProbability } from '#lib/price'
import type { Trade } from '#schemas/marketData'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import type { GeminiBook, GeminiTrade } from '../wire.ts'
import { numberOf } from './read.ts'

const tickMicros = 10_000

/** The YES book. It has no time of its own (see wire.ts). */
export function normalizeBook(bookId: string, raw: GeminiBook, recvTs: number): BookSnapshot | null {
  const bids = levelsOf(raw.bids)
  const asks = levelsOf(raw.asks)
  if (bids === null || asks === null) return null
  return { bookId, bids, asks, eventTs: null, recvTs, lastTradeMicros: null, isNegRisk: null, tickMicros }
}

function levelsOf(raw: GeminiBook['bids']): SnapshotLevel[] | null {
  const levels: SnapshotLevel[] = []
  for (const { price, amount } of raw) {
    const micros = parseMicros(price)
    const size = numberOf(amount)
    if (micros === null || micros === 0 || micros === ONE || size === null || size < 0) return null
    if (size > 0) levels.push([micros, size])
  }
  return levels
}

/** In the words of the outcome asked about: a NO reader sees the NO price, and who bought YES as a seller of NO. Null: unreadable. */
export function normalizeTrade(raw: GeminiTrade, outcomeId: string, isNo: boolean): Trade | null {
  const micros = parseMicros(raw.price)
  const amount = numberOf(raw.amount)
  if (micros === null || amount === null || amount < 0) return null
  const side = raw.type === 'buy' || raw.type === 'sell' ? raw.type : 'unknown'
  const other = side === 'buy' ? 'sell' : side === 'sell' ? 'buy' : 'unknown'
  return {
    id: raw.tid,
    timestamp: raw.timestampms,
    price: toProbability(isNo ? ONE - micros : micros),
    amount,
    side: isNo ? other : side,
    outcomeId,
  }
}
