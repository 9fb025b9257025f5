// Maps books and trades to our types. Pure.
import { ONE, toProbability } from '#core/price'
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { complementOf, microsOf, numberOf, timeOf, unitsOf } from '../../shared/data/parsers.ts'
import { topOnlyBook } from '../../shared/data/synthetic.ts'
import { otherSide } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot } from '../../venue.ts'
import type { LimitlessBook, LimitlessTokens, LimitlessTrade } from '../wire.ts'
import { tickMicros } from './prices.ts'

/** For shares and dollars alike. */
export const decimals = 6

/** The YES book, null when a level cannot be read. `kept`: a repeated price is never inflated beyond its larger entry. */
export function normalizeBook(
  bookId: string,
  { bids, asks, lastTradePrice }: LimitlessBook,
  recvTs: number,
  eventTs: number | null = null,
): BookSnapshot | null {
  const side = (rows: LimitlessBook['bids']) =>
    levelsOf(rows, ({ price, size }) => [microsOf(price), unitsOf(size, decimals)])
  const lastTradeMicros = microsOf(lastTradePrice)
  return snapshotOf(bookId, { bids: side(bids), asks: side(asks) }, recvTs, { eventTs, lastTradeMicros, tickMicros })
}

/** The venue reports a pool's price, but no size: one share, one step away from the price, only indicates that it exists. */
const indicatedShares = 1

/**
 * Of a pool. The row and the socket round its price differently; here both yield the same step. Without a price, or at the end of the
 * scale, it has no levels.
 */
export function poolBook(bookId: string, spotMicros: number | null, recvTs: number): BookSnapshot {
  const step = spotMicros === null ? null : Math.round(spotMicros / tickMicros)
  const levelAt = (steps: number) => ({
    micros: step === null ? null : Math.min(ONE, Math.max(0, (step + steps) * tickMicros)),
    size: indicatedShares,
  })
  return topOnlyBook(bookId, { bid: levelAt(-1), ask: levelAt(1) }, recvTs)!
}

/**
 * A trade from the perspective of the requested outcome. The venue reports each from that of the taker's token: who bought NO at q sold YES at 1 −
 * q. Null: unreadable.
 */
export function normalizeTrade(
  raw: LimitlessTrade,
  outcome: { id: string; isNo: boolean },
  { yes, no }: LimitlessTokens,
): Trade | null {
  if (raw.tokenId !== yes && raw.tokenId !== no) return null
  const micros = microsOf(raw.price)
  const amount = unitsOf(raw.matchedSize, decimals)
  const timestamp = timeOf(raw.createdAt)
  if (micros === null || amount === null || timestamp === null) return null
  const isOther = (raw.tokenId === no) !== outcome.isNo
  const sideCode = numberOf(raw.side)
  const side = sideCode === 0 ? 'buy' : sideCode === 1 ? 'sell' : 'unknown'
  return {
    id: `${raw.txHash}:${raw.tokenId.slice(-6)}:${micros}:${raw.matchedSize}`,
    timestamp,
    price: isOther ? complementOf(micros) : toProbability(micros),
    amount,
    side: isOther ? otherSide(side) : side,
    outcomeId: outcome.id,
  }
}
