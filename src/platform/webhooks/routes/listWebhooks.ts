// The caller's endpoints. Capped to few, so there is one page.
import { z } from 'zod'
import { WebhookEndpoint } from '#schemas/webhooks'
import { defineRoute } from '#server/http/defineRoute'
import type { WebhooksRouteDeps } from '../ports.ts'
import { endpointOf } from '../rows.ts'

export const listWebhooks = defineRoute({
  operationId: 'listWebhooks',
  method: 'get',
  path: '/v1/webhooks',
  family: 'webhooks',
  access: { scope: 'read', credits: 1 },
  summary: 'The account’s webhook endpoints, newest first, without their secrets',
  tag: 'webhooks',
  data: z.array(WebhookEndpoint),
  handle: async ({ principal }, { webhooks }: WebhooksRouteDeps) => ({
    data: (await webhooks.store.listEndpoints(principal!.accountId)).map(endpointOf),
  }),
})
