// Pauses and resumes. Meanwhile events are queued for the endpoint, up to a bound.
import { z } from 'zod'
import { WebhookEndpoint } from '#schemas/webhooks'
import { defineRoute } from '#server/http/defineRoute'
import type { WebhooksRouteDeps } from '../ports.ts'
import { endpointOf } from '../rows.ts'
import { changeableEndpoint, EndpointPath, noSuchEndpoint } from './shapes.ts'

export const updateWebhook = defineRoute({
  operationId: 'updateWebhook',
  method: 'patch',
  path: '/v1/webhooks/{id}',
  family: 'webhooks',
  access: { scope: 'read', credits: 0 },
  summary: 'Pauses an endpoint or resumes it; what happens while it is paused is queued, at most 1,000 deliveries',
  tag: 'webhooks',
  params: EndpointPath,
  body: z.object({ active: z.boolean() }).meta({ examples: [{ active: false }] }),
  data: WebhookEndpoint,
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, body, principal }, { webhooks }: WebhooksRouteDeps) {
    const { accountId, keyId } = principal!
    const id = await changeableEndpoint(webhooks, principal!, params)
    const word = { accountId, keyId, id, at: new Date(webhooks.clock.now()) }
    const row = await webhooks.store.setActive(word, body.active)
    if (row === null) throw noSuchEndpoint()
    return { data: endpointOf(row) }
  },
})
