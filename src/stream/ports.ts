// External dependencies of the stream. main.ts connects them to the catalog, the key store, the plans and the book
// cache.
import type { KeyRechecker, KeyVerifier, PlanName, Principal, Scope } from '#platform/auth/principal'
import type { StreamChannel } from '#schemas/stream'
import type { BookUpdate } from '#schemas/topics'
import type { BookRef } from '#venues/venue'
import type { Ack, PendingTradesNotice, ReadNames, StreamErrorCode, StreamOp } from './protocol.ts'
import type { SendResult } from './socket.ts'

export type MarketChannel = 'orderbook' | 'trades'
export type { BookRef }
/** What an id reads, and its outcome's name; null if unknown. */
export interface StreamRef extends BookRef {
  outcome?: { label: string; index: number } | null
  /** The outcome's id in the catalog; absent when the catalog does not know it. */
  outcomeId?: string
  /** The market's id in the catalog. */
  catalogMarketId?: string
}
export type Refusal = 'unknown_venue' | 'market_not_found' | 'not_supported'
/** No such market; `instead`: the name that was probably meant and would have been accepted. */
export interface NotFound {
  instead: { venue: string; marketId: string }
}
/** The book (and trades) that an id reads: the market's own, or its other side. */
export type Resolution = StreamRef | Refusal | NotFound

export interface StreamCatalog {
  /**
   * Whether this can be subscribed. Synchronous when the answer is in memory. A rejection is sent as CATALOG_UNAVAILABLE. `caller`: whose
   * queue a lookup uses.
   */
  resolve(venue: string, marketId: string, channel: MarketChannel, caller?: object): Resolution | Promise<Resolution>
  /** Whether every book of the venue can be subscribed at once. Only when one upstream subscription yields them all. */
  resolveAll(venue: string): 'ok' | Exclude<Refusal, 'market_not_found'>
  /** For a venue whose trades are not its own tape. */
  disclosureOf?(venue: string): PendingTradesNotice | undefined
}

export type { PendingTrades, PendingTradeUpdate } from '#marketData/pendingTrades/index'

/** The newest book this process holds, if any. */
export interface BookReader {
  get(venue: string, marketId: string): BookUpdate | undefined
}

/** Keys are verified when a socket opens and re-verified every minute, by principal: no socket keeps the key itself. */
export type StreamAuth = KeyVerifier & KeyRechecker

export interface StreamLimits {
  subscriptionsPerConnection: number
  /** Concurrent connections per key. */
  streamConnections: number
}
export type LimitsOf = (plan: PlanName) => StreamLimits

/** Channels of other features. If absent, the operation answers NOT_SUPPORTED. */
export type PluggableChannelName = StreamChannel
export type PluggableOp = Exclude<
  StreamOp,
  {
    op:
      | 'auth'
      | 'markets'
      | 'subscribeAll'
      | 'unsubscribeAll'
      | 'unsubscribeArbitrage'
      | 'unsubscribeStructures'
      | 'unsubscribeOrders'
      | 'unsubscribePortfolio'
      | 'unsubscribeReplay'
      | ControlOp['op']
  }
>
/** Operations on a running subscription. */
export type ControlOp = Extract<StreamOp, { op: 'pauseReplay' | 'resumeReplay' }>

export interface ChannelPeer {
  readonly id: number
  principal(): Principal
  /** Sends a complete frame now, or drops and counts it under `topic` when the socket is behind: nothing is queued. */
  offer(topic: string, frame: Buffer): SendResult
  /** Sends the answer to an operation before anything queued; a peer whose transport refuses even that is disconnected. */
  answer(frame: Buffer): void
  /** Whether the socket would take a frame now; frames that must not be dropped wait until it does. */
  keepsUp(): boolean
  /** An error frame of this subscription. */
  refuse(code: StreamErrorCode, message: string): void
  /** The subscription ended by itself: subscribing again starts it over. */
  done(topic: string): void
}

export interface ChannelRefusal {
  code: StreamErrorCode
  message: string
}

export interface ChannelProvider {
  /** In addition to `read`, which every socket has. Checked at subscribe and every minute: without it SCOPE_MISSING. */
  scope?: Scope
  /**
   * The plan gate of a gated channel, checked at subscribe and every minute: false is sent as PLAN_UPGRADE_REQUIRED.
   */
  entitled?(principal: Principal): boolean
  /** Null accepts; a rejection is sent as CATALOG_UNAVAILABLE. The acknowledgement is sent before `started` is called, with the same `op`. */
  check(op: PluggableOp, principal: Principal): ChannelRefusal | null | Promise<ChannelRefusal | null>
  /** Acknowledgement fields beyond the subscription's own name. */
  acknowledges?(op: PluggableOp): Pick<Ack, keyof ReadNames | 'markets'>
  /** Called once after the acknowledgement; `topic` names the subscription in `offer` and `stopped`. */
  started(peer: ChannelPeer, topic: string, op: PluggableOp): void
  /** An operation on a running subscription. */
  onControl?(peer: ChannelPeer, topic: string, op: ControlOp): void
  /** Unsubscribed, no longer entitled or gone. */
  stopped(peer: ChannelPeer, topic: string): void
}
export type StreamChannels = Partial<Record<PluggableChannelName, ChannelProvider>>
