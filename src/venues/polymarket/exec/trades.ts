// Fills of one order from the account's trades. A trade names others' API keys besides ours: only the fields listed here are kept.
//
//   MATCHED_NOT_BROADCASTED ─► MATCHED ─► MINED ─► CONFIRMED   a fill, for good
//                                 └─► RETRYING ─► … └─► FAILED  nothing was traded
import type { VenueFill } from '../../lane.ts'
import { sumOf } from '../../shared/exec/observe.ts'
import { stateReader } from '../../shared/exec/orderStates.ts'
import type { ClobTrade } from './wire.ts'

type Stage = 'underway' | 'confirmed' | 'failed'

const stages: Readonly<Record<string, Stage>> = {
  MATCHED_NOT_BROADCASTED: 'underway',
  MATCHED: 'underway',
  MINED: 'underway',
  RETRYING: 'underway',
  CONFIRMED: 'confirmed',
  FAILED: 'failed',
}

/** An order's trades, by how far each has progressed. */
export type OrderTrades = Record<Stage, VenueFill[]>

export function tradesOf(trades: readonly ClobTrade[], orderId: string): OrderTrades {
  const found: OrderTrades = { underway: [], confirmed: [], failed: [] }
  for (const trade of trades) {
    const fill = fillOf(trade, orderId)
    if (fill !== null) found[stageOf(trade.status)].push(fill)
  }
  return found
}

/** Shares. */
export const sizeOf = (fills: readonly VenueFill[]): string => sumOf(fills.map(({ fill }) => String(fill.size)))

/** With or without the prefix of the OpenAPI page. An unlisted word fails loudly. */
const stageOf = stateReader('polymarket', stages, {
  of: 'trade',
  spelled: (word) => word.toUpperCase().replace(/^TRADE_STATUS_/, ''),
})

/** Null when the order has no part in the trade. */
export function fillOf(trade: ClobTrade, orderId: string): VenueFill | null {
  const common = {
    trade_id: trade.id,
    order_id: orderId,
    market: trade.market,
    status: trade.status,
    match_time: String(trade.match_time),
    transaction_hash: trade.transaction_hash ?? null,
  }
  const filledAt = Number(trade.match_time) * 1_000
  const key = `${trade.id}:${trade.bucket_index ?? 0}`
  if (sameId(trade.taker_order_id, orderId)) {
    const { asset_id, side, size, price } = trade
    return { key, fill: { ...common, trader_side: 'TAKER', asset_id, side, size, price }, filledAt }
  }
  const mine = (trade.maker_orders ?? []).find(({ order_id }) => sameId(order_id, orderId))
  if (mine === undefined) return null
  const { asset_id, side, matched_amount, price } = mine
  return {
    key,
    fill: { ...common, trader_side: 'MAKER', asset_id, side: side ?? null, size: matched_amount, price },
    filledAt,
  }
}

const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
