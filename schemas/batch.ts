// Requests for many operations at once, and their answers: one entry per item, in the order of the items.
import { z } from 'zod'
import { ConditionalOrder } from './conditional.ts'
import { Execution } from './executions.ts'
import { executionVenues } from './venues.ts'

/** Items of one request. */
const batchItemsMax = 20
/** Orders, and conditional orders, that one request cancels. */
export const cancelsMax = 200

const Fields = z.record(z.string(), z.unknown())
/** Fields by venue. */
export const FieldsOfVenues = z.partialRecord(z.enum(executionVenues), Fields)
export type FieldsOfVenues = z.infer<typeof FieldsOfVenues>

export const BatchBuildBody = z
  .strictObject({
    /** Each has its `venue`, and the fields of that venue's build. */
    orders: z
      .array(z.looseObject({ venue: z.string().min(1).max(40) }))
      .min(1)
      .max(batchItemsMax),
    /** Every item is a preview: nothing is stored. */
    dryRun: z.boolean().optional(),
  })
  .meta({
    examples: [
      {
        orders: [
          { venue: 'kalshi', outcome: 'KXTEST-26-A', outcomeSide: 'YES', isBuy: true, price: '0.62', size: 4 },
          { venue: 'gemini', outcome: 'GEMI-TESTEV26-AAA', outcomeSide: 'YES', isBuy: true, price: '0.20', size: 10 },
        ],
      },
    ],
  })
export type BatchBuildBody = z.infer<typeof BatchBuildBody>

export const BatchSubmitBody = z
  .strictObject({
    /** Each has its `executionId`, and the fields of that execution's submit. */
    submits: z
      .array(z.looseObject({ executionId: z.uuid() }))
      .min(1)
      .max(batchItemsMax),
    /** By venue: fields that several items need, used for this request only. An item's own fields take precedence. */
    credentials: FieldsOfVenues.optional(),
  })
  .meta({
    examples: [
      {
        submits: [
          { executionId: '6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11' },
          { executionId: '0b0e8f0e-2f57-4f0b-8f0e-6d3a5c9f7a20' },
        ],
        credentials: { gemini: { apiKey: 'key', apiSecret: 'secret' } },
      },
    ],
  })
export type BatchSubmitBody = z.infer<typeof BatchSubmitBody>

/** As the error of a request. */
export const ItemError = z
  .object({
    message: z.string(),
    code: z.string(),
    retryable: z.boolean(),
    requestId: z.string(),
    exchange: z.string().optional(),
    retryAfter: z.number().int().optional(),
  })
  .meta({ id: 'ItemError' })

const Done = {
  ok: z.literal(true),
  replay: z.literal(true).optional().describe('an earlier request with this Idempotency-Key did it'),
}
const Refused = { ok: z.literal(false), error: ItemError }

export const BuiltItem = z
  .discriminatedUnion('ok', [
    z.object({
      ...Done,
      data: Execution,
      dryRun: z.literal(true).optional(),
      warnings: z.array(z.string()).optional(),
    }),
    z.object(Refused),
  ])
  .meta({ id: 'BuiltItem' })

export const SubmittedItem = z
  .discriminatedUnion('ok', [z.object({ ...Done, data: Execution }), z.object(Refused)])
  .meta({ id: 'SubmittedItem' })

const Order = { executionId: z.uuid(), venue: z.string(), marketId: z.string().nullable() }
const Conditional = { conditionalId: z.uuid() }

/** `data`: the execution that cancels the order, to be signed and submitted. `error`: why it could not be built. */
export const OrderCancel = z
  .discriminatedUnion('ok', [z.object({ ...Order, ...Done, data: Execution }), z.object({ ...Order, ...Refused })])
  .meta({ id: 'OrderCancel' })

export const ConditionalCancel = z
  .discriminatedUnion('ok', [
    z.object({ ...Conditional, ...Done, data: ConditionalOrder }),
    z.object({ ...Conditional, ...Refused }),
  ])
  .meta({ id: 'ConditionalCancel' })

export const CancelAll = z.object({
  orders: z.array(OrderCancel).describe('newest first; orders of which the venue has acknowledged a cancel last'),
  conditionals: z.array(ConditionalCancel).describe('newest first; they are canceled'),
  remaining: z
    .number()
    .int()
    .describe('further orders in flight in the same scope of which the venue has not acknowledged a cancel'),
  conditionalsRemaining: z
    .number()
    .int()
    .nullable()
    .describe('further armed conditional orders in the same scope; null: not requested'),
})
