// One socket's subscription to its account's orders. Frames it is too slow for are queued here, bounded; beyond that it restarts with a
// snapshot.
//
//   waiting ──snapshot──► reading ──queue full──► waiting
import { FrameQueue } from '#core/frameQueue'

/** The part of the stream's peer that is needed here. */
export interface OrdersPeer {
  readonly id: number
  principal(): { accountId: string }
  /** Sends now or drops and counts. */
  offer(topic: string, frame: Buffer): 'sent' | 'buffered' | 'dropped'
}

/** Frames are shared between sockets; the queue holds references. */
export const queueFramesMax = 2_000
export const queueBytesMax = 4 * 1024 * 1024

export type SnapshotReason = 'subscribed' | 'behind' | 'gap'

export class OrdersSubscriber {
  readonly accountId: string
  /** Why it waits for a snapshot; null: it has one. */
  waits: SnapshotReason | null = 'subscribed'
  /** On the monotonic clock: no snapshot before. */
  notBefore = 0
  private readonly queue: FrameQueue
  /** Numbers included in its snapshot, by execution and by conditional order. */
  private known: ReadonlyMap<string, number> | null = null

  constructor(peer: OrdersPeer, topic: string) {
    this.queue = new FrameQueue({
      send: (frame) => peer.offer(topic, frame) !== 'dropped',
      framesMax: queueFramesMax,
      bytesMax: queueBytesMax,
    })
    this.accountId = peer.principal().accountId
  }

  get isBehind(): boolean {
    return !this.queue.isEmpty
  }

  begin(snapshot: readonly Buffer[], known: ReadonlyMap<string, number>): void {
    this.waits = null
    this.forget()
    for (const part of snapshot) this.send(part)
    this.known = known
  }

  /** The look after its snapshot is over: everything from now on is news. */
  passed(): void {
    this.known = null
  }

  /** `change`: its subject and number; null: clients can recognize duplicates themselves. */
  publish(frame: Buffer, change: { id: string; number: number } | null): void {
    if (this.waits !== null) return
    if (change !== null && change.number <= (this.known?.get(change.id) ?? 0)) return
    this.send(frame)
  }

  /** Sends what is queued, as far as the peer takes it. */
  drain(): void {
    this.queue.drain()
  }

  renew(reason: SnapshotReason): void {
    this.waits = reason
    this.forget()
  }

  private send(frame: Buffer): void {
    if (!this.queue.push(frame)) this.renew('behind')
  }

  private forget(): void {
    this.queue.clear()
    this.known = null
  }
}
