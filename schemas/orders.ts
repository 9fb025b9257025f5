// Orders of an account over all venues, and the executions of unknown outcome with what can be done about each.
import { z } from 'zod'
import { ExecutionStatus, Intent, Summary } from './executions.ts'

/** As stored; nothing is read from the venue. Decimal strings, in probability dollars and contracts or shares. */
export const OrderOverview = z
  .object({
    executionId: z.uuid(),
    venue: z.string(),
    intent: z.enum(['order', 'modify']).describe('`modify`: a change of an order, at some venues a new order'),
    status: ExecutionStatus,
    marketId: z.string().nullable(),
    outcomeId: z.string().nullable(),
    market: z.string().nullable().describe('title of the market when the order was built'),
    label: z.string().nullable().describe('name of the outcome when the order was built'),
    side: z.enum(['buy', 'sell']).nullable(),
    price: z.string().nullable().describe('limit'),
    size: z.string().nullable(),
    matchedSize: z
      .string()
      .nullable()
      .describe('the most that the venue has reported as filled; null: nothing reported'),
    remainingSize: z.string().nullable().describe('size less matched size; null where one of them is unknown'),
    averagePrice: z
      .string()
      .nullable()
      .describe(
        'of the stored fills, before fees, to 9 places; null where one reports no price, or less than the matched size is stored',
      ),
    timeInForce: Summary.shape.timeInForce,
    expiresAt: z.iso.datetime().nullable(),
    venueRef: z.string().nullable(),
    conditionalId: z.uuid().nullable().describe('the conditional order armed last with this execution'),
    groupId: z.uuid().nullable().describe('the OCO group of that conditional order'),
    targetExecutionId: z.uuid().nullable().describe('of a `modify`: the order that it changes'),
    targetOf: z.array(z.uuid()).describe('the modifications of this order, oldest first'),
    error: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    statusSince: z.iso.datetime().describe('when it reached this status'),
  })
  .meta({ id: 'OrderOverview' })
export type OrderOverview = z.infer<typeof OrderOverview>

export const unresolvedReasons = [
  'response_pending',
  'late_copy_possible',
  'read_due',
  'no_venue_rule',
  'fills_incomplete',
  'not_shown',
] as const

const Call = {
  method: z.literal('POST'),
  path: z.string(),
  fields: z.array(z.string()).describe('fields of the body'),
}

/** What the owner can do; `from`: not before then, null: now. */
export const OrderAction = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('wait'), until: z.iso.datetime() }),
    z.object({
      kind: z.literal('refresh'),
      ...Call,
      credentialFree: z.boolean().describe('an empty body suffices, and the reconciler reads it by itself'),
      from: z.iso.datetime().nullable(),
    }),
    z.object({
      kind: z.literal('resolve').describe('with a new Idempotency-Key; the fields of refresh may be added'),
      ...Call,
      outcomes: z.array(z.enum(['failed', 'canceled', 'filled'])),
      from: z.iso.datetime().nullable(),
    }),
    z.object({
      kind: z
        .literal('resubmit')
        .describe('the same signed bytes, which the venue takes only once, with a new Idempotency-Key'),
      ...Call,
    }),
  ])
  .meta({ id: 'OrderAction' })
export type OrderAction = z.infer<typeof OrderAction>

/** An execution of which it is not known whether the venue has it, or still has it. */
export const UnresolvedOrder = z
  .object({
    executionId: z.uuid(),
    venue: z.string(),
    intent: Intent,
    status: z.enum(['submitted', 'acked']),
    venueRef: z.string().nullable(),
    targetExecutionId: z.uuid().nullable().describe('the order that a cancel or a modify is for'),
    conditionalId: z.uuid().nullable(),
    groupId: z.uuid().nullable(),
    marketId: z.string().nullable(),
    outcomeId: z.string().nullable(),
    side: z.enum(['buy', 'sell']).nullable(),
    price: z.string().nullable(),
    size: z.string().nullable(),
    matchedSize: z.string().nullable(),
    response: z.string().nullable().describe('what is known of the venue’s response to the submit'),
    missingSince: z.iso.datetime().nullable().describe('since when reads of the venue do not show it'),
    waitsFor: z.object({
      code: z
        .enum(unresolvedReasons)
        .describe(
          '`response_pending`: it may still leave, or its response may still arrive. `late_copy_possible`: the venue may still accept it. `read_due`: it no longer may, so that reads settle it. `no_venue_rule`: nothing but a read that shows it, or its owner, settles it. `fills_incomplete`: the venue has reported a fill, and no status. `not_shown`: it was accepted, and the venue no longer shows it',
        ),
      text: z.string(),
    }),
    since: z.iso.datetime(),
    until: z.iso.datetime().nullable().describe('when what it waits for is over; null: nothing determines that'),
    actions: z.array(OrderAction),
  })
  .meta({ id: 'UnresolvedOrder' })
export type UnresolvedOrder = z.infer<typeof UnresolvedOrder>
