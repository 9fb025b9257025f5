// Polymarket_us's objects: markets, books, orders, activities. Prices are the long (YES) side's, in amounts of four decimals.

import type { EngineMarket, MarketTruth } from '../engine/market.ts'
import type { SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import { stableUuid } from '../prng.ts'
import type { UsEvent, UsMarket } from './marketGenerator.ts'

export const feeCoefficient = 0.0695

export const amount = (micros: number) => ({ value: (micros / 1_000_000).toFixed(4), currency: 'USD' })
const quantityText = (contracts: number): string => contracts.toFixed(4)
const iso = (ms: number): string => new Date(ms).toISOString()

/** The gateway's market states, in addition to the exchange's own (`state` of a book). */
const statuses = {
  open: 'MARKET_STATUS_OPEN',
  closed: 'MARKET_STATUS_CLOSED',
  resolved: 'MARKET_STATUS_RESOLVED',
} as const

const states = {
  open: 'MARKET_STATE_OPEN',
  closed: 'MARKET_STATE_EXPIRED',
  resolved: 'MARKET_STATE_TERMINATED',
} as const

export function marketRow(market: UsMarket, live: EngineMarket) {
  const { catalog, event } = market
  const open = live.status === 'open'
  const mid = live.midMicros()
  const outcomes = catalog.opposite === 'No' ? ['Yes', 'No'] : [catalog.label, catalog.opposite]
  const prices = [mid, 1_000_000 - mid].map((micros) => String(micros / 1_000_000))
  const [bid, ask] = open ? [live.book.bestBidMicros(), live.book.bestAskMicros()] : [null, null]
  return {
    id: String(market.id),
    slug: market.slug,
    question: catalog.question,
    title: catalog.question,
    titleShort: catalog.label,
    subtitle: '',
    description: event.catalog.rules,
    category: event.catalog.category,
    tags: tagRows(event),
    active: open,
    closed: !open,
    archived: false,
    hidden: false,
    status: statuses[live.status],
    startDate: iso(event.catalog.createdMs),
    endDate: iso(event.catalog.endMs),
    createdAt: iso(event.catalog.createdMs),
    updatedAt: iso(live.statusAtMs),
    outcomes: JSON.stringify(outcomes),
    outcomePrices: JSON.stringify(prices),
    ...(bid === null ? {} : { bestBidQuote: amount(bid) }),
    ...(ask === null ? {} : { bestAskQuote: amount(ask) }),
    orderPriceMinTickSize: live.book.grid.stepMicros / 1_000_000,
    minimumTradeQty: 1,
    feeCoefficient,
    marketSides: outcomes.map((description, n) => ({
      id: `${market.id}-${n}`,
      description,
      identifier: `${market.slug}-${n === 0 ? 'long' : 'short'}`,
      long: n === 0,
      price: prices[n],
      tradable: open,
    })),
  }
}

const tagRows = ({ catalog: { tags } }: UsEvent) =>
  tags.map((label, n) => ({ id: String(n + 1), label, slug: label.toLowerCase() }))

export const eventRow = (event: UsEvent, live: (market: UsMarket) => EngineMarket) => ({
  id: String(event.id),
  slug: event.slug,
  title: event.catalog.title,
  description: event.catalog.rules,
  active: event.markets.some((market) => live(market).status === 'open'),
  closed: event.markets.every((market) => live(market).status !== 'open'),
  archived: false,
  featured: false,
  category: event.catalog.category,
  tags: tagRows(event),
  startDate: iso(event.catalog.createdMs),
  endDate: iso(event.catalog.endMs),
  createdAt: iso(event.catalog.createdMs),
  updatedAt: iso(Math.max(...event.markets.map((market) => live(market).statusAtMs))),
  markets: event.markets.map((market) => marketRow(market, live(market))),
})

export function bookRow({ slug }: UsMarket, live: EngineMarket, truth: MarketTruth) {
  const levels = (side: MarketTruth['bids']) =>
    side.map(([price, size]) => ({ px: amount(price), qty: quantityText(size) }))
  return {
    marketSlug: slug,
    bids: levels(truth.bids),
    offers: levels(truth.asks),
    state: states[live.status],
    stats: {
      lastTradePx: live.lastTrade === null ? null : amount(live.lastTrade.priceMicros),
      sharesTraded: quantityText(live.volumeHundredths / 100),
      openInterest: quantityText(Math.round(live.volumeHundredths / 300)),
    },
    transactTime: iso(truth.eventTs),
  }
}

export function bboRow({ slug }: UsMarket, live: EngineMarket, { bids, asks }: MarketTruth) {
  return {
    marketSlug: slug,
    ...(bids[0] === undefined ? {} : { bestBid: amount(bids[0][0]) }),
    ...(asks[0] === undefined ? {} : { bestAsk: amount(asks[0][0]) }),
    bidDepth: bids.length,
    askDepth: asks.length,
    ...(live.lastTrade === null ? {} : { lastTradePx: amount(live.lastTrade.priceMicros) }),
    sharesTraded: quantityText(live.volumeHundredths / 100),
    openInterest: quantityText(Math.round(live.volumeHundredths / 300)),
    state: states[live.status],
  }
}

export interface OrderDetails {
  slug: string
  intent: 'ORDER_INTENT_BUY_LONG' | 'ORDER_INTENT_SELL_LONG' | 'ORDER_INTENT_BUY_SHORT' | 'ORDER_INTENT_SELL_SHORT'
  type: string
  tif: string
  goodTillTime: string | null
}
export const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

export const idOf = (order: SimulatedOrder): string =>
  stableUuid(`polymarket_us/order/${order.account}/${order.ordinal}`)

/** A new order is pending for this long. */
const pendingMs = 20

export function stateOf(order: SimulatedOrder, nowMs: number): string {
  if (order.status === 'filled') return 'ORDER_STATE_FILLED'
  if (order.status === 'canceled') return order.isExpired ? 'ORDER_STATE_EXPIRED' : 'ORDER_STATE_CANCELED'
  if (order.filledHundredths > 0) return 'ORDER_STATE_PARTIALLY_FILLED'
  return nowMs - order.createdAtMs < pendingMs ? 'ORDER_STATE_PENDING_NEW' : 'ORDER_STATE_NEW'
}

const feeOf = ({ hundredths, priceMicros, maker }: SimulatedFill): number => {
  const p = priceMicros / 1_000_000
  return maker ? 0 : Math.round(((feeCoefficient * hundredths) / 100) * p * (1 - p) * 100) / 100
}

export function orderRow(order: SimulatedOrder, state: string) {
  const { slug, intent, type, tif, goodTillTime } = detailsOf(order)
  const filled = order.filledHundredths
  const paid = order.fills.reduce((sum, fill) => sum + fill.hundredths * fill.priceMicros, 0)
  const fees = order.fills.reduce((sum, fill) => sum + feeOf(fill), 0)
  return {
    id: idOf(order),
    marketSlug: slug,
    side: intent.includes('BUY') ? 'ORDER_SIDE_BUY' : 'ORDER_SIDE_SELL',
    intent,
    type,
    price: amount(order.priceMicros),
    quantity: order.hundredths / 100,
    cumQuantity: filled / 100,
    leavesQuantity: order.status === 'open' ? (order.hundredths - filled) / 100 : 0,
    tif,
    ...(goodTillTime === null ? {} : { goodTillTime }),
    state,
    ...(filled === 0 ? {} : { avgPx: amount(Math.round(paid / filled)) }),
    insertTime: iso(order.createdAtMs),
    createTime: iso(order.createdAtMs),
    commissionNotionalTotalCollected: amount(Math.round(fees * 1_000_000)),
  }
}

export const tradeActivity = (order: SimulatedOrder, fill: SimulatedFill) => ({
  type: 'ACTIVITY_TYPE_TRADE',
  trade: {
    id: stableUuid(`polymarket_us/fill/${fill.id}`),
    marketSlug: detailsOf(order).slug,
    state: 'TRADE_STATE_CLEARED',
    price: amount(fill.priceMicros),
    qty: quantityText(fill.hundredths / 100),
    isAggressor: !fill.maker,
    createTime: iso(fill.atMs),
    updateTime: iso(fill.atMs),
  },
})

export const executionRow = (order: SimulatedOrder, fill: SimulatedFill, state: string) => ({
  id: stableUuid(`polymarket_us/execution/${fill.id}`),
  order: orderRow(order, state),
  type: order.status === 'filled' ? 'EXECUTION_TYPE_FILL' : 'EXECUTION_TYPE_PARTIAL_FILL',
  lastShares: quantityText(fill.hundredths / 100),
  lastPx: amount(fill.priceMicros),
  transactTime: iso(fill.atMs),
  tradeId: stableUuid(`polymarket_us/fill/${fill.id}`),
  aggressor: !fill.maker,
  commissionNotionalCollected: amount(Math.round(feeOf(fill) * 1_000_000)),
})
