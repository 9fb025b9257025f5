// The new secret is only in this response.
import { defineRoute } from '#http/defineRoute'
import { Fault } from '#lib/fault'
import { tellsOfOrders, WebhookRotated } from '#schemas/webhooks'
import type { WebhooksRouteDeps } from '../ports.ts'
import { rotate } from '../rotate.ts'
import { EndpointPath, endpointIdOf, noSuchEndpoint } from './shapes.ts'

export const rotateWebhookSecret = defineRoute({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhooks/{id}/rotate',
  family: 'webhooks',
  access: { scope: 'read', credits: 1 },
  summary:
    'A new signing secret, returned only here; the previous one also signs for 24 hours. Endpoints of orders need the scope trade',
  tag: 'webhooks',
  params: EndpointPath,
  data: WebhookRotated,
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, principal }, { webhooks }: WebhooksRouteDeps) {
    const id = endpointIdOf(params)
    const endpoint = await webhooks.store.findEndpoint(principal!.accountId, id)
    if (endpoint === null) throw noSuchEndpoint()
    // With the secret, anyone can send order events to the receiver in our name.
    if (endpoint.events.some(tellsOfOrders) && !principal!.scopes.includes('trade'))
      throw new Fault(
        'SCOPE_MISSING',
        'the secret of an endpoint with events about orders needs a key with the scope trade',
      )
    const rotated = await rotate(webhooks, principal!, id)
    if (rotated === null) throw noSuchEndpoint()
    return { data: rotated, headers: { 'cache-control': 'no-store' } }
  },
})
