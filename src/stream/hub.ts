// Fan-out: which socket reads which market, and the tick that sends every socket all its changed markets at once.
//
//   bus ─► book(), trade() ─► topics marked dirty ─► flush ─► Delivery per socket
//
// Sent per socket, not by the transport's publish(): that one loses frames without a signal.

import { AdaptiveBatcher } from '#core/adaptiveBatchSize'
import type { Clock, Timer } from '#core/clock'
import type { BookUpdate, TradeUpdate } from '#schemas/topics'
import { wireBytes } from './backlog.ts'
import { Delivery } from './delivery.ts'
import { type AccountRow, accountRow, type HubTotals, Totals } from './deliveryStats.ts'
import type { BookReader } from './ports.ts'
import { closeSlowConsumer } from './protocol.ts'
import type { SendResult, StreamSocket } from './socket.ts'
import { type BookTopic, Connection, Subscription, type Topic, type TopicRef, type TradeTopic } from './topic.ts'
import { TopicIndex, type Watch } from './topicIndex.ts'

/** Bytes that may wait in the program for one socket before books are conflated and trades dropped. */
export const bufferedBytesMax = 64 * 1024
/** A socket whose oldest waiting byte is older than this is closed with 4008. */
export const slowConsumerMs = 90_000
/** Trades of one market that may wait for a tick; one more brings the tick forward. */
const tradesPerTickMax = 1_024
const sweepMs = 1_000
/** A reader of a book that was not being watched waits this long before it gets an error that there is none. */
export const snapshotWaitMs = 10_000
/** Approximate kernel cost of a socket write, from any caller (measured 2.6 to 3.6 us). */
const writeCostMs = 0.0035
/** Cost of a frame inside a corked write (measured 0.4 to 0.6 us). */
const frameCostMs = 0.0005

export interface HubOptions {
  clock: Clock
  books: BookReader
  /** Notified when a market gets its first and loses its last reader. */
  watch: Watch
  /** 1 to 5 ms: how often fan-out runs under load. */
  tickMs?: number
  bufferedBytesMax?: number
  slowConsumerMs?: number
  /** Runs after this turn of the loop; tests and the simulation supply their own. */
  defer?: (run: () => void) => void
}

export class Hub {
  private readonly clock: Clock
  private readonly tickMs: number
  private readonly slowMs: number
  private readonly defer: (run: () => void) => void
  private readonly delivery: Delivery
  private readonly pace: AdaptiveBatcher
  private readonly index: TopicIndex
  private readonly members = new Set<Connection>()
  private readonly totals = new Totals()
  private dirty: Topic[] = []
  private waiting: Connection[] = []
  private scheduled = false
  private timer: Timer | null = null
  /** Books with readers but nothing published yet, and since when. */
  private readonly awaited = new Map<BookTopic, number>()
  private readonly sweeper: Timer
  private stopped = false
  private readonly runFlush = (): void => {
    this.scheduled = false
    this.timer = null
    if (!this.stopped) this.flush()
  }

  constructor(options: HubOptions) {
    this.clock = options.clock
    this.tickMs = options.tickMs ?? 2
    this.slowMs = options.slowConsumerMs ?? slowConsumerMs
    this.defer = options.defer ?? setImmediate
    this.delivery = new Delivery(options.bufferedBytesMax ?? bufferedBytesMax, this.clock)
    this.pace = new AdaptiveBatcher(this.tickMs, this.clock.monotonic())
    this.index = new TopicIndex(options.books, options.watch)
    this.sweeper = this.clock.every(sweepMs, () => this.sweep())
  }

  join(socket: StreamSocket): Connection {
    const member = new Connection(socket)
    this.members.add(member)
    return member
  }

  /** The socket is gone; what was waiting for it counts as dropped. */
  leave(member: Connection): void {
    if (member.gone) return
    member.gone = true
    this.members.delete(member)
    this.delivery.lagging.delete(member)
    this.index.leaveAll(member)
    for (const subscription of member.subscriptions) this.end(subscription)
    for (const account of member.lossy.values()) this.totals.foldLossy(account)
    member.lossy.clear()
  }

  /** Acknowledgements and errors: sent immediately, before anything queued. If the transport refuses even these, the peer is too slow. */
  control(member: Connection, bytes: Buffer): void {
    if (member.gone) return
    const result = member.socket.send(bytes)
    if (result === 'dropped') this.dismiss(member)
    else this.delivery.look(member, wireBytes(bytes.length))
  }

  /**
   * Call after the acknowledgement is sent. A live book held here follows at once as a snapshot, a stale one as its notice; one that was not
   * being watched is awaited. `ref`: what the id reads, when that is not the market's own book.
   */
  subscribe(
    member: Connection,
    channel: Topic['channel'],
    venue: string,
    marketId: string,
    ref: TopicRef = { bookId: marketId, complement: false },
  ): Subscription {
    const topic = this.index.open(channel, venue, marketId, ref)
    const subscription = this.index.find(topic, member) ?? this.begin(topic, member)
    if (!subscription.explicit) {
      subscription.explicit = true
      this.index.named(topic, 1)
    }
    for (const other of topic.isView ? [] : this.index.membersOf(channel, venue)) {
      if (this.index.find(topic, other) === undefined) this.begin(topic, other).wide = true
    }
    this.delivery.deliver(member, this.clock.now())
    return subscription
  }

  unsubscribe(subscription: Subscription): void {
    if (!subscription.explicit) return
    subscription.explicit = false
    this.index.named(subscription.topic, -1)
    if (!subscription.wide) this.end(subscription)
  }

  /** Every book of the venue, current and future. */
  subscribeVenue(member: Connection, venue: string): void {
    this.index.joinVenue(member, venue)
    for (const topic of this.index.booksOf(venue)) {
      const subscription = this.index.find(topic, member) ?? this.begin(topic, member)
      subscription.wide = true
    }
    this.delivery.deliver(member, this.clock.now())
  }

  unsubscribeVenue(member: Connection, venue: string): void {
    this.index.leaveVenue(member, venue)
    for (const subscription of [...member.subscriptions]) {
      if (!subscription.wide || subscription.topic.venue !== venue) continue
      subscription.wide = false
      if (!subscription.explicit) this.end(subscription)
    }
  }

  keepsUp(member: Connection): boolean {
    return !member.gone && this.delivery.keepsUp(member)
  }

  /** A frame of a pluggable channel: sent now or dropped. */
  offer(member: Connection, topic: string, frame: Buffer): SendResult {
    if (member.gone) return 'dropped'
    let account = member.lossy.get(topic)
    if (account === undefined) {
      account = { produced: 0, sent: 0, dropped: 0 }
      member.lossy.set(topic, account)
    }
    account.produced++
    const result = this.delivery.keepsUp(member) ? member.socket.send(frame) : 'dropped'
    if (result === 'dropped') account.dropped++
    else {
      account.sent++
      this.delivery.look(member, wireBytes(frame.length))
    }
    return result
  }

  /** Several frames, in as few writes as possible. */
  offerAll(member: Connection, topic: string, frames: readonly Buffer[]): void {
    if (member.gone) return
    member.socket.cork(() => {
      for (const frame of frames) this.offer(member, topic, frame)
    })
    // What a corked write leaves waiting shows only after it ends.
    this.delivery.look(member, 0)
  }

  book(update: BookUpdate): void {
    const { venue, marketId } = update
    for (const view of this.index.viewsOf('orderbook', venue, marketId)) this.take(view, update)
    let topic = this.index.book(venue, marketId)
    if (topic === undefined) {
      const readers = this.index.membersOf('orderbook', venue)
      if (readers.size === 0) return
      topic = this.index.create('orderbook', venue, marketId)
      for (const member of readers) this.begin(topic, member).wide = true
    }
    this.take(topic, update)
  }

  trade(update: TradeUpdate): void {
    const { venue, marketId } = update
    for (const view of this.index.viewsOf('trades', venue, marketId)) this.pushTrade(view, update)
    const topic = this.index.trade(venue, marketId)
    if (topic !== undefined) this.pushTrade(topic, update)
  }

  drained(member: Connection): void {
    if (member.gone) return
    this.delivery.look(member, 0)
    this.delivery.deliver(member, this.clock.now())
  }

  /** One tick. Called on the hub's own schedule; tests may call it directly. */
  flush(): void {
    const now = this.clock.now()
    const { dirty, waiting, delivery } = this
    this.dirty = []
    this.waiting = []
    for (const topic of dirty) {
      topic.dirty = false
      const { subscriptions, members } = topic
      for (let i = 0; i < members.length; i++) {
        const member = members[i]!
        member.push(subscriptions[i]!)
        if (member.queued) continue
        member.queued = true
        waiting.push(member)
      }
    }
    delivery.writes = 0
    delivery.frames = 0
    for (const member of waiting) {
      member.queued = false
      if (!member.gone) delivery.deliver(member, now)
    }
    for (const topic of dirty) if (topic.channel === 'trades') topic.queue = []
    this.totals.frames += delivery.frames
    this.totals.writes += delivery.writes
    this.pace.ran(delivery.writes * writeCostMs + delivery.frames * frameCostMs, this.clock.monotonic())
  }

  /** Every open account. Closed ones are in `sum`. */
  accounts(): AccountRow[] {
    return [...this.members].flatMap((member) => [...member.subscriptions].map(accountRow))
  }

  sum(): HubTotals {
    return this.totals.sum(this.members, this.index.size)
  }

  stop(): void {
    this.stopped = true
    this.timer?.cancel()
    this.sweeper.cancel()
  }

  private take(topic: BookTopic, update: BookUpdate): void {
    const taken = topic.accept(update)
    if (taken === 'changed') this.mark(topic)
    else if (taken === 'unwatched') this.awaited.set(topic, this.clock.monotonic())
    else if (taken === 'outdated') this.totals.outdated++
  }

  private pushTrade(topic: TradeTopic, update: TradeUpdate): void {
    topic.push(update, this.clock.now())
    this.mark(topic)
    if (topic.queue.length >= tradesPerTickMax) this.flush()
  }

  private begin(topic: Topic, member: Connection): Subscription {
    const subscription = new Subscription(topic, member)
    topic.add(subscription)
    this.index.link(topic, member, subscription)
    if (topic.channel === 'trades') return subscription
    // The book held now is this reader's first publication; a stale one is announced instead.
    if (topic.isLive) subscription.base = --subscription.seen
    else if (topic.stale) subscription.noticeDue = true
    else {
      if (!this.awaited.has(topic)) this.awaited.set(topic, this.clock.monotonic())
      return subscription
    }
    member.push(subscription)
    if (!member.queued) this.queue(member)
    return subscription
  }

  private end(subscription: Subscription): void {
    if (!subscription.active) return
    subscription.active = false
    subscription.forfeit()
    this.totals.fold(subscription)
    if (subscription.explicit) this.index.named(subscription.topic, -1)
    this.index.unlink(subscription)
  }

  private queue(member: Connection): void {
    member.queued = true
    this.waiting.push(member)
    this.schedule()
  }

  private mark(topic: Topic): void {
    if (topic.dirty) return
    topic.dirty = true
    this.dirty.push(topic)
    this.schedule()
  }

  private schedule(): void {
    if (this.scheduled || this.stopped) return
    this.scheduled = true
    const delayMs = this.pace.delayMs(this.clock.monotonic())
    if (delayMs === 0) this.defer(this.runFlush)
    else this.timer = this.clock.after(delayMs, this.runFlush)
  }

  /**
   * Closes sockets that are too far behind, repairs one whose drain event was missed, reports books that did not come.
   */
  private sweep(): void {
    const now = this.clock.monotonic()
    for (const [topic, since] of this.awaited) {
      if (topic.isLive || topic.stale || topic.subscriptions.length === 0) this.awaited.delete(topic)
      else if (now - since >= snapshotWaitMs) {
        this.awaited.delete(topic)
        topic.giveUp()
        this.mark(topic)
      }
    }
    for (const member of [...this.delivery.lagging]) {
      this.delivery.look(member, 0)
      if (member.backlog.ageMs(member.buffered, now) > this.slowMs) this.dismiss(member)
      else this.delivery.deliver(member, this.clock.now())
    }
  }

  private dismiss(member: Connection): void {
    this.totals.slowClosed++
    this.leave(member)
    member.socket.close(closeSlowConsumer, 'too slow')
  }
}
