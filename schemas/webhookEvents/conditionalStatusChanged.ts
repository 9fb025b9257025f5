// `conditional.triggered`, `.fired`, `.fire_failed` and `.expired`: a conditional order reached this status.
import type { ConditionalOrder, ConditionalStatus } from '../conditional.ts'
import type { ConditionalStatusChanged, WebhookEvent } from '../webhooks.ts'
import type { StoredEvent } from './storedEvent.ts'

const eventByStatus = {
  triggered: 'conditional.triggered',
  fired: 'conditional.fired',
  fire_failed: 'conditional.fire_failed',
  expired: 'conditional.expired',
} as const satisfies Partial<Record<ConditionalStatus, WebhookEvent>>

type ReportedStatus = keyof typeof eventByStatus

const isReported = (status: ConditionalStatus): status is ReportedStatus => Object.hasOwn(eventByStatus, status)

export type ConditionalStoredEvent = StoredEvent<(typeof eventByStatus)[ReportedStatus], ConditionalStatusChanged>

/** An order after the change, which was made at its `updatedAt`. */
export type ChangedOrder = Pick<
  ConditionalOrder,
  | 'id'
  | 'executionId'
  | 'venue'
  | 'marketId'
  | 'outcomeId'
  | 'fireMode'
  | 'ocoGroupId'
  | 'status'
  | 'fireAttempts'
  | 'lastError'
  | 'triggerEvidence'
  | 'updatedAt'
>

/** Null: webhooks do not report this status. */
export const conditionalStatusChanged = (
  order: ChangedOrder,
  previousStatus: ConditionalStatus,
): ConditionalStoredEvent | null =>
  isReported(order.status) ? { event: eventByStatus[order.status], payload: payloadOf(order, previousStatus) } : null

/** Of a `firing` order: it was sent, or may have been, and the venue has given no clear answer. */
export const conditionalOutcomeUnknown = (order: ChangedOrder): ConditionalStoredEvent => ({
  event: 'conditional.triggered',
  payload: payloadOf(order, 'triggered'),
})

const payloadOf = (order: ChangedOrder, previousStatus: ConditionalStatus): ConditionalStatusChanged => ({
  conditionalId: order.id,
  executionId: order.executionId,
  venue: order.venue,
  marketId: order.marketId,
  outcomeId: order.outcomeId,
  fireMode: order.fireMode,
  ocoGroupId: order.ocoGroupId,
  status: order.status,
  previousStatus,
  fireAttempts: order.fireAttempts,
  lastError: order.lastError,
  triggerEvidence: order.triggerEvidence,
  occurredAt: order.updatedAt,
})
