// Webhooks: the events, their payloads, and the shapes of endpoints and deliveries.
import { z } from 'zod'
import { ConditionalStatus, FireMode } from './conditional.ts'
import { ExecutionStatus, JsonObject } from './executions.ts'

export const webhookEvents = [
  'ingest.run.completed',
  'matcher.run.completed',
  'execution.status.changed',
  'execution.cancel_after.lapsed',
  'conditional.triggered',
  'conditional.fired',
  'conditional.fire_failed',
  'conditional.expired',
] as const
export const WebhookEvent = z.enum(webhookEvents).meta({ id: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** The event a test request sends; endpoints do not register for it. */
export const testEvent = 'webhook.test'
export const DeliveredEvent = z.enum([...webhookEvents, testEvent]).meta({ id: 'DeliveredEvent' })
export type DeliveredEvent = z.infer<typeof DeliveredEvent>

/** Events about an account's orders, which require a key with the scope `trade`. */
export const isOrderEvent = (event: string): boolean => /^(execution|conditional)\./.test(event)

/** Event of a finished run, by the job's name in the run log. Every endpoint registered for it is notified. */
export const jobEvents = {
  ingest: 'ingest.run.completed',
  'matcher.run': 'matcher.run.completed',
} as const satisfies Record<string, WebhookEvent>

/** Headers of a delivery, as sent. The last is the same for every attempt of one delivery. */
export const deliveryHeaders = {
  event: 'X-Service-Event',
  /** Unix seconds when signed. */
  timestamp: 'X-Service-Timestamp',
  /** Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the bytes of the whole secret text. */
  signature: 'X-Service-Signature',
  delivery: 'X-Service-Delivery',
} as const

/** The same in Standard Webhooks format, so that its libraries verify with the secret as shown. */
export const standardHeaders = {
  /** Equal to `X-Service-Delivery`. */
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  /**
   * `v1,` and the base64 of HMAC-SHA256 over `<id>.<timestamp>.<raw body>`; several, separated by spaces, while an older secret still signs.
   */
  signature: 'webhook-signature',
} as const

export const WebhookEndpoint = z
  .object({
    id: z.uuid(),
    url: z.url(),
    events: z.array(WebhookEvent).min(1),
    active: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'WebhookEndpoint' })
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const WebhookWithSecret = WebhookEndpoint.extend({
  /** Returned only in this response. */
  secret: z.string(),
}).meta({ id: 'WebhookWithSecret' })
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>

export const WebhookRotated = WebhookWithSecret.extend({
  /** Until then the previous secret signs alongside the new one. */
  previousSecretExpiresAt: z.iso.datetime(),
}).meta({ id: 'WebhookRotated' })
export type WebhookRotated = z.infer<typeof WebhookRotated>

/**
 * `queued`: waiting for its first or next attempt. `delivered`: answered with 2xx. `failed`: five attempts without a 2xx, or none made
 * because its endpoint was paused with too many waiting.
 */
export const deliveryStatuses = ['queued', 'delivered', 'failed'] as const
export const DeliveryStatus = z.enum(deliveryStatuses)
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

export const WebhookDelivery = z
  .object({
    id: z.uuid(),
    event: DeliveredEvent,
    payload: JsonObject,
    status: DeliveryStatus,
    createdAt: z.iso.datetime(),
    deliveredAt: z.iso.datetime().nullable(),
    attempts: z.number().int().min(0).describe('made so far, including those before a resend'),
    lastResult: z.string().nullable().describe('of the last attempt: status, timeout or refusal; null: none yet'),
    nextAttemptAt: z.iso
      .datetime()
      .nullable()
      .describe('if queued: when it is due, unless its endpoint is paused; null: it has ended'),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** Body of `webhook.test`. It reports no event; a request triggered it. */
export const WebhookTest = z
  .object({ test: z.literal(true), webhookId: z.uuid(), occurredAt: z.iso.datetime() })
  .meta({ id: 'WebhookTest' })
export type WebhookTest = z.infer<typeof WebhookTest>

/** Body of job events: the row of the run log. */
export const RunCompleted = z
  .object({
    /** Permanent id of the run: dedupe on it. */
    id: z.string(),
    job: z.string(),
    started_at: z.iso.datetime(),
    finished_at: z.iso.datetime(),
    ok: z.boolean(),
    /** Tallies; `error` holds the message of a failed run. */
    counts: z.record(z.string(), z.union([z.number(), z.string()])),
  })
  .meta({ id: 'RunCompleted' })
export type RunCompleted = z.infer<typeof RunCompleted>

/** Body of `execution.built`, which is stored in the outbox and not delivered. */
export const ExecutionBuilt = z.object({ executionId: z.uuid(), venue: z.string(), status: z.literal('built') })
export type ExecutionBuilt = z.infer<typeof ExecutionBuilt>

/** Body of `execution.status.changed`. Dedupe on `executionId`, `status`, `occurredAt`. */
export const ExecutionStatusChanged = z
  .object({
    executionId: z.uuid(),
    venue: z.string(),
    status: ExecutionStatus,
    previousStatus: ExecutionStatus,
    occurredAt: z.iso.datetime(),
  })
  .meta({ id: 'ExecutionStatusChanged' })
export type ExecutionStatusChanged = z.infer<typeof ExecutionStatusChanged>

/** Body of `execution.cancel_after.lapsed`. `cancelAfterId` is that of `GET /v1/exec/cancel-after`, which lists the cancels: dedupe on it. */
export const CancelAfterLapsed = z
  .object({
    cancelAfterId: z.uuid(),
    deadline: z.iso.datetime(),
    built: z.number().int().describe('cancels, to be signed and submitted'),
    refused: z.number().int().describe('orders whose cancel could not be built'),
    remaining: z.number().int().describe('further orders in flight that were not selected'),
    occurredAt: z.iso.datetime(),
  })
  .meta({ id: 'CancelAfterLapsed' })
export type CancelAfterLapsed = z.infer<typeof CancelAfterLapsed>

/** Body of `conditional.*`. An order that is armed again can reach a status again: dedupe on `conditionalId`, `status`, `occurredAt`. */
export const ConditionalStatusChanged = z
  .object({
    conditionalId: z.uuid(),
    executionId: z.uuid(),
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    fireMode: FireMode,
    ocoGroupId: z.uuid().nullable(),
    status: ConditionalStatus,
    previousStatus: ConditionalStatus,
    fireAttempts: z.number().int(),
    lastError: z.string().nullable(),
    triggerEvidence: JsonObject.nullable(),
    occurredAt: z.iso.datetime(),
  })
  .meta({ id: 'ConditionalStatusChanged' })
export type ConditionalStatusChanged = z.infer<typeof ConditionalStatusChanged>
