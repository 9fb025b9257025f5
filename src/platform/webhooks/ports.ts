// External dependencies of the webhook routes.
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { JsonObject } from '#schemas/executions'
import type { DeliveredEvent } from '#schemas/webhooks'
import type { EndpointChange } from '#storage/postgres/webhooks/endpoints'
import type { DeliveryPage } from '#storage/postgres/webhooks/listDeliveries'
import type { DeliveryRow, DeliveryStatus, EndpointRow, NewEndpoint } from '#storage/postgres/webhooks/rows'
import type { TestRequest, TestRequestResult } from '#storage/postgres/webhooks/testRateLimit'
import type { SecretBox } from './secretBox.ts'
import type { Guard } from './ssrfGuard.ts'

export interface WebhookStore {
  /** Null: the account already has `endpointsMax`. */
  insertEndpoint(wanted: NewEndpoint, endpointsMax: number): Promise<EndpointRow | null>
  /** Newest first. */
  listEndpoints(accountId: string): Promise<EndpointRow[]>
  /** Null: no such endpoint of this account. The same below. */
  findEndpoint(accountId: string, id: string): Promise<EndpointRow | null>
  /** False: no such endpoint of this account. */
  deleteEndpoint(word: EndpointChange): Promise<boolean>
  /** No change if it is already so. */
  setActive(word: EndpointChange, active: boolean): Promise<EndpointRow | null>
  rotateSecret(
    word: EndpointChange,
    given: { secretSealed: Buffer; until: Date; oldMax: number },
  ): Promise<EndpointRow | null>
  /** Null: no such endpoint of this account. */
  listDeliveries(query: DeliveryPage & { accountId: string }): Promise<DeliveryRow[] | null>
  findDelivery(given: { accountId: string; endpointId: string; deliveryId: string }): Promise<DeliveryRow | null>
  insertTest(wish: TestRequest, given: { event: DeliveredEvent; payload: JsonObject }): Promise<TestRequestResult>
  resendDelivery(wish: TestRequest, deliveryId: string): Promise<TestRequestResult>
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

export type { DeliveryRow, DeliveryStatus, EndpointRow, TestRequestResult }
