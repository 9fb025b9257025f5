// The new secret is only in this response.

import { WebhookRotated } from '#schemas/webhooks'
import { defineRoute } from '#server/http/defineRoute'
import type { WebhooksRouteDeps } from '../ports.ts'
import { rotate } from '../rotate.ts'
import { changeableEndpoint, EndpointPath, noSuchEndpoint } from './shapes.ts'

export const rotateWebhookSecret = defineRoute({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhooks/{id}/rotate',
  family: 'webhooks',
  access: { scope: 'read', credits: 1 },
  summary: 'A new signing secret, returned only here; the previous one also signs for 24 hours',
  tag: 'webhooks',
  params: EndpointPath,
  data: WebhookRotated,
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, principal }, { webhooks }: WebhooksRouteDeps) {
    // With the secret, anyone can send order events to the receiver in our name.
    const id = await changeableEndpoint(webhooks, principal!, params)
    const rotated = await rotate(webhooks, principal!, id)
    if (rotated === null) throw noSuchEndpoint()
    return { data: rotated, headers: { 'cache-control': 'no-store' } }
  },
})
