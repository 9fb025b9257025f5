// Rows of endpoints and deliveries as the statements return them.
import type { JsonObject } from '#schemas/executions'
import type { DeliveredEvent, DeliveryStatus, WebhookEvent } from '#schemas/webhooks'

export type { DeliveryStatus }

export interface NewEndpoint {
  id: string
  accountId: string
  /** The requesting key. */
  keyId: string
  url: string
  events: readonly WebhookEvent[]
  secretSealed: Buffer
  createdAt: Date
}

/** Without the secret, which listing endpoints does not need. */
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
  /** Result of the last attempt, in words that contain no address. */
  last_result: string | null
  due_at: Date
}

export const deliveryColumns =
  'id, seq, event, payload, status, created_at, delivered_at, attempts, last_result, due_at'
