// The webhooks of the OpenAPI document: what is sent to endpoints.
import type { z } from 'zod'
import {
  CancelAfterLapsed,
  ConditionalStatusChanged,
  type DeliveredEvent,
  deliveryHeaders,
  ExecutionStatusChanged,
  RunCompleted,
  standardHeaders,
  testEvent,
  WebhookTest,
} from '#schemas/webhooks'
import type { Json, Shapes } from './shapes.ts'

const bodies: readonly [event: DeliveredEvent, summary: string, body: z.ZodType][] = [
  ['ingest.run.completed', 'The catalog ingest of a venue finished a run', RunCompleted],
  ['matcher.run.completed', 'The cross-venue matcher finished a run', RunCompleted],
  ['execution.status.changed', 'An execution of the account committed another status', ExecutionStatusChanged],
  ['execution.cancel_after.lapsed', 'The dead man’s switch of the account lapsed', CancelAfterLapsed],
  ['conditional.triggered', 'A conditional order triggered', ConditionalStatusChanged],
  ['conditional.fired', 'The execution of a conditional order was submitted', ConditionalStatusChanged],
  ['conditional.fire_failed', 'A conditional order triggered and could not be submitted', ConditionalStatusChanged],
  ['conditional.expired', 'A conditional order ended without a trigger', ConditionalStatusChanged],
  [testEvent, 'Requested by the owner of the endpoint; cannot be registered for', WebhookTest],
]

const headers: readonly [name: string, description: string][] = [
  [deliveryHeaders.event, 'Name of the event'],
  [deliveryHeaders.timestamp, 'Unix seconds when signed; each attempt is signed again'],
  [
    deliveryHeaders.signature,
    'Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret',
  ],
  [deliveryHeaders.delivery, 'Id of the delivery, the same at every attempt'],
  [standardHeaders.id, 'The same id, for Standard Webhooks'],
  [standardHeaders.timestamp, 'The same timestamp'],
  [
    standardHeaders.signature,
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation',
  ],
]

export const webhookSchemas: readonly z.ZodType[] = [...new Set(bodies.map(([, , body]) => body))]

export function webhooksSection(
  sent: readonly DeliveredEvent[],
  shapes: Shapes,
): Record<string, { post: ReturnType<typeof operationOf> }> {
  return Object.fromEntries(
    bodies
      .filter(([event]) => sent.includes(event))
      .map(([event, summary, body]) => [event, { post: operationOf(event, summary, shapes.of(body, 'output')) }]),
  )
}

function operationOf(event: DeliveredEvent, summary: string, schema: Json) {
  return {
    operationId: `on.${event}`,
    summary,
    tags: ['webhooks'],
    security: [],
    parameters: headers.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Accepted. Anything else, including a redirect, is retried after 1 m, 5 m, 30 m and 2 h' },
    },
  }
}
