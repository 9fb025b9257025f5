// What the webhook routes need from outside.
import type { Clock } from '#lib/clock'
import type { CursorCodec } from '#lib/cursor'
import type { DeliveryRow, DeliveryStatus, EndpointRow, NewEndpoint } from '#storage/postgres/webhooks/rows'
import type { Guard } from './guard.ts'
import type { SecretBox } from './secretBox.ts'

export interface WebhookStore {
  /** Null: the account has `endpointsMax` already. */
  insertEndpoint(wanted: NewEndpoint, endpointsMax: number): Promise<EndpointRow | null>
  /** Newest first. */
  listEndpoints(accountId: string): Promise<EndpointRow[]>
  /** False: no such endpoint of this account. */
  deleteEndpoint(accountId: string, id: string): Promise<boolean>
  /** Oldest first, behind `after`. Null: no such endpoint of this account. */
  listDeliveries(query: {
    accountId: string
    endpointId: string
    /** `seq` of the last row of the page before. */
    after: string | null
    limit: number
  }): Promise<DeliveryRow[] | null>
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

export type { DeliveryRow, DeliveryStatus, EndpointRow }
