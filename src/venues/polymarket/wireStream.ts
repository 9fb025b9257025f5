// Messages of the market channel (wss …/ws/market) as zod schemas.
// https://docs.polymarket.com/market-data/websocket/market-channel
// Used behind the byte scanner and for every rare event. Prices and sizes are decimal strings, times are epoch-ms digit strings.
import { z } from 'zod'
import { row } from '../shared/data/row.ts'

const AssetId = z.string()
const Decimal = z.string()
/** The venue omits it or sends `""` when it has none. */
const MaybeDecimal = z.string().nullish()
/** Epoch ms in digits. */
const Millis = z.string()

/** Both sides worst first: the best level is the last element (observed 2026-02-12). */
export const WsLevel = z.object({ price: Decimal, size: Decimal })

/** A full snapshot: on subscribe and after trades. `timestamp` is when the book last changed, which may be minutes ago (observed 2026-02-12). */
export const WsBook = z.object({
  event_type: z.literal('book'),
  asset_id: AssetId,
  timestamp: Millis,
  bids: z.array(WsLevel),
  asks: z.array(WsLevel),
  /** Absent in old recordings. */
  tick_size: MaybeDecimal,
  last_trade_price: MaybeDecimal,
})
export type WsBook = z.infer<typeof WsBook>

/** BUY = bid side, SELL = ask side; on trades the taker's side. */
export const WsSide = z.enum(['BUY', 'SELL'])

/** `size` is the new total at the level, `"0"` removes it. `best_*` is the venue's own best after the change. */
export const WsChange = z.object({
  asset_id: AssetId,
  price: Decimal,
  size: Decimal,
  side: WsSide,
  best_bid: MaybeDecimal,
  best_ask: MaybeDecimal,
})

/** Since 2025-09-15: both tokens of a market in one frame. docs …/market-channel-migration-guide */
export const WsPriceChange = z.object({
  event_type: z.literal('price_change'),
  timestamp: Millis,
  price_changes: z.array(WsChange),
})
export type WsPriceChange = z.infer<typeof WsPriceChange>

/** Until 2025-09: one change, flat, without the venue's best. Observed 2024-08-18. */
export const WsFlatPriceChange = z.object({
  event_type: z.literal('price_change'),
  asset_id: AssetId,
  timestamp: Millis,
  price: Decimal,
  size: Decimal,
  side: WsSide,
})
export type WsFlatPriceChange = z.infer<typeof WsFlatPriceChange>

/** One match. `transaction_hash` since 2025. */
export const WsLastTrade = row(
  z.object({
    event_type: z.literal('last_trade_price'),
    asset_id: AssetId,
    timestamp: Millis,
    price: Decimal,
    size: Decimal,
    side: WsSide,
    transaction_hash: z.string().nullish(),
  }),
)
export type WsLastTrade = z.infer<typeof WsLastTrade>

/** When a price passes 0.96 or 0.04. */
export const WsTickSize = z.object({
  event_type: z.literal('tick_size_change'),
  asset_id: AssetId,
  new_tick_size: Decimal,
  timestamp: Millis,
})
export type WsTickSize = z.infer<typeof WsTickSize>

/** Only with `custom_feature_enabled`. */
export const WsBestBidAsk = z.object({
  event_type: z.literal('best_bid_ask'),
  asset_id: AssetId,
  best_bid: Decimal,
  best_ask: Decimal,
  timestamp: Millis,
})
export type WsBestBidAsk = z.infer<typeof WsBestBidAsk>

/** Only with `custom_feature_enabled`. `id` is the Gamma market id. We read nothing else: the catalog asks Gamma for the rest. */
export const WsNewMarket = z.object({ event_type: z.literal('new_market'), id: z.string(), timestamp: Millis })
export type WsNewMarket = z.infer<typeof WsNewMarket>

/** Only with `custom_feature_enabled`. `id` is the Gamma market id. */
export const WsMarketResolved = z.object({
  event_type: z.literal('market_resolved'),
  id: z.string(),
  timestamp: Millis,
})
export type WsMarketResolved = z.infer<typeof WsMarketResolved>
