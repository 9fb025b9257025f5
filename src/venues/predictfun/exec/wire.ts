// What order entry reads from Predict.fun. https://dev.predict.fun/create-an-order-32534694e0, get-order-by-hash-25326901e0, and rows recorded in
// `ccxt`.
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { BaseUnits, OptionalDecimal } from '../../shared/exec/decimalShape.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'
import { hexText, Uint } from '../../shared/exec/typedOrder.ts'

export const paths = { orders: '/v1/orders', remove: '/v1/orders/remove-by-hash' } as const

export const PlacedAnswer = z.object({
  success: z.literal(true),
  data: z.object({ orderHash: hexText(64) }),
})

/** Of a removal from the book, hashes. */
export const RemovedAnswer = z.object({
  success: z.literal(true),
  removed: z.array(z.string()),
  noop: z.array(z.string()).default([]),
})

export const PredictOrder = z.object({
  id: z.union([z.string(), z.number()]).nullish().catch(null),
  marketId: z.union([z.string(), z.number()]).nullish().catch(null),
  status: z.string().catch(''),
  strategy: z.string().nullish().catch(null),
  currency: z.string().nullish().catch(null),
  /** Shares, in 10^-18. */
  amount: Uint.nullish().catch(null),
  amountFilled: Uint.nullish().catch(null),
  /** The signed order, identified by its hash. */
  order: z.object({ hash: z.string() }),
})
export type PredictOrder = z.infer<typeof PredictOrder>

export const OneOrderAnswer = z.object({ success: z.literal(true), data: PredictOrder })

/** Order states mapped to ours. A match is not a fill until it is settled on chain. */
const states: Readonly<Record<string, ExecutionStatus>> = {
  OPEN: 'acked',
  PENDING: 'acked',
  MATCHED: 'acked',
  FILLED: 'filled',
  CANCELLED: 'canceled',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  REJECTED: 'failed',
}
/** Null for an unlisted word. */
export const statusOf = optionalStateReader(states, { spelled: (word) => word.toUpperCase() })

/** Lists of the wallet; rows are read one by one. */
export const PredictList = z.object({
  success: z.literal(true),
  data: z.array(z.unknown()),
  cursor: z.string().nullish(),
})
export const PredictPosition = z.object({
  amount: BaseUnits,
  averageBuyPriceUsd: OptionalDecimal,
  market: z.object({ id: z.union([z.number().int(), z.string()]).transform(String) }),
  outcome: z.object({ indexSet: z.union([z.literal(1), z.literal(2)]) }),
})
export type PredictPosition = z.infer<typeof PredictPosition>
