// Bodies of order entry. https://docs.adipredictstreet.com/api-reference/orders
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { MatchedSize } from '../../shared/exec/filledSize.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'

export const paths = {
  place: '/api/orders/place',
  cancel: '/api/orders/cancel',
  orders: '/api/orders/',
  open: '/api/orders/open',
} as const

/** The same shape for accepted and rejected orders: a rejected one has no id, and a reason. */
export const StreetPlaced = z.object({
  orderId: z.string(),
  status: z.string(),
  filledQty: MatchedSize,
  code: z.string().nullish().catch(null),
  message: z.string().nullish().catch(null),
})

/** Both spellings of a cancelled order were observed. */
export const StreetCanceled = z.object({ orderId: z.string(), status: z.string() })

export const StreetError = z.object({
  code: z.string().regex(/^[a-z][a-z0-9_]{2,80}$/),
  message: z.string().nullish().catch(null),
})

const Decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))

/** A field that cannot be read costs that field alone. */
const OptionalDecimal = Decimal.nullish()
  .catch(null)
  .transform((value) => value ?? null)
const Text = z.string().nullish().catch(null)

/** https://docs.adipredictstreet.com/api-reference/orders/order-detail */
export const StreetOrder = z.object({
  id: z.string(),
  userWallet: z.string(),
  vault: Text,
  clientOrderId: Text,
  quantity: OptionalDecimal,
  filledQty: OptionalDecimal,
  status: z.string().catch(''),
  updatedAt: Text,
})
export type StreetOrder = z.infer<typeof StreetOrder>

/** Rows are read one by one: another order's row must not hide ours. */
export const StreetOpenOrders = z.object({ orders: z.array(z.unknown()), nextCursor: Text })

/** https://docs.adipredictstreet.com/api-reference/orders/fills-for-a-specific-order */
export const StreetFill = z
  .object({
    id: z.string().min(1),
    orderId: z.string(),
    quantity: Decimal,
    status: z.string().catch(''),
    createdAt: Text,
  })
  .loose()
export type StreetFill = z.infer<typeof StreetFill>
export const StreetFills = z.object({ trades: z.array(z.unknown()) })

const states: Readonly<Record<string, ExecutionStatus>> = {
  PENDING: 'acked',
  OPEN: 'acked',
  PARTIAL: 'acked',
  FILLED: 'filled',
  CANCELLED: 'canceled',
  CANCELLED_BY_RESOLVE: 'canceled',
  EXPIRED: 'expired',
  REJECTED: 'failed',
  SETTLEMENT_FAILED: 'failed',
}
export const statusOf = optionalStateReader(states, { spelled: (word) => word.toUpperCase() })

type Stage = 'underway' | 'settled' | 'failed'
const stages: Readonly<Record<string, Stage>> = {
  matched: 'underway',
  settlement_pending: 'underway',
  settled: 'settled',
  settlement_failed: 'failed',
}
/** An unknown word: whether the trade was settled is not known. */
export const stageOf = optionalStateReader(stages, { spelled: (word) => word.toLowerCase() })
