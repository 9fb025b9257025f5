// What the subscriptions of one socket depend on.
import type { Principal } from '#platform/auth/principal'
import type { Hub } from './hub.ts'
import type { PendingTradesChannel } from './pendingTradesChannel.ts'
import type { LimitsOf, StreamCatalog, StreamChannels } from './ports.ts'
import type { Echo, StreamErrorCode } from './protocol.ts'

export interface SubscriberDeps {
  hub: Hub
  catalog: StreamCatalog
  channels: StreamChannels
  limitsOf: LimitsOf
  /** Fills that wait for their block; absent: there is no watcher. */
  pending?: PendingTradesChannel
  /** Current time, for error frames. */
  now(): number
  onCatalogFailure(cause: unknown): void
}

/** How a running operation checks the session's key. */
export interface KeyOwner {
  principal(): Principal
  /** The key no longer verifies: running subscriptions continue, no new one starts. */
  revoked(): boolean
  refuse(code: StreamErrorCode, message: string, echo: Echo): void
}
