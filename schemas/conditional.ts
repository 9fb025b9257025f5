// Conditional order schemas: the rule, the states, and the request and response bodies.
import { z } from 'zod'
import { JsonObject } from './executions.ts'

export const conditionalStatuses = [
  'armed',
  'triggered',
  'firing',
  'fired',
  'fire_failed',
  'canceled',
  'expired',
  'superseded',
] as const
export const ConditionalStatus = z.enum(conditionalStatuses).meta({ id: 'ConditionalStatus' })
export type ConditionalStatus = z.infer<typeof ConditionalStatus>

/** Statuses from which an order can still fire. */
export const openStatuses = ['armed', 'triggered', 'firing'] as const satisfies readonly ConditionalStatus[]

export const conditionalActors = ['api', 'trigger_engine', 'exec_fire', 'expiry'] as const
export const ConditionalActor = z.enum(conditionalActors)
export type ConditionalActor = z.infer<typeof ConditionalActor>

export const FireMode = z.enum(['hosted', 'client']).meta({ id: 'FireMode' })
export type FireMode = z.infer<typeof FireMode>

export const triggerDefaults = {
  reference: 'mark',
  confirmations: 2,
  dwellMs: 2_000,
  maxSpread: 0.1,
  minSize: 1,
} as const

/** Of a rule with `at`, which counts no samples and has no limits unless they are given. */
export const timeTriggerDefaults = {
  reference: 'mark',
  confirmations: 1,
  dwellMs: 0,
  maxSpread: 1,
  minSize: 0,
} as const

/**
 * Oldest evidence on which an attempt to fire may start, ms; an order with older evidence goes back to being watched.
 */
export const triggerEvidenceTtlMs = 60_000

/** Bounds how long a caller's rule can occupy an evaluator. */
export const confirmationsMax = 1_000
export const dwellMaxMs = 86_400_000
export const minSizeMax = 1e12

/** A level that follows the best price since the order was armed. */
export const TriggerTrail = z
  .discriminatedUnion('by', [
    /** Probability dollars. */
    z.strictObject({ by: z.literal('price'), distance: z.number().gt(0).lt(1) }),
    /** Of the best price; ten thousandths of a percent at the finest. */
    z.strictObject({ by: z.literal('percent'), distance: z.number().min(0.0001).lt(100) }),
  ])
  .meta({ id: 'TriggerTrail' })
export type TriggerTrail = z.infer<typeof TriggerTrail>

/** The rule as stored and returned, with every default filled in. It has one of `price`, `trail` and `at`. */
export const TriggerRule = z
  .strictObject({
    /** Absent for `at`. */
    when: z.enum(['at_or_above', 'at_or_below']).optional(),
    /** Probability dollars. */
    price: z.number().gt(0).lt(1).optional(),
    trail: TriggerTrail.optional(),
    /** Triggers at the first live book at or after this time. */
    at: z.iso.datetime({ offset: true }).optional(),
    /** `mark`: the median of best bid, best ask and a recent last trade. */
    reference: z.enum(['mark', 'bid', 'ask']),
    /** Consecutive qualifying samples. */
    confirmations: z.number().int().min(1).max(confirmationsMax),
    /** Measured on the book's own timestamps. 0 for `at` only. */
    dwellMs: z.number().int().min(0).max(dwellMaxMs),
    maxSpread: z.number().gt(0).max(1),
    /** Minimum size of the qualifying quote, contracts or shares. 0 for `at` only. */
    minSize: z.number().min(0).max(minSizeMax),
    /** As requested; `when` says how it is interpreted. */
    tpsl: z.enum(['tp', 'sl']).optional(),
  })
  .meta({ id: 'TriggerRule' })
export type TriggerRule = z.infer<typeof TriggerRule>

export const ConditionalEvent = z
  .object({
    id: z.number().int(),
    ts: z.iso.datetime(),
    actor: ConditionalActor,
    fromStatus: ConditionalStatus.nullable(),
    toStatus: ConditionalStatus,
    evidence: JsonObject.nullable(),
  })
  .meta({ id: 'ConditionalEvent' })
export type ConditionalEvent = z.infer<typeof ConditionalEvent>

/** The specification's Conditional order, as returned. */
export const ConditionalOrder = z
  .object({
    id: z.uuid(),
    executionId: z.uuid(),
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    status: ConditionalStatus,
    fireMode: FireMode,
    trigger: TriggerRule,
    triggerEvidence: JsonObject.nullable(),
    triggeredAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime(),
    fireAttempts: z.number().int(),
    lastError: z.string().nullable(),
    ocoGroupId: z.uuid().nullable(),
    armCountry: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    /** Only when a single order is read. */
    events: z.array(ConditionalEvent).optional(),
  })
  .meta({ id: 'ConditionalOrder' })
export type ConditionalOrder = z.infer<typeof ConditionalOrder>
