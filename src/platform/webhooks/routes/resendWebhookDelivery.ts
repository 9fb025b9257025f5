// Sends the same delivery again: same id, same bytes, with its own attempts.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { WebhookDelivery } from '#schemas/webhooks'
import { defineRoute } from '#server/http/defineRoute'
import type { WebhooksRouteDeps } from '../ports.ts'
import { deliveryOf } from '../rows.ts'
import { grantedOf, testRequest } from '../testRateLimit.ts'
import { changeableEndpoint, EndpointPath, isId, requireTradeFor } from './shapes.ts'

const missing = 'no such delivery of this webhook endpoint'

export const resendWebhookDelivery = defineRoute({
  operationId: 'resendWebhookDelivery',
  method: 'post',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}/resend',
  family: 'webhooks',
  access: { scope: 'read', credits: 1 },
  summary: 'Sends a delivery again with the same id and bytes; a waiting one is due at once',
  tag: 'webhooks',
  params: EndpointPath.extend({ deliveryId: z.string() }),
  data: WebhookDelivery,
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, principal }, { webhooks }: WebhooksRouteDeps) {
    const { store, clock } = webhooks
    const { accountId } = principal!
    const endpointId = await changeableEndpoint(webhooks, principal!, params)
    const { deliveryId } = params
    const found = isId(deliveryId) ? await store.findDelivery({ accountId, endpointId, deliveryId }) : null
    if (found === null) throw new Fault('WEBHOOK_NOT_FOUND', missing)
    requireTradeFor([found.event], principal!)
    const now = clock.now()
    const wished = await store.resendDelivery(testRequest(accountId, endpointId, now), deliveryId)
    return { data: deliveryOf(grantedOf(wished, missing, now)) }
  },
})
