// Books, trades and price history as REST gives them, in our words. Pure.

import { Fault } from '#lib/fault'
import { parseMicros } from '#lib/price'
import type { Candle, Trade } from '#schemas/marketData'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import type { ClobBook, ClobPricesHistory, DataTrade } from '../wire.ts'
import { parseMillis, parseSize } from './decimal.ts'

const unreadable = (detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'unexpected answer from venue', { exchange: 'polymarket', detail })

function levelOf({ price, size }: ClobBook['bids'][number]): SnapshotLevel {
  const micros = parseMicros(price)
  const shares = parseSize(size)
  if (micros === null || shares === null) throw unreadable('order book level')
  return [micros, shares]
}

export function normalizeBook(raw: ClobBook, recvTs: number): BookSnapshot {
  return {
    bookId: raw.asset_id,
    bids: raw.bids.map(levelOf).filter(([, size]) => size > 0),
    asks: raw.asks.map(levelOf).filter(([, size]) => size > 0),
    eventTs: raw.timestamp ? parseMillis(raw.timestamp) : null,
    recvTs,
    lastTradeMicros: raw.last_trade_price ? parseMicros(raw.last_trade_price) : null,
    isNegRisk: raw.neg_risk ?? null,
    tickMicros: raw.tick_size ? parseMicros(raw.tick_size) : null,
  }
}

const sides: Readonly<Record<string, Trade['side']>> = { BUY: 'buy', SELL: 'sell' }

/**
 * Rows of one token, newest first. Named by their transaction, as the stream names them. Should one hold several fills of a token, those behind
 * the first are numbered in an order of their own (price, size, wallet), so that an id does not depend on how the venue happened to list them.
 */
export function normalizeTrades(rows: readonly DataTrade[], tokenId: string): Trade[] {
  const own = distinctRows(rows.filter(({ asset }) => asset === tokenId))
  const numbered = new Map<DataTrade, number>()
  for (const fills of Map.groupBy(own, keyOf).values()) {
    const inOrder = fills.toSorted(
      (a, b) => a.price - b.price || a.size - b.size || compare(a.proxyWallet ?? '', b.proxyWallet ?? ''),
    )
    for (const [index, row] of inOrder.entries()) numbered.set(row, index)
  }
  return own
    .map((row) => ({
      id: tradeIdOf(keyOf(row), numbered.get(row) ?? 0),
      timestamp: Math.round(row.timestamp * 1000),
      price: row.price,
      amount: row.size,
      side: sides[row.side] ?? ('unknown' as const),
      outcomeId: tokenId,
    }))
    .sort((a, b) => b.timestamp - a.timestamp)
}

/**
 * A row that comes again is the same trade: lists move on while their pages are read, so the end of one page opens the next. Without a transaction
 * hash nothing says that two equal rows are one.
 */
export function distinctRows(rows: readonly DataTrade[]): DataTrade[] {
  const known = new Set<string>()
  return rows.filter(({ asset, transactionHash, timestamp, side, price, size, proxyWallet }) => {
    if (!transactionHash) return true
    const name = JSON.stringify([asset, transactionHash, timestamp, side, price, size, proxyWallet])
    return !known.has(name) && known.add(name)
  })
}

/** The nth fill of one token in a transaction. */
export const tradeIdOf = (transaction: string, n: number): string => (n === 0 ? transaction : `${transaction}:${n}`)

const keyOf = (row: DataTrade): string => row.transactionHash || `${row.timestamp}`
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Candles from sampled prices. `points` are the venue's samples (a mid or last price every `fidelity` minutes), not trades: open is the first sample in
 * the bucket, not its first trade, and there is no volume. A bucket without a sample has no candle.
 */
export function candlesOf(points: ClobPricesHistory['history'], resolutionMs: number): Candle[] {
  const candles = new Map<number, Candle>()
  for (const { t, p } of points.toSorted((a, b) => a.t - b.t)) {
    if (!(p >= 0 && p <= 1)) continue
    const timestamp = Math.floor((t * 1000) / resolutionMs) * resolutionMs
    const candle = candles.get(timestamp)
    if (candle === undefined) {
      candles.set(timestamp, { timestamp, open: p, high: p, low: p, close: p, volume: null })
      continue
    }
    candle.high = Math.max(candle.high, p)
    candle.low = Math.min(candle.low, p)
    candle.close = p
  }
  return [...candles.values()]
}
