// Polymarket's book as bytes: decimal strings, worst level first, NO mirrored from YES, the SHA-1 that identifies a book.
import { hash } from 'node:crypto'
import type { Level } from '../engine/book.ts'
import type { LabTrade, MarketTruth } from '../engine/market.ts'
import { digestHex } from '../prng.ts'
import type { PolyMarket } from './marketGenerator.ts'

const priceTexts = Array.from({ length: 1001 }, (_, milli) => String(milli / 1000))

/** `0.41`: no trailing zeros. Every lab price is a whole thousandth. */
export const priceText = (micros: number): string => priceTexts[micros / 1000]!

/** `85.36`, `200` from contracts. */
export const sizeText = (size: number): string => String(Math.round(size * 100) / 100)

export const MIN_ORDER_SIZE = '5'

export interface OrderBookSummary {
  market: string
  asset_id: string
  timestamp: string
  hash: string
  bids: { price: string; size: string }[]
  asks: { price: string; size: string }[]
  min_order_size: string
  tick_size: string
  neg_risk: boolean
  last_trade_price: string
  /** Only of protocol 2. */
  version?: 'v2'
}

/** One token's book. `side` 0 is the yes token, 1 the no token whose bids are 1 − yes asks. */
export function orderBookSummary(
  market: PolyMarket,
  side: 0 | 1,
  truth: MarketTruth,
  stepMicros: number,
  last: LabTrade | null,
): OrderBookSummary {
  const worstFirst = (levels: readonly Level[], flip: boolean) => {
    const out: { price: string; size: string }[] = []
    for (let i = levels.length - 1; i >= 0; i--) {
      const [price, size] = levels[i]!
      out.push({ price: priceText(flip ? 1_000_000 - price : price), size: sizeText(size) })
    }
    return out
  }
  const book: OrderBookSummary = {
    market: market.conditionId,
    asset_id: market.tokens[side],
    timestamp: String(truth.eventTs),
    hash: '',
    bids: worstFirst(side === 0 ? truth.bids : truth.asks, side === 1),
    asks: worstFirst(side === 0 ? truth.asks : truth.bids, side === 1),
    min_order_size: MIN_ORDER_SIZE,
    tick_size: priceText(stepMicros),
    neg_risk: market.event.negRisk,
    last_trade_price: last === null ? '' : priceText(side === 0 ? last.priceMicros : 1_000_000 - last.priceMicros),
  }
  const summary: OrderBookSummary = market.protocol === 'v2' ? { ...book, version: 'v2' } : book
  return { ...summary, hash: bookHash(summary) }
}

/**
 * SHA-1 of the book as compact JSON, its members in the order the venue's clients write them, with its own hash left
 * empty.
 */
export const bookHash = (book: OrderBookSummary): string => hash('sha1', JSON.stringify({ ...book, hash: '' }))

/** The WebSocket's book: as recorded, without `min_order_size` and `neg_risk`. */
export function bookFrame(summary: OrderBookSummary): Record<string, unknown> {
  const { market, asset_id, timestamp, bids, asks, tick_size, last_trade_price, version } = summary
  return {
    market,
    asset_id,
    timestamp,
    hash: summary.hash,
    bids,
    asks,
    tick_size,
    event_type: 'book',
    last_trade_price,
    ...(version === undefined ? {} : { version }),
  }
}

/** How the venue reports a trade: a seller of YES is sometimes shown as a buyer of NO. */
export function tradeView(market: PolyMarket, trade: LabTrade) {
  const onNo = !trade.takerBuysYes && trade.ordinal % 2 === 0
  return {
    asset: market.tokens[onNo ? 1 : 0],
    outcome: market.outcomes[onNo ? 1 : 0],
    outcomeIndex: onNo ? 1 : 0,
    side: onNo || trade.takerBuysYes ? 'BUY' : 'SELL',
    priceMicros: onNo ? 1_000_000 - trade.priceMicros : trade.priceMicros,
    transactionHash: `0x${digestHex(`${market.conditionId}/tx/${trade.ordinal}`)}`,
  }
}
