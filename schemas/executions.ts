// Executions, fills and orders in words: what callers send and read, whatever the venue.
import { z } from 'zod'

export const executionStatuses = [
  'built',
  'signed',
  'submitted',
  'acked',
  'filled',
  'failed',
  'expired',
  'canceled',
] as const
export const ExecutionStatus = z.enum(executionStatuses).meta({ id: 'ExecutionStatus' })
export type ExecutionStatus = z.infer<typeof ExecutionStatus>

export const intents = ['order', 'cancel', 'modify', 'redeem'] as const
export const Intent = z.enum(intents).meta({ id: 'Intent' })
export type Intent = z.infer<typeof Intent>

/** Plain JSON. Amounts, ids and anything beyond 2^53 are strings. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }
/** Not z.json(): a schema that refers to itself cannot stand inside the OpenAPI document. */
export const JsonObject: z.ZodType<JsonObject> = z
  .record(z.string(), z.unknown())
  .meta({ id: 'JsonObject' }) as unknown as z.ZodType<JsonObject>

/**
 * What a person signs, read off the artifact. Amounts are decimal strings in `currency`. Null: the artifact does not say it. What no artifact
 * says (`marketId`, `outcomeId`, `market`, `label`, `fee.estimate`) is what the execution was built for.
 */
export const Summary = z
  .object({
    venue: z.string(),
    intent: Intent,
    side: z.enum(['buy', 'sell']).nullable(),
    outcome: z
      .object({
        /** The name that stands in the artifact. */
        instrument: z.string(),
        side: z.enum(['YES', 'NO']).nullable(),
        marketId: z.string().nullable(),
        outcomeId: z.string().nullable(),
        /** The market's title and the outcome's, as they were at the build. */
        market: z.string().nullable(),
        label: z.string().nullable(),
      })
      .nullable(),
    /** No worse a price, in probability dollars, and no larger a size. */
    price: z.string().nullable(),
    size: z.string().nullable(),
    currency: z.string().nullable(),
    /** Before fees. */
    costMax: z.string().nullable(),
    /** Of a sale, once all of it is filled, before fees. */
    bringsMin: z.string().nullable(),
    /** `agreed`: what the artifact itself says of fees. `estimate`: the build's, as `feeEstimate`. */
    fee: z.object({ agreed: JsonObject.nullable(), estimate: JsonObject.nullable() }),
    timeInForce: z.enum(['good-til-cancel', 'good-til-date', 'immediate-or-cancel', 'fill-or-kill']).nullable(),
    /** Null where it does not end by itself. */
    expiresAt: z.iso.datetime().nullable(),
    /** The venue's order that a cancel or a modify acts on. */
    orderId: z.string().nullable(),
  })
  .meta({ id: 'ExecutionSummary' })
export type Summary = z.infer<typeof Summary>

/** The spec's Execution, as answered. */
export const Execution = z
  .object({
    executionId: z.uuid(),
    venue: z.string(),
    intent: Intent,
    /** `acked`: accepted or relayed; it does not prove that the order rests. */
    status: ExecutionStatus,
    unsigned: JsonObject,
    /** Of the lane that built `unsigned`; an older one is not submitted. */
    buildVersion: z.number().int(),
    submittedArtifact: JsonObject.nullable(),
    venueRef: z.string().nullable(),
    notionalUsd: z.number().nullable(),
    feeEstimate: JsonObject.nullable(),
    error: z.string().nullable(),
    collateral: JsonObject.optional(),
    /** What the venue told of the build beside the artifact. */
    buildResult: JsonObject.optional(),
    warnings: z.array(z.string()).optional(),
    /** What a cancel or a modify is about. */
    targetExecutionId: z.uuid().optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    /** Of what is built, as it is told, and of one execution that is read, as it stands; null where no lane of this version can read the artifact. */
    summary: Summary.nullable().optional(),
    /** Refresh only. */
    fills: z.array(JsonObject).optional(),
    /** Refresh only; never stored. */
    observation: JsonObject.optional(),
  })
  .meta({ id: 'Execution' })
export type Execution = z.infer<typeof Execution>

export const Fill = z
  .object({
    fillId: z.string().regex(/^\d+$/),
    executionId: z.uuid(),
    venue: z.string(),
    fill: JsonObject,
    filledAt: z.iso.datetime(),
  })
  .meta({ id: 'Fill' })
export type Fill = z.infer<typeof Fill>
