// Execution, fill and order schemas: request and response bodies, the same for every venue.
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

/** Exchanges with the contracts that hold a venue's shares: a set of outcomes for its price, a set back, NO shares of an event for YES shares. */
export const positionIntents = ['split', 'merge', 'convert'] as const
export type PositionIntent = (typeof positionIntents)[number]

export const intents = ['order', 'cancel', 'modify', 'redeem', ...positionIntents] as const
export const Intent = z.enum(intents).meta({ id: 'Intent' })
export type Intent = z.infer<typeof Intent>

const isPositionIntent = (intent: Intent): intent is PositionIntent =>
  (positionIntents as readonly string[]).includes(intent)

/** Sent to the contracts that hold the shares. Nothing of it rests, so it is neither cancelled nor modified. */
export const isContractIntent = (intent: Intent): intent is PositionIntent | 'redeem' =>
  intent === 'redeem' || isPositionIntent(intent)

/** Plain JSON. Amounts, ids and anything beyond 2^53 are strings. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }
/** Not z.json(): a self-referencing schema cannot be embedded in the OpenAPI document. */
export const JsonObject: z.ZodType<JsonObject> = z
  .record(z.string(), z.unknown())
  .meta({ id: 'JsonObject' }) as unknown as z.ZodType<JsonObject>

/**
 * What the user signs, read from the artifact. Amounts are decimal strings in `currency`. Null: the artifact does not contain it. Fields that
 * no artifact contains (`marketId`, `outcomeId`, `market`, `label`, `fee.estimate`, at some venues `currency`) come from the request the execution was built for.
 */
/** How long an order works. */
export const TimeInForce = z.enum(['good-til-cancel', 'good-til-date', 'immediate-or-cancel', 'fill-or-kill'])
export type TimeInForce = z.infer<typeof TimeInForce>

/** Which of two orders of one account the venue cancels instead of letting them trade with each other. */
export const SelfTradePrevention = z.enum(['cancel-taker', 'cancel-maker', 'cancel-both'])
export type SelfTradePrevention = z.infer<typeof SelfTradePrevention>

export const ShareAmount = z
  .object({ marketId: z.string(), outcomeId: z.string(), size: z.string() })
  .meta({ id: 'ShareAmount' })
export type ShareAmount = z.infer<typeof ShareAmount>

/** What a split, merge or conversion exchanges with the venue's contracts. */
export const Exchange = z
  .object({
    size: z.string().describe('sets; of a conversion the shares given of each outcome'),
    gives: z.array(ShareAmount),
    receives: z.array(ShareAmount).describe('after the fee of the contract'),
    cash: z.string().describe('received, after the fee of the contract; below zero: paid'),
  })
  .meta({ id: 'SharesExchange' })
export type Exchange = z.infer<typeof Exchange>

export const Summary = z
  .object({
    venue: z.string(),
    intent: Intent,
    side: z.enum(['buy', 'sell']).nullable(),
    outcome: z
      .object({
        /** The instrument's name in the artifact. */
        instrument: z.string(),
        side: z.enum(['YES', 'NO']).nullable(),
        marketId: z.string().nullable(),
        outcomeId: z.string().nullable(),
        /** Titles of the market and the outcome at build time. */
        market: z.string().nullable(),
        label: z.string().nullable(),
      })
      .nullable(),
    /** Limits: no worse price, in probability dollars, and no larger size. */
    price: z.string().nullable(),
    size: z.string().nullable(),
    /** Symbol of the payment token; null where neither the artifact nor the catalog names it. */
    currency: z.string().nullable(),
    /** Before fees. */
    costMax: z.string().nullable(),
    /** For a sale: proceeds once it is fully filled, before fees. */
    bringsMin: z.string().nullable(),
    /** `agreed`: the fees stated in the artifact. `estimate`: the build's `feeEstimate`. */
    fee: z.object({ agreed: JsonObject.nullable(), estimate: JsonObject.nullable() }),
    timeInForce: TimeInForce.nullable(),
    /** Null when it does not expire. */
    expiresAt: z.iso.datetime().nullable(),
    /** Present when the artifact states it: the order never takes liquidity. */
    postOnly: z.literal(true).optional(),
    /** Present when the artifact states it: the order only reduces a position. */
    reduceOnly: z.literal(true).optional(),
    /** Of an order whose venue takes one from the caller. */
    clientOrderId: z.string().optional(),
    /** Present when the artifact states it. */
    selfTradePrevention: SelfTradePrevention.optional(),
    /** The venue's order that a cancel or a modify applies to. */
    orderId: z.string().nullable(),
    /** Of a split, a merge and a conversion. */
    exchange: Exchange.optional(),
  })
  .meta({ id: 'ExecutionSummary' })
export type Summary = z.infer<typeof Summary>

/** The specification's Execution, as returned. */
export const Execution = z
  .object({
    executionId: z.uuid(),
    venue: z.string(),
    intent: Intent,
    /** `acked`: accepted or relayed; not proof that the order rests on the book. */
    status: ExecutionStatus,
    unsigned: JsonObject,
    /** Version of the lane that built `unsigned`; artifacts of an older version are not submitted. */
    buildVersion: z.number().int(),
    submittedArtifact: JsonObject.nullable(),
    venueRef: z.string().nullable(),
    /** The most that the venue has reported as filled, decimal string of contracts or shares; also while it rests. Null: nothing reported. */
    matchedSize: z.string().nullable(),
    notionalUsd: z.number().nullable(),
    feeEstimate: JsonObject.nullable(),
    error: z.string().nullable(),
    collateral: JsonObject.optional(),
    /** Data that the venue returned with the build, in addition to the artifact. */
    buildResult: JsonObject.optional(),
    warnings: z.array(z.string()).optional(),
    /** The execution that a cancel or a modify applies to. */
    targetExecutionId: z.uuid().optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    /** Returned by builds and by reads of a single execution; null when no lane of this version can read the artifact. */
    summary: Summary.nullable().optional(),
    /** Refresh only. */
    fills: z.array(JsonObject).optional(),
    /**
     * In a refresh: what the venue reports in addition to the status, not stored. Otherwise only `reason`, while the outcome of a submit is
     * unknown.
     */
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
