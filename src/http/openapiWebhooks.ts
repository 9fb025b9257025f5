// The webhooks of the OpenAPI document: what is sent to endpoints. Events that are registered for but not sent yet have no entry.
import { z } from 'zod'
import { deliveryHeaders, ExecutionStatusChanged, RunCompleted, type WebhookEvent } from '#schemas/webhooks'

type Json = Record<string, unknown>

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

export function webhooksSection(sent: readonly WebhookEvent[]): Json {
  return Object.fromEntries(
    bodies
      .filter(([event]) => sent.includes(event))
      .map(([event, summary, body]) => [event, { post: operationOf(event, summary, body) }]),
  )
}

function operationOf(event: WebhookEvent, summary: string, body: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(body, { unrepresentable: 'any' }) as Json
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
