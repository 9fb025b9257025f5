// What Pascal's public reads send. https://docs.pascal.trade, and the venue's own quickstart of 2026-07-17; fields in neither are those that
// several clients read. Lists hold rows as `unknown`: one bad row is skipped and logged, and the others are kept.
import { z } from 'zod'
import { row } from '../shared/data/row.ts'

/** Decimals are text, times numbers; clients tolerate both. */
const Figure = z.union([z.string(), z.number()]).nullish()

// Fields we only pass on: a different form counts as unknown and does not cost the row.
const Note = z.string().nullish().catch(null)
const Amount = Figure.catch(null)

/** The counterpart on another venue, by its names there. */
const Reference = z.object({ kind: Note, condition_id: Note, market_outcome_token_id: Note, market_slug: Note })

const DisplayAttributes = z.object({
  event_description: Note,
  market_description: Note,
  expected_resolution_time_ms: Amount,
  expected_event_start_time_ms: Amount,
  tags: z.array(z.unknown()).nullish().catch(null),
  game_page: z.object({ section_description: Note }).nullish().catch(null),
  reference: Reference.nullish().catch(null),
})

export const PascalMarket = row(
  z.object({
    symbol: z.string(),
    mark_price: Amount,
    open_interest: Amount,
    tick_size_min: Amount,
    taker_fee_rate: Amount,
    /** Null until it is resolved; then the payout per contract, as decimals (documented for an account's positions). */
    resolution: z.unknown().optional(),
    display_attributes: DisplayAttributes.nullish().catch(null),
    stats: z
      .object({
        last_24h: z.object({ taker_buy_volume: Amount, taker_sell_volume: Amount }).nullish().catch(null),
        /** From two versions of the interface. */
        all_time: z.object({ taker_volume_usdc: Amount, volume_usdc: Amount }).nullish().catch(null),
      })
      .nullish()
      .catch(null),
  }),
)
export type PascalMarket = z.infer<typeof PascalMarket>

/** Price and size, best first. */
const Levels = z.array(z.tuple([Figure, Figure]).rest(z.unknown()))
export const PascalBook = z.object({ bids: Levels, asks: Levels })
export type PascalBook = z.infer<typeof PascalBook>

/** A frame of the socket. In an update, a level of size 0 is gone. */
export const PascalBookMessage = z.object({
  channel: z.literal('book'),
  symbol: z.string(),
  type: z.enum(['snapshot', 'update']),
  data: z.object({ bids: Levels.default([]), asks: Levels.default([]) }),
  /** When the state was made, epoch ms. */
  state_time_ms: Amount,
})
export const PascalErrorMessage = z.object({
  type: z.literal('error'),
  symbol: Note,
  data: z.object({ code: Note, message: Note }),
})

/**
 * Public trades are undocumented. These are the field names of an account's fills, and of its orders; a row with neither is invalid, and a tape of
 * such rows is a fault.
 */
export const PascalTrade = row(
  z.object({
    seq: z.union([z.string(), z.number()]).transform(String),
    symbol: z.string(),
    trade_ts_ms: Figure,
    price: Figure,
    fill_price: Figure,
    size: Figure,
    fill_size: Figure,
  }),
)
export type PascalTrade = z.infer<typeof PascalTrade>

/** `{status: "error", data: {code, message}}` otherwise. `state_time_ms`: time of the state that was read, epoch ms. */
const success = <S extends z.ZodType>(data: S) =>
  z.object({ status: z.literal('success'), data, state_time_ms: Amount })
export const PascalMarkets = success(z.array(z.unknown()))
export const PascalBooks = success(z.object({ books: z.record(z.string(), z.unknown()) }))
export const PascalTrades = success(z.object({ items: z.array(z.unknown()) }))
export const PascalAccountOrders = success(z.object({ orders: z.array(z.unknown()) }))
export const PascalRefusal = z.object({ status: z.literal('error') })

/** Digits, as text or as a number. */
const Digits = z
  .union([z.string(), z.number().int().nonnegative()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,20}$/))

/** A row of an account's orders: a resting order. */
export const PascalRestingOrder = z.object({
  id: Digits.nullish(),
  client_order_id: Digits.nullish(),
  symbol: z.string(),
  side: z.enum(['BID', 'ASK']),
  price: Figure,
  size_remaining: Figure,
})
export type PascalRestingOrder = z.infer<typeof PascalRestingOrder>
