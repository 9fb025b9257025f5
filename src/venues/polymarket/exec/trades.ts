// Fills of one order out of the account's trades. A trade names other people's API keys beside ours: only what is listed here is kept.
import type { VenueFill } from '../../lane.ts'
import type { ClobTrade } from './wire.ts'

/** Null when the order has no part in the trade, or the trade came to nothing. */
export function fillOf(trade: ClobTrade, orderId: string): VenueFill | null {
  if (trade.status.replace(/^TRADE_STATUS_/, '') === 'FAILED') return null
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

export const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
