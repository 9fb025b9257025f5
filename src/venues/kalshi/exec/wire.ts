// Order rows and answers of the portfolio endpoints. https://docs.kalshi.com/api-reference
import { z } from 'zod'
import { compareDecimals } from '#lib/decimal'
import type { ExecutionStatus } from '#schemas/executions'
import { MatchedSize } from '../../shared/exec/accepted.ts'
import { unknownState } from '../../shared/exec/orderStates.ts'

const Count = z.string().regex(/^\d+(\.\d+)?$/)

/** Of create and amend. */
export const KalshiPlaced = z.object({
  order_id: z.string().min(1),
  client_order_id: z.string().nullish(),
  fill_count: MatchedSize,
})
export const KalshiCanceled = z.object({ order_id: z.string().min(1) })

export const KalshiOrder = z.object({
  order_id: z.string(),
  client_order_id: z.string().nullish(),
  ticker: z.string(),
  status: z.string(),
  initial_count_fp: Count,
  fill_count_fp: Count,
  remaining_count_fp: Count,
  last_update_time: z.string().nullish(),
})
export type KalshiOrder = z.infer<typeof KalshiOrder>

export const KalshiOneOrder = z.object({ order: KalshiOrder })
export const KalshiOrders = z.object({ orders: z.array(KalshiOrder), cursor: z.string().nullish() })

/** Kept as listed: a row may name the user. */
export const KalshiFill = z.object({
  fill_id: z.string(),
  order_id: z.string(),
  ticker: z.string(),
  outcome_side: z.string().nullish(),
  book_side: z.string().nullish(),
  count_fp: Count,
  yes_price_dollars: z.string(),
  no_price_dollars: z.string().nullish(),
  is_taker: z.boolean().nullish(),
  fee_cost: z.string().nullish(),
  created_time: z.iso.datetime({ offset: true }),
})
export const KalshiFills = z.object({ fills: z.array(KalshiFill), cursor: z.string().nullish() })

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
 * Order states mapped to ours. `executed` is also used for an order whose remainder was killed. An unlisted word fails
 * loudly.
 */
export function statusOf({ status, fill_count_fp, initial_count_fp }: KalshiOrder): ExecutionStatus {
  if (status === 'resting' || status === 'pending') return 'acked'
  if (status === 'canceled') return 'canceled'
  if (status === 'executed') return compareDecimals(fill_count_fp, initial_count_fp) >= 0 ? 'filled' : 'canceled'
  throw unknownState('kalshi', status)
}
