// What the stream needs from outside. main.ts joins these to the catalog, the key store, the plans and the book cache.
import type { KeyRechecker, KeyVerifier, PlanName, Principal, Scope } from '#platform/auth/principal'
import type { StreamChannel } from '#schemas/stream'
import type { BookUpdate } from '#schemas/topics'
import type { BookRef } from '#venues/venue'
import type { Ack, Disclosure, ReadNames, StreamErrorCode, StreamOp } from './protocol.ts'
import type { SendResult } from './socket.ts'

export type MarketChannel = 'orderbook' | 'trades'
export type { BookRef }
/** What an id reads, and what its outcome is called; null if it is not known. */
export interface StreamRef extends BookRef {
  outcome?: { label: string; index: number } | null
  /** The outcome as the catalog names it; absent where the catalog has not seen it. */
  outcomeId?: string
  /** Its market there. */
  catalogMarketId?: string
}
export type Refusal = 'unknown_venue' | 'market_not_found' | 'not_supported'
/** No such market; `instead`: what was probably meant, and would have been taken. */
export interface NotFound {
  instead: { venue: string; marketId: string }
}
/** The book (and trades) that an id reads: the market's own, or the other side of one. */
export type Resolution = StreamRef | Refusal | NotFound

export interface StreamCatalog {
  /** May this be subscribed? Synchronous where memory knows. A rejection is told as CATALOG_UNAVAILABLE. `asker`: whose turn a look-up takes. */
  resolve(venue: string, marketId: string, channel: MarketChannel, asker?: object): Resolution | Promise<Resolution>
  /** May every book of the venue be subscribed at once? Only where one upstream subscription yields them all. */
  resolveAll(venue: string): 'ok' | Exclude<Refusal, 'market_not_found'>
  /** Of a venue whose trades are not its own tape. */
  disclosureOf?(venue: string): Disclosure | undefined
}

export type { PendingTrades, PendingTradeUpdate } from '#pendingTrades/index'

/** The newest book of this process, when it holds one. */
export interface BookReader {
  get(venue: string, marketId: string): BookUpdate | undefined
}

/** Keys are verified when a socket comes and asked about again every minute, by principal: no socket keeps the key itself. */
export type StreamAuth = KeyVerifier & KeyRechecker

export interface StreamLimits {
  subscriptionsPerConnection: number
  /** Open at the same time, per key. */
  streamConnections: number
}
export type LimitsOf = (plan: PlanName) => StreamLimits

/** Channels that other features bring. Absent here: the operation answers NOT_SUPPORTED. */
export type PluggableChannel = StreamChannel
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
      | 'unsubscribeReplay'
      | ControlOp['op']
  }
>
/** What is said of a subscription while it runs. */
export type ControlOp = Extract<StreamOp, { op: 'pauseReplay' | 'resumeReplay' }>

export interface ChannelPeer {
  readonly id: number
  principal(): Principal
  /** Sends a complete frame now, or drops and counts it under `topic` when the socket is behind: nothing is queued for it. */
  offer(topic: string, frame: Buffer): SendResult
  /** Whether the socket would take a frame now; what may not be dropped waits until it does. */
  keepsUp(): boolean
  /** An error frame of this subscription. */
  refuse(code: StreamErrorCode, message: string): void
  /** The subscription came to its end by itself: asked for again it begins anew. */
  done(topic: string): void
}

export interface ChannelRefusal {
  code: StreamErrorCode
  message: string
}

export interface ChannelProvider {
  /** Beside `read`, which every socket has. Asked for at subscribe and every minute: without it SCOPE_MISSING. */
  scope?: Scope
  /** The plan gate of a gated channel, asked at subscribe and every minute: false is told as PLAN_UPGRADE_REQUIRED. */
  entitled?(principal: Principal): boolean
  /** Null accepts; a rejection is told as CATALOG_UNAVAILABLE. The acknowledgement goes out before `started` is called, with the same `op`. */
  check(op: PluggableOp, principal: Principal): ChannelRefusal | null | Promise<ChannelRefusal | null>
  /** What the acknowledgement says beside the subscription's own name. */
  acknowledges?(op: PluggableOp): Pick<Ack, keyof ReadNames | 'markets'>
  /** Called once after the acknowledgement; `topic` names the subscription in `offer` and `stopped`. */
  started(peer: ChannelPeer, topic: string, op: PluggableOp): void
  /** Of a subscription that runs. */
  told?(peer: ChannelPeer, topic: string, op: ControlOp): void
  /** Unsubscribed, no longer entitled or gone. */
  stopped(peer: ChannelPeer, topic: string): void
}
export type StreamChannels = Partial<Record<PluggableChannel, ChannelProvider>>
