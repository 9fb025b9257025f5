// Subscribers, and how far each has been updated. Deltas are sent as they are made, or dropped and repaired by a current snapshot;
// only deltas after a multi-part frame still being sent wait behind it, shared and bounded.
//
//   waiting ──greeted──► sending ──all parts out──► live ──refused──► waiting
import type { SubscriberFilter } from './filter.ts'
import type { Frame, Group, Publication } from './publication.ts'

/** The part of the stream's peer needed here. */
export interface ArbitragePeer {
  readonly id: number
  /** Sends immediately or drops and counts: nothing is queued. */
  offer(topic: string, frame: Buffer): 'sent' | 'buffered' | 'dropped'
}

/**
 * Deltas that may wait behind a snapshot being sent to one subscriber: references to shared bytes; beyond this it restarts.
 */
const waitingBytesMax = 8 * 1024 * 1024
const subscribersPerStep = 8
/** Maximum parts per turn while a publication waits. */
const partsPerTurn = 32
/** A subscriber that accepted no part for this long restarts with a newer snapshot when it reads again. */
const stalledMs = 10_000

interface Subscriber {
  peer: ArbitragePeer
  topic: string
  group: Group
  /** Frames not completely sent, oldest first; empty unless frames are being sent. */
  frames: Frame[]
  /** Parts of the first one already sent. */
  part: number
  waitingBytes: number
  live: boolean
  /** Newest seq of which the client may have seen a part. */
  seq: number
  movedAt: number
}

export interface SubscriberCounts {
  greeted: number
  /** Snapshots for subscribers that had been behind. */
  repaired: number
  partsSent: number
  partsDropped: number
}

export class Subscribers {
  readonly counts: SubscriberCounts = { greeted: 0, repaired: 0, partsSent: 0, partsDropped: 0 }
  private readonly publication: Publication
  private readonly all = new Map<ArbitragePeer, Map<string, Subscriber>>()
  /** A socket that resubscribes with another filter must not get a seq it has seen. */
  private readonly seen = new WeakMap<ArbitragePeer, number>()
  private readonly behind = new Set<Subscriber>()
  private readonly byGroup = new Map<Group, Set<Subscriber>>()

  constructor(publication: Publication) {
    this.publication = publication
  }

  get size(): number {
    return this.all.size
  }

  /** True while a client waits for a snapshot or for the rest of a frame. */
  get due(): boolean {
    return this.behind.size > 0
  }

  add(peer: ArbitragePeer, topic: string, filter: SubscriberFilter, now: number): void {
    this.remove(peer, topic)
    const subscriber: Subscriber = {
      peer,
      topic,
      group: this.publication.join(filter),
      frames: [],
      part: 0,
      waitingBytes: 0,
      live: false,
      seq: this.seen.get(peer) ?? -1,
      movedAt: now,
    }
    const topics = this.all.get(peer) ?? new Map<string, Subscriber>()
    this.all.set(peer, topics.set(topic, subscriber))
    this.behind.add(subscriber)
    const members = this.byGroup.get(subscriber.group)
    if (members === undefined) this.byGroup.set(subscriber.group, new Set([subscriber]))
    else members.add(subscriber)
    this.counts.greeted++
  }

  remove(peer: ArbitragePeer, topic: string): void {
    const topics = this.all.get(peer)
    const subscriber = topics?.get(topic)
    if (topics === undefined || subscriber === undefined) return
    topics.delete(topic)
    if (topics.size === 0) this.all.delete(peer)
    this.behind.delete(subscriber)
    const members = this.byGroup.get(subscriber.group)
    members?.delete(subscriber)
    if (members?.size === 0) this.byGroup.delete(subscriber.group)
    this.publication.leave(subscriber.group)
  }

  /** The rows did not come from a publication: all clients are sent the whole state next. */
  renew(): void {
    for (const topics of this.all.values()) {
      for (const subscriber of topics.values()) {
        if (subscriber.live || subscriber.frames.length > 0) this.restart(subscriber)
        subscriber.live = false
        this.behind.add(subscriber)
      }
    }
  }

  /** Sends a publication to all clients that are up to date, and queues it for those with a frame in progress; yields from time to time. */
  *published(made: ReadonlyMap<Group, readonly Frame[]>, now: number): Generator<void, void, void> {
    let step = 0
    for (const [group, frames] of made) {
      for (const subscriber of [...(this.byGroup.get(group) ?? [])]) {
        // Gone meanwhile.
        if (this.all.get(subscriber.peer)?.get(subscriber.topic) !== subscriber) continue
        for (const frame of frames) this.take(subscriber, frame, now)
        if (++step % subscribersPerStep === 0) yield
      }
    }
  }

  /**
   * Greets waiting clients and continues frames in progress, some parts of each; yields after each. Only between publications: clients are
   * greeted with the state last published. `publishedAt`: epoch ms; everything else here uses the monotonic clock.
   */
  *turn(now: number, publishedAt: number = now): Generator<void, void, void> {
    let parts = partsPerTurn
    for (const subscriber of [...this.behind]) {
      if (parts <= 0) return
      if (!this.behind.has(subscriber)) continue
      if (subscriber.frames.length > 0 && now - subscriber.movedAt >= stalledMs) this.restart(subscriber)
      if (subscriber.frames.length === 0) {
        // The same number twice would be two different frames to the client.
        if (this.publication.computedAt === null || this.publication.seq <= subscriber.seq) continue
        const snapshot = yield* this.publication.greet(subscriber.group, publishedAt)
        if (!this.behind.has(subscriber)) continue
        subscriber.frames.push(snapshot)
        subscriber.part = 0
        subscriber.movedAt = now
      }
      while (parts-- > 0 && this.behind.has(subscriber) && this.sendNext(subscriber, now)) yield
      // Nothing of it was sent: by the next turn there may be a newer one.
      if (subscriber.part === 0 && subscriber.frames[0]?.kind === 'snapshot') this.forget(subscriber)
    }
  }

  private take(subscriber: Subscriber, frame: Frame, now: number): void {
    if (subscriber.live) {
      subscriber.frames.push(frame)
      subscriber.part = 0
      subscriber.movedAt = now
      subscriber.live = false
      if (frame.parts.length === 1) {
        this.sendNext(subscriber, now)
        if (subscriber.frames.length > 0) {
          // A refused delta is lost; the client gets the whole state when it reads again.
          subscriber.frames = []
          this.counts.repaired++
        }
      }
      if (!subscriber.live) this.behind.add(subscriber)
      return
    }
    if (subscriber.frames.length === 0) return
    subscriber.frames.push(frame)
    subscriber.waitingBytes += frame.bytes
    if (subscriber.waitingBytes > waitingBytesMax) this.restart(subscriber)
  }

  /** Offers the next part; true when the peer accepts more immediately. */
  private sendNext(subscriber: Subscriber, now: number): boolean {
    const frame = subscriber.frames[0]
    const part = frame?.parts[subscriber.part]
    if (frame === undefined || part === undefined) return false
    const result = subscriber.peer.offer(subscriber.topic, part)
    if (result === 'dropped') {
      this.counts.partsDropped++
      return false
    }
    this.counts.partsSent++
    subscriber.seq = frame.seq
    this.seen.set(subscriber.peer, frame.seq)
    subscriber.movedAt = now
    subscriber.part++
    if (subscriber.part === frame.parts.length) {
      subscriber.frames.shift()
      subscriber.part = 0
      subscriber.waitingBytes -= Math.min(subscriber.waitingBytes, frame.bytes)
      if (subscriber.frames.length === 0) {
        subscriber.waitingBytes = 0
        subscriber.live = true
        this.behind.delete(subscriber)
        return false
      }
    }
    return result === 'sent'
  }

  private restart(subscriber: Subscriber): void {
    this.forget(subscriber)
    this.counts.repaired++
  }

  private forget(subscriber: Subscriber): void {
    subscriber.frames = []
    subscriber.part = 0
    subscriber.waitingBytes = 0
  }
}
