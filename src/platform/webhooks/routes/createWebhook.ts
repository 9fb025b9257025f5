// The secret is only in this response.
import { z } from 'zod'
import { WebhookEvent, WebhookWithSecret, webhookEvents } from '#schemas/webhooks'
import { defineRoute } from '#server/http/defineRoute'
import type { WebhooksRouteDeps } from '../ports.ts'
import { registerEndpoint } from '../register.ts'
import { urlLengthMax } from '../targetUrl.ts'
import { requireTradeFor } from './shapes.ts'

export const createWebhook = defineRoute({
  operationId: 'createWebhook',
  method: 'post',
  path: '/v1/webhooks',
  family: 'webhooks',
  access: { scope: 'read', credits: 1 },
  summary: 'Registers an endpoint; its signing secret is returned only here. Events of orders need the scope trade',
  tag: 'webhooks',
  body: z
    .object({
      url: z.string().min(1).max(urlLengthMax),
      /** Duplicates are merged; a list much longer than all events is a mistake. */
      events: z
        .array(WebhookEvent)
        .min(1)
        .max(webhookEvents.length * 4),
    })
    .meta({ examples: [{ url: 'https://hooks.example.com/crossbook', events: ['execution.status.changed'] }] }),
  data: WebhookWithSecret,
  async handle({ body, principal }, { webhooks }: WebhooksRouteDeps) {
    // A key without access to orders must not be notified of them either.
    requireTradeFor(body.events, principal!)
    return {
      data: await registerEndpoint(webhooks, principal!, body),
      headers: { 'cache-control': 'no-store' },
    }
  },
})
