// Gemini's objects: events, contracts, books, and order rows whose ids are integers longer than a double.

import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import type { SimulatedOrder } from '../engine/orderManager.ts'
import { digestHex, stableUuid } from '../prng.ts'
import type { LabReply } from '../venueServer.ts'
import type { GeminiContract, GeminiEvent } from './marketGenerator.ts'

/** Kept exact: 18 digits, beyond 2^53. */
const firstOrderId = 145_000_000_000_000_000n

export const orderIdOf = (order: SimulatedOrder): string => String(firstOrderId + BigInt(order.ordinal))

/** Digits to appear in JSON as a number: the NUL marks a number; client text cannot contain one. */
const raw = (digits: string): string => `\u0000${digits}`

/** JSON with order ids as exact integers. */
export const exactJson = (body: unknown): LabReply => ({
  status: 200,
  body: JSON.stringify(body).replace(/"\\u0000(\d+)"/g, '$1'),
  headers: { 'Content-Type': 'application/json' },
})

/** At least cents: `0.41`, `0.415`. */
export const priceText = (micros: number): string => (micros / 1_000_000).toFixed(micros % 10_000 === 0 ? 2 : 3)
export const quantityText = (hundredths: number): string => String(hundredths / 100)

export interface OrderDetails {
  symbol: string
  side: 'buy' | 'sell'
  outcome: 'yes' | 'no'
  timeInForce: string
}
export const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

/** In dollars of the leg the order names. */
export const legMicros = (order: SimulatedOrder, yesMicros: number): number =>
  detailsOf(order).outcome === 'yes' ? yesMicros : 1_000_000 - yesMicros

export const statusWords = { open: 'open', filled: 'filled', canceled: 'cancelled' } as const

export function orderRow(order: SimulatedOrder, contract: GeminiContract) {
  const { symbol, side, outcome } = detailsOf(order)
  const filled = order.filledHundredths
  const paid = order.fills.reduce((sum, fill) => sum + fill.hundredths * legMicros(order, fill.priceMicros), 0)
  const iso = (ms: number) => new Date(ms).toISOString()
  return {
    orderId: raw(orderIdOf(order)),
    hashOrderId: digestHex(`gemini/order/${order.account}/${order.ordinal}`).slice(0, 32),
    clientOrderId: order.clientId,
    globalOrderId: stableUuid(`gemini/order/${order.account}/${order.ordinal}`),
    status: statusWords[order.status],
    symbol,
    side,
    outcome,
    orderType: 'limit',
    quantity: quantityText(order.hundredths),
    filledQuantity: quantityText(filled),
    remainingQuantity: quantityText(order.hundredths - filled),
    price: priceText(legMicros(order, order.priceMicros)),
    stopPrice: null,
    avgExecutionPrice: filled === 0 ? null : (paid / filled / 1_000_000).toFixed(4),
    createdAt: iso(order.createdAtMs),
    updatedAt: iso(order.updatedAtMs),
    cancelledAt: order.status === 'canceled' ? iso(order.updatedAtMs) : null,
    contractMetadata: { eventTicker: contract.event.ticker, contractTicker: contract.catalog.code },
    trades: null,
  }
}

export function bookRow({ bids, asks, eventTs }: MarketTruth, limits: { bids: number; asks: number }) {
  const timestamp = String(Math.floor(eventTs / 1_000))
  const side = (levels: MarketTruth['bids'], most: number) =>
    (most > 0 ? levels.slice(0, most) : levels).map(([price, size]) => ({
      price: priceText(price),
      amount: String(size),
      timestamp,
    }))
  return { bids: side(bids, limits.bids), asks: side(asks, limits.asks) }
}

/** 16 digits. */
const firstTradeId = 2_000_000_000_000_000
const tradesOfContract = 1_000_000

export const tradeRow = (contract: GeminiContract, trade: LabTrade) => ({
  timestamp: Math.floor(trade.atMs / 1_000),
  timestampms: trade.atMs,
  tid: firstTradeId + contract.ordinal * tradesOfContract + trade.ordinal,
  price: priceText(trade.priceMicros),
  amount: String(trade.size),
  exchange: 'gemini',
  type: trade.takerBuysYes ? 'buy' : 'sell',
})

const statuses = { open: 'active', closed: 'closed', resolved: 'settled' } as const

export function eventRow(event: GeminiEvent, live: (contract: GeminiContract) => EngineMarket) {
  const { catalog } = event
  const markets = event.contracts.map((contract) => live(contract))
  const volume = markets.reduce((sum, market) => sum + market.volumeHundredths, 0)
  const status = markets.some((market) => market.status === 'open') ? 'open' : (markets[0]?.status ?? 'closed')
  return {
    id: String(4_000 + catalog.ordinal),
    title: catalog.title,
    slug: event.ticker.toLowerCase(),
    description: catalog.rules,
    imageUrl: null,
    type: event.contracts.length === 1 ? 'binary' : 'categorical',
    category: catalog.category,
    ticker: event.ticker,
    status: statuses[status],
    contracts: event.contracts.map((contract, i) => contractRow(contract, markets[i]!, i)),
    volume: quantityText(volume),
    volume24h: quantityText(Math.round(volume / 12)),
    liquidity: null,
    tags: catalog.tags,
    createdAt: new Date(catalog.createdMs).toISOString(),
    effectiveDate: new Date(catalog.createdMs).toISOString(),
    expiryDate: new Date(catalog.endMs).toISOString(),
    resolvedAt: status === 'resolved' ? new Date(markets[0]!.statusAtMs).toISOString() : null,
  }
}

function contractRow(contract: GeminiContract, live: EngineMarket, sortOrder: number) {
  const { catalog, event, symbol } = contract
  const open = live.status === 'open'
  const [bid, ask] = open ? [live.book.bestBidMicros(), live.book.bestAskMicros()] : [null, null]
  const text = (micros: number | null) => (micros === null ? {} : priceText(micros))
  const leg = (yes: number | null, no: number | null) => ({
    ...(yes === null ? {} : { yes: text(yes) }),
    ...(no === null ? {} : { no: text(no) }),
  })
  const other = (micros: number | null) => (micros === null ? null : 1_000_000 - micros)
  return {
    id: `${4_000 + event.catalog.ordinal}-${sortOrder}`,
    label: catalog.label,
    abbreviatedName: catalog.code,
    ticker: catalog.code,
    instrumentSymbol: symbol,
    ...contract.limits,
    description: { content: [{ value: catalog.question }] },
    prices: {
      buy: leg(ask, other(bid)),
      sell: leg(bid, other(ask)),
      ...(bid === null ? {} : { bestBid: priceText(bid) }),
      ...(ask === null ? {} : { bestAsk: priceText(ask) }),
      ...(live.lastTrade === null || live.status === 'resolved'
        ? {}
        : { lastTradePrice: priceText(live.lastTrade.priceMicros) }),
    },
    status: statuses[live.status],
    marketState: open ? 'open' : 'closed',
    createdAt: new Date(event.catalog.createdMs).toISOString(),
    effectiveDate: new Date(event.catalog.createdMs).toISOString(),
    expiryDate: new Date(event.catalog.endMs).toISOString(),
    ...(live.status === 'resolved'
      ? { resolutionSide: live.result, settlementValue: live.result === 'yes' ? '1' : '0' }
      : {}),
    sortOrder,
  }
}
