// The dead man's switch of an account: unless it is set again in time, the cancels of its orders in flight are built.
import { z } from 'zod'
import { FieldsOfVenues } from './batch.ts'
import { executionVenues } from './venues.ts'

const secondsMin = 5
const secondsMax = 3_600

export const CancelAfterBody = z
  .strictObject({
    seconds: z
      .union([z.literal(0), z.number().int().min(secondsMin).max(secondsMax)])
      .describe('from now until the cancels are built; 0 switches it off'),
    venues: z
      .array(z.enum(executionVenues))
      .min(1)
      .max(executionVenues.length)
      .optional()
      .describe('whose orders are cancelled; default: of every venue'),
    fields: FieldsOfVenues.optional().describe(
      'by venue: fields of its cancel body, for venues whose cancel takes any; they are stored, so never credentials',
    ),
  })
  .meta({ examples: [{ seconds: 60 }, { seconds: 0 }] })

export const LapsedCancel = z
  .object({
    executionId: z.uuid().describe('of the order'),
    venue: z.string(),
    marketId: z.string().nullable(),
    cancelExecutionId: z.uuid().nullable().describe('to be signed and submitted; null: it could not be built'),
    error: z.object({ code: z.string(), message: z.string() }).nullable().describe('why it could not be built'),
  })
  .meta({ id: 'LapsedCancel' })
export type LapsedCancel = z.infer<typeof LapsedCancel>

/** Stored with a switch that is done. */
export const LapseResult = z.object({
  orders: z.array(LapsedCancel).describe('orders that were in flight, newest first within a venue'),
  remaining: z.number().int().describe('further orders that were in flight: build their cancels with cancel-all'),
})
export type LapseResult = z.infer<typeof LapseResult>

export const CancelAfter = z
  .object({
    armed: z
      .object({ seconds: z.number().int(), venues: z.array(z.string()).nullable(), deadline: z.iso.datetime() })
      .nullable()
      .describe('null: it is off'),
    lastLapse: z
      .object({
        id: z.uuid(),
        deadline: z.iso.datetime(),
        status: z.enum(['lapsed', 'done']).describe('lapsed: the cancels are being built'),
        result: LapseResult.nullable().describe('null until it is done'),
      })
      .nullable()
      .describe('null: it has never lapsed'),
  })
  .meta({ id: 'CancelAfter' })
export type CancelAfter = z.infer<typeof CancelAfter>
