// Orders as Polymarket US returns them. https://docs.polymarket.us/api-reference/orders/overview
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { ExactDecimal, OptionalDecimal } from '../../shared/exec/decimalShape.ts'
import { MatchedSize } from '../../shared/exec/filledSize.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'
import { OrderId } from './artifact.ts'

const Amount = z.object({ value: z.string(), currency: z.string() })
const Quantity = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))

const OptionalText = z.string().nullish().catch(null)

/** Kept whole in addition to the fields we read: fills are returned venue-shaped. A field that cannot be read costs that field alone. */
export const UsOrder = z
  .object({
    id: z.string(),
    marketSlug: OptionalText,
    intent: OptionalText,
    type: OptionalText,
    price: Amount.nullish().catch(null),
    quantity: Quantity.nullish().catch(null),
    cumQuantity: Quantity.nullish().catch(null),
    leavesQuantity: Quantity.nullish().catch(null),
    state: z.string().catch(''),
    /** RFC 3339. */
    insertTime: OptionalText,
    createTime: OptionalText,
  })
  .loose()
export type UsOrder = z.infer<typeof UsOrder>

/** A trade of the caller's; it names neither its order nor its side. */
export const UsTrade = z
  .object({
    id: z.string(),
    marketSlug: z.string(),
    createTime: OptionalText,
    updateTime: OptionalText,
  })
  .loose()
export type UsTrade = z.infer<typeof UsTrade>

export const UsActivity = z.object({ trade: UsTrade.optional() })
/** Rows are read one by one. */
export const ActivitiesAnswer = z.object({
  activities: z.array(z.unknown()),
  nextCursor: OptionalText,
  eof: z.boolean().nullish().catch(null),
})
export const OrderAnswer = z.object({ order: UsOrder })
export const OpenOrdersAnswer = z.object({ orders: z.array(z.unknown()) })

/** Of an accepted order. */
export const UsCreated = z.object({
  id: OrderId,
  executions: z
    .array(
      z
        .object({
          type: z.string(),
          text: z.string().optional(),
          orderRejectReason: z.string().optional(),
          order: z
            .object({
              cumQuantity: MatchedSize,
              marketSlug: OptionalText,
              intent: OptionalText,
              price: Amount.nullish().catch(null),
              quantity: Quantity.nullish().catch(null),
            })
            .nullish()
            .catch(null),
        })
        .loose(),
    )
    .nullish(),
})
/** Answer to a cancellation; a page instead comes from another server. */
export const UsCanceled = z.strictObject({}).nullable()

/** Order states mapped to ours. */
const states: Readonly<Record<string, ExecutionStatus | null>> = {
  ORDER_STATE_NEW: 'acked',
  ORDER_STATE_PENDING_NEW: 'acked',
  ORDER_STATE_PENDING_REPLACE: 'acked',
  ORDER_STATE_PENDING_CANCEL: 'acked',
  ORDER_STATE_PENDING_RISK: 'acked',
  ORDER_STATE_PARTIALLY_FILLED: 'acked',
  ORDER_STATE_FILLED: 'filled',
  ORDER_STATE_CANCELED: 'canceled',
  ORDER_STATE_REJECTED: 'failed',
  ORDER_STATE_EXPIRED: 'expired',
  /** Closes this version of the order; whether the next one keeps the id is undocumented, so it proves nothing. */
  ORDER_STATE_REPLACED: null,
}
export const knownOrderStates: readonly string[] = Object.keys(states)
export const statusOf = optionalStateReader(states)

/** By slug; rows are read one by one. */
export const UsPositions = z.object({
  positions: z.record(z.string(), z.unknown()),
  nextCursor: OptionalText,
  eof: z.boolean().nullish().catch(null),
})
export const UsPosition = z.object({ netPosition: ExactDecimal })
export const UsBalances = z.object({ balances: z.array(z.unknown()) })
export const UsBalance = z.object({
  currency: z
    .string()
    .nullish()
    .catch(null)
    .transform((currency) => currency ?? null),
  currentBalance: OptionalDecimal,
  buyingPower: OptionalDecimal,
})
