// Books and trades in our words. Pure.
import { toProbability } from '#lib/price'
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, complementOf, microsOf } from '../../shared/data/readers.ts'
import { otherSide } from '../../shared/data/tape.ts'
import type { BookSnapshot } from '../../venue.ts'
import type { GeminiBook, GeminiTrade } from '../wire.ts'

const tickMicros = 10_000

/** The YES book, null when a level cannot be read. It has no time of its own (see wire.ts). */
export function normalizeBook(bookId: string, { bids, asks }: GeminiBook, recvTs: number): BookSnapshot | null {
  const side = (rows: GeminiBook['bids']) => levelsOf(rows, ({ price, amount }) => [microsOf(price), amountOf(amount)])
  return snapshotOf(bookId, { bids: side(bids), asks: side(asks) }, recvTs, { tickMicros })
}

/** In the words of the outcome asked about: a NO reader sees the NO price, and who bought YES as a seller of NO. Null: unreadable. */
export function normalizeTrade(raw: GeminiTrade, outcomeId: string, isNo: boolean): Trade | null {
  const micros = microsOf(raw.price)
  const amount = amountOf(raw.amount)
  if (micros === null || amount === null) return null
  const side = raw.type === 'buy' || raw.type === 'sell' ? raw.type : 'unknown'
  return {
    id: raw.tid,
    timestamp: raw.timestampms,
    price: isNo ? complementOf(micros) : toProbability(micros),
    amount,
    side: isNo ? otherSide(side) : side,
    outcomeId,
  }
}
