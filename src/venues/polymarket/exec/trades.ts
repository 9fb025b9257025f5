// Fills of one order from the account's trades. A trade names others' API keys besides ours: only the fields listed here are kept.
//
//   MATCHED_NOT_BROADCASTED ─► MATCHED ─► MINED ─► CONFIRMED   a fill, for good
//                                 └─► RETRYING ─► … └─► FAILED  nothing was traded
import type { VenueFill } from '../../lane.ts'
import { sumOf } from '../../shared/exec/orderSnapshot.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'
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

/** Pages may overlap: a trade that comes twice is counted once, at its later reading. */
export function tradesOf(trades: readonly ClobTrade[], orderId: string, nowMs: number): OrderTrades {
  const byKey = new Map<string, { fill: VenueFill; stage: Stage }>()
  for (const trade of trades) {
    const fill = fillOf(trade, orderId, nowMs)
    // An unlisted word proves neither a fill nor a failure.
    if (fill !== null) byKey.set(fill.key, { fill, stage: stageOf(trade.status) ?? 'underway' })
  }
  const found: OrderTrades = { underway: [], confirmed: [], failed: [] }
  for (const { fill, stage } of byKey.values()) found[stage].push(fill)
  return found
}

/** The first status of these trades that is not listed; null: all are known. */
export function unknownStageIn(trades: OrderTrades): string | null {
  const words = trades.underway.map(({ fill }) => String(fill.status))
  return words.find((word) => stageOf(word) === null) ?? null
}

/** Shares. */
export const sizeOf = (fills: readonly VenueFill[]): string => sumOf(fills.map(({ fill }) => String(fill.size)))

/** With or without the prefix of the OpenAPI page. */
const stageOf = optionalStateReader(stages, {
  spelled: (word) => word.toUpperCase().replace(/^TRADE_STATUS_/, ''),
})

/** Null when the order has no part in the trade. `nowMs`: its time when the venue gives none. */
export function fillOf(trade: ClobTrade, orderId: string, nowMs: number): VenueFill | null {
  const common = {
    trade_id: trade.id,
    order_id: orderId,
    market: trade.market ?? null,
    status: trade.status,
    match_time: trade.match_time == null ? null : String(trade.match_time),
    transaction_hash: trade.transaction_hash ?? null,
  }
  const filledAt = trade.match_time == null ? nowMs : Number(trade.match_time) * 1_000
  const key = `${trade.id}:${trade.bucket_index ?? 0}`
  if (sameId(trade.taker_order_id, orderId)) {
    const { asset_id = null, side = null, size, price } = trade
    return { key, fill: { ...common, trader_side: 'TAKER', asset_id, side, size, price }, filledAt }
  }
  const mine = (trade.maker_orders ?? []).find(({ order_id }) => sameId(order_id, orderId))
  if (mine === undefined) return null
  const { asset_id = null, side = null, matched_amount, price } = mine
  return {
    key,
    fill: { ...common, trader_side: 'MAKER', asset_id, side, size: matched_amount, price },
    filledAt,
  }
}

const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
