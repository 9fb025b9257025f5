// `webhook.test`: the owner of an endpoint requested it.
import { testEvent, type WebhookTest } from '../webhooks.ts'
import type { StoredEvent } from './storedEvent.ts'

export const webhookTest = ({
  webhookId,
  at,
}: {
  webhookId: string
  at: Date
}): StoredEvent<typeof testEvent, WebhookTest> => ({
  event: testEvent,
  payload: { test: true, webhookId, occurredAt: at.toISOString() },
})
