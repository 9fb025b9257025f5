// Sends an empty event through the normal delivery path.

import { webhookTest } from '#schemas/webhookEvents/webhookTest'
import { WebhookDelivery } from '#schemas/webhooks'
import { defineRoute } from '#server/http/defineRoute'
import type { WebhooksRouteDeps } from '../ports.ts'
import { deliveryOf } from '../rows.ts'
import { grantedOf, testRequest } from '../testRateLimit.ts'
import { changeableEndpoint, EndpointPath, noSuchEndpoint } from './shapes.ts'

export const testWebhook = defineRoute({
  operationId: 'testWebhook',
  method: 'post',
  path: '/v1/webhooks/{id}/test',
  family: 'webhooks',
  access: { scope: 'read', credits: 1 },
  summary: 'Queues a delivery of the event webhook.test; at most 20 tests and resends per minute and endpoint',
  tag: 'webhooks',
  params: EndpointPath,
  data: WebhookDelivery,
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, principal }, { webhooks }: WebhooksRouteDeps) {
    const { store, clock } = webhooks
    const id = await changeableEndpoint(webhooks, principal!, params)
    const now = clock.now()
    const request = testRequest(principal!.accountId, id, now)
    const wished = await store.insertTest(request, webhookTest({ webhookId: id, at: new Date(now) }))
    return { data: deliveryOf(grantedOf(wished, noSuchEndpoint().message, now)) }
  },
})
