// What the builders in this folder return: a webhook event as it is stored, in the outbox or as a delivery. There is one builder per event, or
// for several events with the same payload; the payload has the type of its schema in `schemas/webhooks.ts`.
import type { DeliveredEvent } from '../webhooks.ts'

/** `execution.built` is stored but never delivered: no endpoint can register for it. */
export type StoredEventName = DeliveredEvent | 'execution.built'

export interface StoredEvent<Name extends StoredEventName = StoredEventName, Payload extends object = object> {
  event: Name
  payload: Payload
}
