// Maps books and trades to our types. Pure. Every outcome is reported separately: nothing is converted to the other
// side.
import { fromUnits } from '#core/decimal'
import { microsOf as microsOfNumber, ONE, toProbability } from '#core/price'
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { numberOf, timeOfEpoch, unitsOf } from '../../shared/data/parsers.ts'
import { topOnlyBook } from '../../shared/data/synthetic.ts'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import type { MyriadAction, MyriadBook, MyriadMarket, MyriadTrade } from '../wire.ts'
import { poolOf, sharesBought, sharesSold } from './pool.ts'

/** Of shares and of prices, on the only network with order books. */
const weiDecimals = 18
const weiPerMicro = 10n ** 12n
const certain = 10n ** 18n

/** Null between two millionths, and for 0 and 1. */
export function wholeMicros(price: string): number | null {
  const wei = BigInt(price)
  return wei > 0n && wei < certain && wei % weiPerMicro === 0n ? Number(wei / weiPerMicro) : null
}

/**
 * The venue states no step. A price between two millionths is rounded to the worse one for the taker, at which it can be had; a level that
 * would then be at 0 or 1 is dropped.
 */
function side(rows: MyriadBook['bids'], isBid: boolean): SnapshotLevel[] | null {
  const levels = rows.map(([price, amount]) => {
    const wei = BigInt(price)
    const micros = wei > 0n && wei < certain ? (isBid ? wei : wei + weiPerMicro - 1n) / weiPerMicro : null
    return [micros === null ? null : Number(micros), unitsOf(amount, weiDecimals)] as const
  })
  return levelsOf(
    levels.filter(([micros]) => micros !== 0 && micros !== ONE),
    (level) => level,
    'summed',
  )
}

/** Of an order book; null when a level cannot be read. */
export const normalizeBook = (bookId: string, { bids, asks }: MyriadBook, recvTs: number): BookSnapshot | null =>
  snapshotOf(bookId, { bids: side(bids, true), asks: side(asks, false) }, recvTs)

/**
 * What one whole unit of the collateral buys of an outcome, and what must be sold of it to get one: the pool's own formula, fees included,
 * rounded against the reader. Without reserves, or after the end of trading, it has no levels.
 */
export function poolBook(bookId: string, raw: MyriadMarket, outcome: string, recvTs: number): BookSnapshot {
  const decimals = numberOf(raw.token?.decimals) ?? 0
  const unit = 10n ** BigInt(Math.max(0, Math.min(36, decimals)))
  const touch = (action: 'buy' | 'sell') => {
    const pool = raw.state === 'open' ? poolOf(raw, outcome, action) : null
    const shares = pool === null ? null : action === 'buy' ? sharesBought(pool, unit) : sharesSold(pool, unit)
    if (shares === null) return { micros: null, size: null }
    const micros = (unit * 1_000_000n + (action === 'buy' ? shares - 1n : 0n)) / shares
    return { micros: micros > BigInt(ONE) ? null : Number(micros), size: Number(fromUnits(shares, decimals)) }
  }
  return topOnlyBook(bookId, { bid: touch('sell'), ask: touch('buy') }, recvTs)!
}

const sideOf = (word: string | null | undefined): Trade['side'] =>
  word === 'buy' || word === 'sell' ? word : 'unknown'

/** Of an order book. Null: unreadable. */
export function normalizeTrade(raw: MyriadTrade, outcomeId: string): Trade | null {
  const price = numberOf(raw.price)
  const amount = unitsOf(raw.amount, weiDecimals)
  const timestamp = timeOfEpoch(raw.timestamp, 's')
  if (price === null || price < 0 || price > 1 || amount === null || timestamp === null) return null
  return {
    // A transaction may contain several without distinguishing ids.
    id: `${raw.txHash}:${raw.outcome}:${raw.price}:${raw.amount}`,
    timestamp,
    price: probability(price),
    amount,
    side: sideOf(raw.side),
    outcomeId,
  }
}

/** Of a pool: the price is what was paid or received per share, fees included. Null: unreadable. */
export function normalizeAction(raw: MyriadAction, outcomeId: string): Trade | null {
  const [shares, value] = [numberOf(raw.shares), numberOf(raw.value)]
  const timestamp = timeOfEpoch(raw.timestamp, 's')
  if (shares === null || !(shares > 0) || value === null || value < 0 || timestamp === null) return null
  const price = value / shares
  return {
    id: `${raw.txId ?? raw.timestamp}:${raw.outcomeId}:${raw.shares}`,
    timestamp,
    // With fees a share may have cost more than it can pay.
    price: price <= 1 ? probability(price) : null,
    amount: shares,
    side: sideOf(raw.action),
    outcomeId,
  }
}

/** To the millionth, the precision of our prices. */
const probability = (price: number): number => toProbability(microsOfNumber(Math.round(price * ONE) / ONE)!)
