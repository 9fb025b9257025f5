// Conditional orders in words: the rule, the states, what callers send and read.
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

/** Statuses in which an order may still fire. */
export const livingStatuses = ['armed', 'triggered', 'firing'] as const satisfies readonly ConditionalStatus[]

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

/** An attempt to fire begins on evidence no older than this, ms; an order whose evidence is older is watched anew. */
export const evidenceGoodMs = 60_000

/** No caller's number holds an evaluator for ever. */
export const confirmationsMax = 1_000
export const dwellMaxMs = 86_400_000
const minSizeMax = 1e12

/** As it is stored and answered: nothing is left to a default. */
export const TriggerRule = z
  .strictObject({
    when: z.enum(['at_or_above', 'at_or_below']),
    /** Probability dollars. */
    price: z.number().gt(0).lt(1),
    /** `mark`: the median of best bid, best ask and a fresh last trade. */
    reference: z.enum(['mark', 'bid', 'ask']),
    /** Consecutive qualifying samples. */
    confirmations: z.number().int().min(1).max(confirmationsMax),
    /** On the book's own timestamps. */
    dwellMs: z.number().int().min(1).max(dwellMaxMs),
    maxSpread: z.number().gt(0).max(1),
    /** Contracts or shares that the qualifying quote shows at least. */
    minSize: z.number().gt(0).max(minSizeMax),
    /** As it was asked for; `when` says what it means. */
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

/** The specification's Conditional order, as answered. */
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
    /** Of one order that is read. */
    events: z.array(ConditionalEvent).optional(),
  })
  .meta({ id: 'ConditionalOrder' })
export type ConditionalOrder = z.infer<typeof ConditionalOrder>
