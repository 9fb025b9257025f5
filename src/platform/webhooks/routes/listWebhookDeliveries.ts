// Lists an endpoint's past and pending deliveries.

import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import { isOrderEvent, WebhookDelivery } from '#schemas/webhooks'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { WebhooksRouteDeps } from '../ports.ts'
import { deliveryOf } from '../rows.ts'
import { EndpointPath, endpointIdOf, noSuchEndpoint } from './shapes.ts'

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200
const cursorKind = 'webhookDeliveries'

export const listWebhookDeliveries = defineRoute({
  operationId: 'listWebhookDeliveries',
  method: 'get',
  path: '/v1/webhooks/{id}/deliveries',
  family: 'webhooks',
  access: { scope: 'read', credits: 1 },
  summary: 'Deliveries of an endpoint; pass nextCursor back as after',
  tag: 'webhooks',
  params: EndpointPath,
  query: z.object({
    order: z.enum(['oldest', 'newest']).default('oldest'),
    after: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(WebhookDelivery),
  topLevelFields: { nextCursor: NextCursor },
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, query: { order, after, limit }, principal }, { webhooks }: WebhooksRouteDeps) {
    const { accountId } = principal!
    const endpointId = endpointIdOf(params)
    // Without the default, so that cursors of earlier versions still open.
    const bind = cursorBinding({ accountId, endpointId, ...(order !== 'oldest' && { order }) })
    const rows = await webhooks.store.listDeliveries({
      accountId,
      endpointId,
      order,
      after: after === undefined ? null : String(webhooks.cursors.decode(cursorKind, bind, after)),
      limit: limit + 1,
    })
    if (rows === null) throw noSuchEndpoint()
    if (!principal!.scopes.includes('trade') && rows.some(({ event }) => isOrderEvent(event)))
      throw new Fault('SCOPE_MISSING', 'deliveries about orders need a key with the scope trade')
    const page = rows.slice(0, limit)
    const more = rows.length > limit ? { nextCursor: webhooks.cursors.encode(cursorKind, bind, page.at(-1)!.seq) } : {}
    return { data: page.map(deliveryOf), siblings: more }
  },
})
