// Order rows and answers of the portfolio endpoints. https://docs.kalshi.com/api-reference
import { z } from 'zod'
import { compareDecimals } from '#core/decimal'
import type { ExecutionStatus } from '#schemas/executions'
import { ExactDecimal, OptionalDecimal } from '../../shared/exec/decimalShape.ts'
import { MatchedSize } from '../../shared/exec/filledSize.ts'

const Count = z.string().regex(/^\d+(\.\d+)?$/)

/** Of create and amend. */
export const KalshiPlaced = z.object({
  order_id: z.string().min(1),
  client_order_id: z.string().nullish(),
  fill_count: MatchedSize,
})
export const KalshiCanceled = z.object({ order_id: z.string().min(1) })

/** A missing or unreadable count: the fills then say how much was filled. */
const OptionalCount = Count.nullish()
  .catch(null)
  .transform((count) => count ?? null)
const Text = z.string().nullish().catch(null)

export const KalshiOrder = z.object({
  order_id: z.string(),
  client_order_id: Text,
  ticker: Text,
  status: z.string().catch(''),
  initial_count_fp: OptionalCount,
  fill_count_fp: OptionalCount,
  remaining_count_fp: OptionalCount,
  last_update_time: Text,
})
export type KalshiOrder = z.infer<typeof KalshiOrder>

export const KalshiOneOrder = z.object({ order: KalshiOrder })
const Cursor = z.string().nullish()
/** Rows are read one by one: another order's row must not hide ours. */
export const KalshiOrders = z.object({ orders: z.array(z.unknown()), cursor: Cursor })

/** Kept as listed: a row may name the user. */
export const KalshiFill = z.object({
  fill_id: z.string(),
  order_id: z.string(),
  ticker: Text,
  outcome_side: Text,
  book_side: Text,
  count_fp: Count,
  yes_price_dollars: z.string(),
  no_price_dollars: Text,
  is_taker: z.boolean().nullish().catch(null),
  fee_cost: Text,
  /** Absent in rows of the history that were seen. */
  created_time: z.iso.datetime({ offset: true }).nullish().catch(null),
})
export type KalshiFill = z.infer<typeof KalshiFill>
export const KalshiFills = z.object({ fills: z.array(z.unknown()), cursor: Cursor })

const Detail = z.object({ code: z.string(), message: z.string().nullish(), details: z.string().nullish() })
/** Of the auth gateway and the exchange. */
export const KalshiRefusal = z.object({ error: Detail }).transform(({ error }) => error)
/** Decoding failures are not wrapped, query validation has `msg`. */
export const KalshiBadRequest = z.union([
  Detail,
  z.object({ msg: z.string() }).transform(({ msg }) => ({ code: msg, message: null, details: null })),
])
export const KalshiLimited = z.object({ error: z.literal('too many requests') })

/**
 * Order states mapped to ours; null for an unknown word. `executed` is also used for an order whose remainder was killed: `size` and `filled`
 * decide, and without them nothing does.
 */
export function statusOf(word: string, size: string | null, filled: string | null): ExecutionStatus | null {
  if (word === 'resting' || word === 'pending') return 'acked'
  if (word === 'canceled') return 'canceled'
  if (word !== 'executed' || size === null || filled === null) return null
  return compareDecimals(filled, size) >= 0 ? 'filled' : 'canceled'
}

export const knownOrderStates: readonly string[] = ['resting', 'pending', 'canceled', 'executed']

/** A resting order. */
export const KalshiResting = z.object({
  order_id: z.string().min(1),
  ticker: z.string().min(1),
  book_side: Text,
  yes_price_dollars: OptionalDecimal,
  remaining_count_fp: OptionalDecimal,
})
export type KalshiResting = z.infer<typeof KalshiResting>

/** A row of the positions: contracts, YES above zero. */
export const KalshiPosition = z.object({
  ticker: z.string().min(1),
  position_fp: ExactDecimal,
  /** Cost of the whole position. */
  market_exposure_dollars: OptionalDecimal,
})
export type KalshiPosition = z.infer<typeof KalshiPosition>
export const KalshiPositions = z.object({ market_positions: z.array(z.unknown()), cursor: Cursor })

/** What orders can spend, over all shards. Cents, and newer answers in dollars as well. */
export const KalshiBalance = z.object({
  balance: z.number().int(),
  balance_dollars: OptionalDecimal,
})
