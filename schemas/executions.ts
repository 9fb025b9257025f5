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
export const ExecutionStatus = z.enum(executionStatuses)
export type ExecutionStatus = z.infer<typeof ExecutionStatus>

export const intents = ['order', 'cancel', 'modify', 'redeem'] as const
export const Intent = z.enum(intents)
export type Intent = z.infer<typeof Intent>

/** Plain JSON. Amounts, ids and anything beyond 2^53 are strings. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }
/** Not z.json(): a schema that refers to itself cannot stand inside the OpenAPI document. */
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>

/** The spec's Execution, as answered. */
export const Execution = z.object({
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
  /** Refresh only. */
  fills: z.array(JsonObject).optional(),
  /** Refresh only; never stored. */
  observation: JsonObject.optional(),
})
export type Execution = z.infer<typeof Execution>

export const Fill = z.object({
  fillId: z.string().regex(/^\d+$/),
  executionId: z.uuid(),
  venue: z.string(),
  fill: JsonObject,
  filledAt: z.iso.datetime(),
})
export type Fill = z.infer<typeof Fill>
