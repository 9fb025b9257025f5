// Maps stored rows to responses.
import type { WebhookDelivery, WebhookEndpoint } from '#schemas/webhooks'
import type { DeliveryRow, EndpointRow } from './ports.ts'

export const endpointOf = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  events: row.events,
  active: row.active,
  createdAt: row.created_at.toISOString(),
})

export const deliveryOf = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event: row.event,
  payload: row.payload,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  deliveredAt: row.delivered_at?.toISOString() ?? null,
  attempts: row.attempts,
  lastResult: row.last_result,
  nextAttemptAt: row.status === 'queued' ? row.due_at.toISOString() : null,
})
