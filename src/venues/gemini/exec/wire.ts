// Order rows of Gemini Predictions. https://docs.gemini.com/prediction-markets/ (orders)
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { ExactDecimal, OptionalDecimal } from '../../shared/exec/decimalShape.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'

export const paths = {
  order: '/v1/prediction-markets/order',
  cancel: '/v1/prediction-markets/order/cancel',
  active: '/v1/prediction-markets/orders/active',
  history: '/v1/prediction-markets/orders/history',
  positions: '/v1/prediction-markets/positions',
} as const

/** Digits, whether sent as a number or as text. */
export const OrderId = z
  .union([z.number().int().nonnegative(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,20}$/))

const Amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))
/** A field that cannot be read costs that field, not the order. */
const OptionalAmount = Amount.nullish().catch(null)
const Text = z.string().nullish().catch(null)
/** ISO text or epoch ms. */
const When = z.union([z.string(), z.number()]).nullish().catch(null)

/** Kept whole in addition to the fields we read: fills are returned venue-shaped. */
export const GeminiOrder = z
  .object({
    orderId: OrderId,
    clientOrderId: z.string().nullish(),
    status: z.string().catch(''),
    symbol: Text,
    side: Text,
    outcome: Text,
    quantity: OptionalAmount,
    filledQuantity: OptionalAmount,
    remainingQuantity: OptionalAmount,
    price: OptionalAmount,
    createdAt: When,
    updatedAt: When,
    cancelledAt: When,
  })
  .loose()
export type GeminiOrder = z.infer<typeof GeminiOrder>

/** Answer to a cancellation. */
export const GeminiDone = z.object({ result: z.literal('ok') })

const Rows = z.array(z.unknown())
/** Both lists have been seen bare and wrapped. Rows are read one by one: another order's row must not hide ours. */
export const GeminiOrders = z
  .union([Rows, z.object({ orders: Rows }), z.object({ data: Rows })])
  .transform((answer) => (Array.isArray(answer) ? answer : 'orders' in answer ? answer.orders : answer.data))

/**
 * Order states mapped to ours. There is no partial state: a partial fill shows as open, or cancelled, with filledQuantity above
 * zero.
 */
const states: Readonly<Record<string, ExecutionStatus>> = {
  new: 'acked',
  open: 'acked',
  partially_filled: 'acked',
  modified: 'acked',
  filled: 'filled',
  cancelled: 'canceled',
  canceled: 'canceled',
  rejected: 'failed',
}
export const knownOrderStates: readonly string[] = Object.keys(states)
/** The REST rows are lower case, the stream upper case. */
export const statusOf = optionalStateReader(states, { spelled: (word) => word.toLowerCase() })

/** Whole numbers beyond 2^53 become strings of digits: order ids have 17 or 18. Undefined for invalid JSON. */
export function parseExact(text: string): unknown {
  try {
    return JSON.parse(text, exact)
  } catch {
    return undefined
  }
}

/** The third argument carries the source literal (ES2025 source text access). */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { source } = context ?? {}
  return source !== undefined && /^-?\d+$/.test(source) ? source : value
}

/** Rows are read one by one. */
export const GeminiPositions = z.object({
  positions: Rows,
  total: z
    .number()
    .int()
    .nonnegative()
    .nullish()
    .catch(null)
    .transform((total) => total ?? null),
})
export const GeminiPosition = z.object({
  symbol: z.string().min(1),
  outcome: z
    .string()
    .transform((word) => word.toLowerCase())
    .pipe(z.enum(['yes', 'no'])),
  totalQuantity: ExactDecimal,
  avgPrice: OptionalDecimal,
})
export type GeminiPosition = z.infer<typeof GeminiPosition>
