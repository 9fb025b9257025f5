// Maps books and trades to our types. Pure.
import { toProbability } from '#core/price'
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, complementOf, microsOf, quoteOf } from '../../shared/data/parsers.ts'
import { otherSide } from '../../shared/data/tradeHistory.ts'
import type { LevelChange } from '../../shared/socket/bookSynchronizer.ts'
import { changesOf } from '../../shared/socket/changes.ts'
import { ASK, BID, type BookSnapshot, type SnapshotLevel } from '../../venue.ts'
import type { GeminiBook, GeminiPairs, GeminiStreamTrade, GeminiTrade } from '../wire.ts'

const tickMicros = 10_000

/** The YES book, null when a level cannot be read. It has no time of its own (see wire.ts). */
export function normalizeBook(bookId: string, { bids, asks }: GeminiBook, recvTs: number): BookSnapshot | null {
  const side = (rows: GeminiBook['bids']) => levelsOf(rows, ({ price, amount }) => [microsOf(price), amountOf(amount)])
  return snapshotOf(bookId, { bids: side(bids), asks: side(asks) }, recvTs, { tickMicros })
}

/**
 * From the perspective of the requested outcome: a NO reader sees the NO price, and a buyer of YES as a seller of NO. Null:
 * unreadable.
 */
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

/** Epoch ns as ms. */
export const msOf = (ns: number): number => Math.floor(ns / 1e6)

type Pairs = GeminiPairs['bids']
const pairOf = ([price, quantity]: Pairs[number]) => [microsOf(price), amountOf(quantity)] as const

/** A whole book from the socket. Null: unreadable, or not a book. */
export const sidesOf = (book: GeminiPairs | null): Record<'bids' | 'asks', SnapshotLevel[] | null> => ({
  bids: book === null ? null : levelsOf(book.bids, pairOf),
  asks: book === null ? null : levelsOf(book.asks, pairOf),
})

export function changesOfSides(bids: Pairs, asks: Pairs): LevelChange[] | null {
  const sides = [changesOf(BID, bids, pairOf), changesOf(ASK, asks, pairOf)]
  return sides.some((side) => side === null) ? null : sides.flatMap((side) => side ?? [])
}

/** Of the YES book. Null: unreadable. */
export function normalizeStreamTrade({ E, s, t, p, q, m }: GeminiStreamTrade): Trade | null {
  const micros = quoteOf(p)
  const amount = amountOf(q)
  if (micros === null || amount === null) return null
  return {
    id: String(t),
    timestamp: msOf(E),
    price: toProbability(micros),
    amount,
    side: m ? 'sell' : 'buy',
    outcomeId: s.toUpperCase(),
  }
}
