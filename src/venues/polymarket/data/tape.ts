// Maps books, trades and price history from REST to our types. Pure.

import { Fault } from '#core/fault'
import { parseMicros } from '#core/price'
import type { Candle, Trade } from '#schemas/marketData'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import type { ClobBook, DataPricePoint, DataTrade } from '../wire.ts'
import { parseMillis, parseSize } from './decimal.ts'
import { type Fill, FillIds } from './fillIds.ts'

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

/** A market's list: one fill per match, the taker's. */
export const ofMarket = 'market'

const sides: Readonly<Record<string, Trade['side']>> = { BUY: 'buy', SELL: 'sell' }

/** Rows of one token, newest first. Named like on the stream. */
export function normalizeTrades(rows: readonly DataTrade[], tokenId: string, names = new FillIds()): Trade[] {
  const own = distinctRows(rows.filter(({ token_id }) => token_id === tokenId))
  const ids = names.of(ofMarket, own, fillOf)
  return own
    .map((row, index) => ({
      id: ids[index]!,
      timestamp: Math.round(row.timestamp * 1000),
      price: row.price,
      amount: row.size,
      side: sides[row.side] ?? ('unknown' as const),
      outcomeId: tokenId,
    }))
    .sort((a, b) => b.timestamp - a.timestamp)
}

export const fillOf = (row: DataTrade): Fill => ({
  ...row,
  token: row.token_id,
  transaction: row.transaction_hash || null,
  wallet: row.proxy_wallet ?? '',
})

/**
 * A repeated row is the same trade: lists shift while their pages are read, so the end of one page opens the next. Without a transaction hash two
 * equal rows cannot be identified as one.
 */
export function distinctRows(rows: readonly DataTrade[]): DataTrade[] {
  const known = new Set<string>()
  return rows.filter(({ token_id, transaction_hash, timestamp, side, price, size, proxy_wallet }) => {
    if (!transaction_hash) return true
    const name = JSON.stringify([token_id, transaction_hash, timestamp, side, price, size, proxy_wallet])
    return !known.has(name) && known.add(name)
  })
}

/**
 * Candles from sampled prices. `points` are the venue's samples (one per requested width), not trades: open is the first sample
 * in the bucket, not its first trade, and there is no volume. A bucket without a sample has no candle.
 */
export function candlesOf(points: readonly DataPricePoint[], resolutionMs: number): Candle[] {
  const candles = new Map<number, Candle>()
  for (const { timestamp: at, price: p } of points.toSorted((a, b) => a.timestamp - b.timestamp)) {
    if (!(p >= 0 && p <= 1)) continue
    const timestamp = Math.floor((at * 1000) / resolutionMs) * resolutionMs
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
