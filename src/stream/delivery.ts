// Sends one socket its due frames, in corked runs, as long as the peer keeps up.
//
//   due ──► peer keeps up ──► update
//    └────► peer is behind ─► books wait (newest wins, later a snapshot), trades are dropped and counted
import type { Clock } from '#core/clock'
import { wireBytes } from './backlog.ts'
import type { StreamSocket } from './socket.ts'
import type { BookTopic, Connection, Subscription, TradeTopic } from './topic.ts'

/** uWebSockets.js corks into 16 KiB; a longer run is split and costs more per frame (measured 0.50 against 0.41 us). */
const runBytesMax = 15 * 1024

export class Delivery {
  /** Counted to pace the next tick. */
  writes = 0
  frames = 0
  /** Sockets with bytes waiting in the program. */
  readonly lagging = new Set<Connection>()
  private readonly bufferedBytesMax: number
  private readonly clock: Pick<Clock, 'monotonic'>
  private member: Connection | null = null
  private socket: StreamSocket | null = null
  private cursor = 0
  private runBytes = 0
  private wire = 0
  private refused = false
  private ts = 0
  private readonly run: () => void = () => this.sendRun()

  constructor(bufferedBytesMax: number, clock: Pick<Clock, 'monotonic'>) {
    this.bufferedBytesMax = bufferedBytesMax
    this.clock = clock
  }

  /** `ts`: of the frames, epoch ms. */
  deliver(member: Connection, ts: number): void {
    const { socket } = member
    if (member.dueCount === 0) return
    if (member.buffered > 0) this.look(member, 0)
    this.member = member
    this.socket = socket
    this.ts = ts
    this.cursor = 0
    let keepsUp = member.buffered <= this.bufferedBytesMax
    while (keepsUp && this.cursor < member.dueCount) {
      this.runBytes = 0
      this.wire = 0
      this.refused = false
      socket.cork(this.run)
      if (this.wire > 0) {
        this.writes++
        this.look(member, this.wire)
      }
      keepsUp = !this.refused && member.buffered <= this.bufferedBytesMax
    }
    if (this.cursor < member.dueCount) this.withhold(member)
    else {
      member.dueCount = 0
      member.stalled = false
    }
  }

  /** Records what was handed to the transport and what still waits there. */
  look(member: Connection, wrote: number): void {
    member.buffered = member.socket.bufferedAmount()
    member.backlog.wrote(wrote, member.buffered, this.clock.monotonic())
    if (member.buffered > 0) this.lagging.add(member)
    else if (this.lagging.size > 0) this.lagging.delete(member)
  }

  /** True when this socket may take another non-book frame. */
  keepsUp(member: Connection): boolean {
    if (member.buffered > 0) member.buffered = member.socket.bufferedAmount()
    return member.buffered <= this.bufferedBytesMax
  }

  private sendRun(): void {
    const { due, dueCount } = this.member!
    for (; this.cursor < dueCount; this.cursor++) {
      const subscription = due[this.cursor]!
      if (!subscription.active) continue
      const { topic } = subscription
      const done =
        topic.channel === 'orderbook' ? this.sendBook(subscription, topic) : this.sendTrades(subscription, topic)
      if (!done) return
      if (subscription.withheld) subscription.withheld = false
    }
  }

  private sendBook(subscription: Subscription, topic: BookTopic): boolean {
    if (subscription.noticeDue) {
      if (!this.put(topic.notice(this.ts))) return false
      subscription.noticeDue = false
    }
    const behind = topic.published - subscription.seen
    if (behind === 0 || topic.stale) return true
    if (!this.put(topic.frame(subscription.needsSnapshot ? 'snapshot' : 'update', this.ts, behind - 1))) return false
    if (subscription.needsSnapshot) subscription.needsSnapshot = false
    subscription.sent++
    if (behind > 1) subscription.conflated += behind - 1
    subscription.seen = topic.published
    return true
  }

  private sendTrades(subscription: Subscription, topic: TradeTopic): boolean {
    for (let frame = topic.next(subscription.seen); frame !== undefined; frame = topic.next(subscription.seen)) {
      if (!this.put(frame)) return false
      subscription.sent++
      subscription.seen++
    }
    return true
  }

  /** False: this run is full, or the transport refused. */
  private put(frame: Buffer): boolean {
    if (this.runBytes > 0 && this.runBytes + frame.length > runBytesMax) return false
    if (this.socket!.send(frame) === 'dropped') {
      this.refused = true
      return false
    }
    this.runBytes += frame.length
    this.wire += wireBytes(frame.length)
    this.frames++
    return true
  }

  private withhold(member: Connection): void {
    const { due, dueCount } = member
    let kept = 0
    for (let i = this.cursor; i < dueCount; i++) {
      const subscription = due[i]!
      if (!subscription.active) continue
      if (subscription.topic.channel === 'trades') {
        subscription.forfeit()
        subscription.withheld = false
        continue
      }
      // Listed twice when it became due twice before this tick: the second place is dropped.
      if (subscription.withheld && !member.stalled) continue
      subscription.withheld = true
      subscription.needsSnapshot = true
      due[kept++] = subscription
    }
    // Clear the tail, so that the list does not keep removed entries alive.
    due.length = kept
    member.dueCount = kept
    member.stalled = kept > 0
  }
}
