// Deletes the endpoint with everything queued for it; the result of an attempt in progress is ignored.
import { z } from 'zod'
import { defineRoute } from '#server/http/defineRoute'
import type { WebhooksRouteDeps } from '../ports.ts'
import { changeableEndpoint, EndpointPath, noSuchEndpoint } from './shapes.ts'

export const deleteWebhook = defineRoute({
  operationId: 'deleteWebhook',
  method: 'delete',
  path: '/v1/webhooks/{id}',
  family: 'webhooks',
  access: { scope: 'read', credits: 0 },
  summary: 'Deletes an endpoint and its deliveries',
  tag: 'webhooks',
  params: EndpointPath,
  data: z.null(),
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, principal }, { webhooks }: WebhooksRouteDeps) {
    const { accountId, keyId } = principal!
    const id = await changeableEndpoint(webhooks, principal!, params)
    const word = { accountId, keyId, id, at: new Date(webhooks.clock.now()) }
    const deleted = await webhooks.store.deleteEndpoint(word)
    if (!deleted) throw noSuchEndpoint()
    return { data: null }
  },
})
