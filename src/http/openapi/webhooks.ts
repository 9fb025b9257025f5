// The webhooks of the OpenAPI document: what is sent to endpoints. Events that are registered for but not sent yet have no entry.
import type { z } from 'zod'
import { deliveryHeaders, ExecutionStatusChanged, RunCompleted, type WebhookEvent } from '#schemas/webhooks'
import type { Json, Shapes } from './shapes.ts'

const bodies: readonly [event: WebhookEvent, summary: string, body: z.ZodType][] = [
  ['ingest.run.completed', 'The catalog ingest of a venue finished a run', RunCompleted],
  ['matcher.run.completed', 'The cross-venue matcher finished a run', RunCompleted],
  ['execution.status.changed', 'An execution of the account committed another status', ExecutionStatusChanged],
]

const headers: readonly [name: string, description: string][] = [
  [deliveryHeaders.event, 'Name of the event'],
  [deliveryHeaders.timestamp, 'Unix seconds when signed; each attempt is signed anew'],
  [
    deliveryHeaders.signature,
    'Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret',
  ],
  [deliveryHeaders.delivery, 'Id of the delivery, the same at every attempt'],
]

export const webhookSchemas: readonly z.ZodType[] = bodies.map(([, , body]) => body)

export function webhooksSection(sent: readonly WebhookEvent[], shapes: Shapes): Json {
  return Object.fromEntries(
    bodies
      .filter(([event]) => sent.includes(event))
      .map(([event, summary, body]) => [event, { post: operationOf(event, summary, shapes.of(body, 'output')) }]),
  )
}

function operationOf(event: WebhookEvent, summary: string, schema: Json): Json {
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
      '2XX': { description: 'Taken. Anything else, a redirect too, is tried again: after 1 m, 5 m, 30 m and 2 h' },
    },
  }
}
