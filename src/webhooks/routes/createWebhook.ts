// The secret is in this reply and in no other.
import { z } from 'zod'
import { defineRoute } from '#http/defineRoute'
import { Fault } from '#lib/fault'
import { tellsOfOrders, WebhookEvent, WebhookWithSecret, webhookEvents } from '#schemas/webhooks'
import type { WebhooksRouteDeps } from '../ports.ts'
import { registerEndpoint } from '../register.ts'
import { urlLengthMax } from '../target.ts'

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
      /** Named twice is named once; a list longer than all events with some to spare is a mistake. */
      events: z
        .array(WebhookEvent)
        .min(1)
        .max(webhookEvents.length * 4),
    })
    .meta({ examples: [{ url: 'https://hooks.example.com/crossbook', events: ['execution.status.changed'] }] }),
  data: WebhookWithSecret,
  async handle({ body, principal }, { webhooks }: WebhooksRouteDeps) {
    // Who may not read orders is not told of them either.
    const ofOrders = body.events.find(tellsOfOrders)
    if (ofOrders !== undefined && !principal!.scopes.includes('trade'))
      throw new Fault('SCOPE_MISSING', `${ofOrders} needs a key with the scope trade`)
    return {
      data: await registerEndpoint(webhooks, principal!, body),
      headers: { 'cache-control': 'no-store' },
    }
  },
})
