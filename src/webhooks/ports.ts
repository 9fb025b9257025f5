// External dependencies of the webhook routes.
import type { Clock } from '#lib/clock'
import type { CursorCodec } from '#lib/cursor'
import type { JsonObject } from '#schemas/executions'
import type { DeliveredEvent } from '#schemas/webhooks'
import type { EndpointWord } from '#storage/postgres/webhooks/endpoints'
import type { DeliveryPage } from '#storage/postgres/webhooks/listDeliveries'
import type { DeliveryRow, DeliveryStatus, EndpointRow, NewEndpoint } from '#storage/postgres/webhooks/rows'
import type { Wish, Wished } from '#storage/postgres/webhooks/wishes'
import type { Guard } from './guard.ts'
import type { SecretBox } from './secretBox.ts'

export interface WebhookStore {
  /** Null: the account already has `endpointsMax`. */
  insertEndpoint(wanted: NewEndpoint, endpointsMax: number): Promise<EndpointRow | null>
  /** Newest first. */
  listEndpoints(accountId: string): Promise<EndpointRow[]>
  /** Null: no such endpoint of this account. The same below. */
  findEndpoint(accountId: string, id: string): Promise<EndpointRow | null>
  /** False: no such endpoint of this account. */
  deleteEndpoint(word: EndpointWord): Promise<boolean>
  /** No change if it is already so. */
  setActive(word: EndpointWord, active: boolean): Promise<EndpointRow | null>
  rotateSecret(
    word: EndpointWord,
    given: { secretSealed: Buffer; until: Date; oldMax: number },
  ): Promise<EndpointRow | null>
  /** Null: no such endpoint of this account. */
  listDeliveries(query: DeliveryPage & { accountId: string }): Promise<DeliveryRow[] | null>
  findDelivery(given: { accountId: string; endpointId: string; deliveryId: string }): Promise<DeliveryRow | null>
  insertTest(wish: Wish, given: { event: DeliveredEvent; payload: JsonObject }): Promise<Wished>
  resendDelivery(wish: Wish, deliveryId: string): Promise<Wished>
}

export interface WebhooksDeps {
  store: WebhookStore
  guard: Guard
  box: SecretBox
  cursors: CursorCodec
  clock: Clock
  newId(): string
}

export interface WebhooksRouteDeps {
  webhooks: WebhooksDeps
}

export type { DeliveryRow, DeliveryStatus, EndpointRow, Wished }
