// One market's channel, its readers, and the connections they read on; these types refer to each other. A reader's account is exact:
// produced = sent + conflated + dropped + waiting, at every moment.

import { complementCore, limitCore, sections } from '#core/books/encode'
import type { StaleReason } from '#schemas/staleReason'
import { type BookUpdate, notPolledReason, type TradeData, type TradeUpdate, unwatchedReason } from '#schemas/topics'
import { Backlog } from './backlog.ts'
import {
  type BookFrameType,
  type BookHeads,
  bookFrame,
  bookHeads,
  complementTrade,
  staleFrame,
  tradeFrame,
} from './frames.ts'
import type { MarketChannel, StreamRef } from './ports.ts'
import type { StreamSocket } from './socket.ts'

/** Account of a pluggable channel, which never queues. */
export interface DropStats {
  produced: number
  sent: number
  dropped: number
}

/** One socket as the hub sees it: its subscriptions, its due frames, how far behind it is. */
export class Connection {
  readonly socket: StreamSocket
  readonly subscriptions = new Set<Subscription>()
  readonly lossy = new Map<string, DropStats>()
  /** Subscriptions with something to send, in the order they became due: the first `dueCount` entries. */
  readonly due: (Subscription | null)[] = []
  dueCount = 0
  /** Books wait for the peer to read: due subscriptions stay due, each listed once. */
  stalled = false
  /** Is in the tick's list. */
  queued = false
  gone = false
  /** Bytes waiting for the peer when last checked. */
  buffered = 0
  readonly backlog = new Backlog()

  constructor(socket: StreamSocket) {
    this.socket = socket
  }

  /**
   * Entries are reused, never truncated: a list shortened to zero loses its memory and grows again every tick. Only a
   * stalled list outlives a tick, so only there is the subscription itself accessed (it is cold: one of thousands).
   */
  push(subscription: Subscription): void {
    if (this.stalled) {
      if (subscription.withheld) return
      subscription.withheld = true
    }
    this.due[this.dueCount++] = subscription
  }
}

/** `depth`: levels per side that are sent; absent: all. */
export interface TopicRef extends StreamRef {
  depth?: number
}

/**
 * The fields a tick reads come first, together: with thousands of readers each of them is a cache miss, and that miss, not the code,
 * dominates the cost of a frame.
 */
export class Subscription {
  readonly topic: Topic
  /** False after leaving: a queue entry must then be skipped. */
  active = true
  /** A stale notice must be sent before anything else. */
  noticeDue = false
  /** Publications accounted for: sent, conflated or dropped. */
  seen: number
  /** The next book frame is a `snapshot`: the first one, after backpressure, after staleness. */
  needsSnapshot = true
  sent = 0
  conflated = 0
  /** Is in its stalled member's list. */
  withheld = false
  readonly member: Connection
  /** Index in the topic's list, so that leaving needs no search. */
  index = -1
  /** Requested by market, by a venue-wide subscription, or both. */
  explicit = false
  wide = false
  /** Publications before this subscription began. */
  base: number
  dropped = 0

  constructor(topic: Topic, member: Connection) {
    this.topic = topic
    this.member = member
    this.base = topic.published
    this.seen = topic.published
  }

  /** Gives up everything not accounted for: it will never be sent. */
  forfeit(): void {
    this.dropped += this.topic.published - this.seen
    this.seen = this.topic.published
  }
}

abstract class TopicBase {
  readonly venue: string
  /** As requested. */
  readonly marketId: string
  /** Ingest's id of the book. */
  readonly bookId: string
  /** Whether this is the other side of that book. */
  readonly complement: boolean
  /** Levels per side that are sent; null: all. */
  readonly depth: number | null
  readonly subscriptions: Subscription[] = []
  /** Parallel to the subscriptions: the tick walks these without touching thousands of them. */
  readonly members: Connection[] = []
  /** How many of them requested this market by name. */
  explicitCount = 0
  /** Frames produced for every reader since the topic began, for a book with those it skipped: the frame's `sequence`. */
  published = 0
  /** Waits for the next tick. */
  dirty = false

  constructor(venue: string, marketId: string, { bookId, complement, depth }: TopicRef) {
    this.venue = venue
    this.marketId = marketId
    this.bookId = bookId
    this.complement = complement
    this.depth = depth ?? null
  }

  /** A book under another name, its other side, or truncated. */
  get isView(): boolean {
    return this.complement || this.depth !== null || this.bookId !== this.marketId
  }

  abstract readonly channel: MarketChannel

  add(subscription: Subscription): void {
    subscription.index = this.subscriptions.length
    this.subscriptions.push(subscription)
    this.members.push(subscription.member)
  }

  remove(subscription: Subscription): void {
    const last = this.subscriptions.pop()!
    this.members.pop()
    if (last === subscription) return
    this.subscriptions[subscription.index] = last
    this.members[subscription.index] = last.member
    last.index = subscription.index
  }
}

interface CachedFrame {
  published: number
  conflated: number
  ts: number
  bytes: Buffer
}

export class BookTopic extends TopicBase {
  readonly channel = 'orderbook'
  private readonly heads: BookHeads
  private latest: BookUpdate | null = null
  /** The book may not be sent; `staleReason` says why. */
  stale = false
  private staleReason: StaleReason = 'not_received'
  /** The book was not watched: what is held may not be sent, but nothing is wrong with it either. */
  private unwatched = false
  /** A live book arrived while this topic had readers. */
  private seenLive = false
  private cachedNotice: { ts: number; bytes: Buffer } | null = null
  private cached: Record<BookFrameType, CachedFrame | null> = { snapshot: null, update: null }
  /** Books skipped before this gateway got one, and since the last one that readers were sent. */
  private skipped = 0

  constructor(venue: string, marketId: string, ref: TopicRef) {
    super(venue, marketId, ref)
    this.heads = bookHeads(venue, marketId)
  }

  get isLive(): boolean {
    return this.latest !== null && !this.stale && !this.unwatched
  }

  /**
   * `outdated`: from an older ingest process or a duplicate delivery; the newest book stays. `known`: stale is still stale, or the
   * held book was repeated for a reader who did not have it. `unwatched`: there is none until a reader's request has reached ingest.
   */
  accept(update: BookUpdate): 'changed' | 'known' | 'outdated' | 'unwatched' {
    const { latest } = this
    if (latest !== null) {
      if (update.epoch < latest.epoch) return 'outdated'
      const step = update.epoch === latest.epoch ? update.seq - latest.seq : 1
      if (update.state === 'stale' ? step < 0 : step <= 0) return 'outdated'
    }
    if (update.state === 'live') {
      this.skipped += skippedBetween(latest, update)
      const again =
        latest !== null && this.isLive && (isSameContent(latest, update) || this.keepsLevels(latest, update))
      this.latest = update
      if (again) {
        // Its time may be newer.
        this.cached = { snapshot: null, update: null }
        return 'known'
      }
      this.stale = false
      this.unwatched = false
      this.seenLive = true
      this.published += 1 + this.skipped
      this.skipped = 0
      return 'changed'
    }
    this.latest = update
    // A snapshot follows, and restarts the count.
    this.skipped = 0
    if (this.stale) return 'known'
    const { staleReason } = update
    if (staleReason === notPolledReason && this.unwatched) return 'known'
    if (staleReason === unwatchedReason || (staleReason === notPolledReason && !this.seenLive)) {
      this.unwatched = true
      for (const subscription of this.subscriptions) {
        subscription.forfeit()
        subscription.needsSnapshot = true
      }
      return 'unwatched'
    }
    this.turnStale(staleReason ?? 'resync')
    return 'changed'
  }

  /** The change lies deeper than this topic's depth. */
  private keepsLevels(a: BookUpdate, b: BookUpdate): boolean {
    return this.depth !== null && levelsOf(this.cut(a.core)).equals(levelsOf(this.cut(b.core)))
  }

  private cut(core: Buffer): Buffer {
    const own = this.complement ? complementCore(core) : core
    return this.depth === null ? own : limitCore(own, this.depth)
  }

  /** No book came for too long. */
  giveUp(): void {
    this.turnStale('not_received')
  }

  private turnStale(reason: StaleReason): void {
    this.stale = true
    this.staleReason = reason
    this.cachedNotice = null
    for (const subscription of this.subscriptions) {
      subscription.forfeit()
      subscription.noticeDue = true
      subscription.needsSnapshot = true
    }
  }

  /** Why the book may not be sent. Encoded once per tick: `ts` is when it is written, also for one who subscribes much later. */
  notice(ts: number): Buffer {
    if (this.cachedNotice?.ts !== ts)
      this.cachedNotice = { ts, bytes: staleFrame(this.venue, this.marketId, this.staleReason, ts) }
    return this.cachedNotice.bytes
  }

  /** Encoded once per publication and tick, shared by all sockets at the same position. `conflated`: earlier publications its reader did not get. */
  frame(type: BookFrameType, ts: number, conflated: number): Buffer {
    const { published } = this
    const cached = this.cached[type]
    if (cached !== null && cached.published === published && cached.conflated === conflated && cached.ts === ts)
      return cached.bytes
    const bytes = bookFrame(this.heads[type], this.cut(this.latest!.core), { ts, sequence: published, conflated })
    this.cached[type] = { published, conflated, ts, bytes }
    return bytes
  }
}

const levelsOf = (core: Buffer): Buffer => core.subarray(0, sections(core).asksEnd)

/** A reopened book counts from zero. */
const skippedBetween = (before: BookUpdate | null, after: BookUpdate): number =>
  before === null || before.epoch !== after.epoch || before.state !== 'live'
    ? 0
    : Math.max(0, (after.commits ?? 0) - (before.commits ?? 0) - 1)

const isSameContent = (a: BookUpdate, b: BookUpdate): boolean =>
  a.recvTs === b.recvTs && a.eventTs === b.eventTs && (a.core === b.core || a.core.equals(b.core))

export class TradeTopic extends TopicBase {
  readonly channel = 'trades'
  /** The catalog's name, for venues whose trades do not include it. */
  outcome: StreamRef['outcome']
  private readonly ownId: string
  /** Trades of this tick as frames; the last one is publication number `published`. */
  queue: Buffer[] = []

  constructor(venue: string, marketId: string, ref: TopicRef) {
    super(venue, marketId, ref)
    this.outcome = ref.outcome
    this.ownId = ref.outcomeId ?? marketId
  }

  push(trade: TradeUpdate, ts: number): void {
    const { marketId } = this
    const { outcomeId, data } = this.complement ? complementTrade(trade, this.ownId) : trade
    const named = data.outcome === null ? nameOutcome(data, this.outcome) : data
    this.queue.push(tradeFrame({ ...trade, marketId, outcomeId, data: named }, ts))
    this.published++
  }

  /** The next frame after `seen` publications; undefined when there is none. */
  next(seen: number): Buffer | undefined {
    return this.queue[this.queue.length - (this.published - seen)]
  }
}

export const nameOutcome = (data: TradeData, outcome: StreamRef['outcome']): TradeData =>
  outcome == null ? data : { ...data, outcome: outcome.label, outcomeIndex: outcome.index }

export type Topic = BookTopic | TradeTopic
