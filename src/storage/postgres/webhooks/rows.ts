// Rows of endpoints and deliveries as the statements return them.
import type { JsonObject } from '#schemas/executions'
import type { DeliveredEvent, DeliveryStatus, WebhookEvent } from '#schemas/webhooks'

export type { DeliveryStatus }

export interface NewEndpoint {
  id: string
  accountId: string
  /** The key that asks for it. */
  keyId: string
  url: string
  events: readonly WebhookEvent[]
  secretSealed: Buffer
  createdAt: Date
}

/** Without the secret: what lists endpoints has no use for it. */
export interface EndpointRow {
  id: string
  url: string
  events: WebhookEvent[]
  active: boolean
  created_at: Date
}

export interface DeliveryRow {
  id: string
  /** bigint, as text. */
  seq: string
  event: DeliveredEvent
  payload: JsonObject
  status: DeliveryStatus
  created_at: Date
  delivered_at: Date | null
  attempts: number
  /** What came of the last attempt, in words that quote no address. */
  last_result: string | null
  due_at: Date
}

export const deliveryColumns =
  'id, seq, event, payload, status, created_at, delivered_at, attempts, last_result, due_at'
