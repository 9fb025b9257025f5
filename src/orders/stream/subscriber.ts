// One socket's subscription to its account's orders. Frames it is too slow for are queued here, bounded; beyond that it restarts with a
// snapshot.
//
//   waiting ──snapshot──► reading ──queue full──► waiting

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
  private readonly peer: OrdersPeer
  private readonly topic: string
  private queue: Buffer[] = []
  private queuedBytes = 0
  /** Numbers included in its snapshot, by execution and by conditional order. */
  private known: ReadonlyMap<string, number> | null = null

  constructor(peer: OrdersPeer, topic: string) {
    this.peer = peer
    this.topic = topic
    this.accountId = peer.principal().accountId
  }

  get isBehind(): boolean {
    return this.queue.length > 0
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
    let sent = 0
    while (sent < this.queue.length && this.sends(this.queue[sent]!)) this.queuedBytes -= this.queue[sent++]!.length
    if (sent > 0) this.queue.splice(0, sent)
  }

  renew(reason: SnapshotReason): void {
    this.waits = reason
    this.forget()
  }

  private send(frame: Buffer): void {
    if (this.queue.length === 0 && this.sends(frame)) return
    this.queue.push(frame)
    this.queuedBytes += frame.length
    if (this.queue.length > queueFramesMax || this.queuedBytes > queueBytesMax) this.renew('behind')
  }

  private sends(frame: Buffer): boolean {
    return this.peer.offer(this.topic, frame) !== 'dropped'
  }

  private forget(): void {
    this.queue = []
    this.queuedBytes = 0
    this.known = null
  }
}
