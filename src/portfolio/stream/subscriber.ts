// One socket's subscription to its account's portfolio. Frames it is too slow for are queued, bounded; beyond that it gets a new snapshot.
//
//   waiting ──snapshot──► reading ──queue full──► waiting
import { FrameQueue } from '#core/frameQueue'
import type { PortfolioSnapshotReason } from '#schemas/stream'
import type { NumberedFrame } from './frames.ts'

/** The part of the stream's peer that is needed here. */
export interface PortfolioPeer {
  readonly id: number
  principal(): { accountId: string }
  /** Sends now or drops and counts. */
  offer(topic: string, frame: Buffer): 'sent' | 'buffered' | 'dropped'
}

export const queueFramesMax = 500
export const queueBytesMax = 4 * 1024 * 1024
/** Minimum time between snapshots after the first one. */
export const renewAfterMs = 1_000

export class PortfolioSubscriber {
  readonly accountId: string
  /** Why it waits for a snapshot; null: it has one. */
  waits: PortfolioSnapshotReason | null = 'subscribed'
  /** On the monotonic clock: no snapshot before. */
  notBefore = 0
  private readonly queue: FrameQueue
  /** Its last snapshot, on the monotonic clock. */
  private begunAt = Number.NEGATIVE_INFINITY
  /** Of the last snapshot or change; parts of one snapshot share it. */
  private seq = 0

  constructor(peer: PortfolioPeer, topic: string) {
    this.accountId = peer.principal().accountId
    this.queue = new FrameQueue({
      send: (frame) => peer.offer(topic, frame) !== 'dropped',
      framesMax: queueFramesMax,
      bytesMax: queueBytesMax,
    })
  }

  get isBehind(): boolean {
    return !this.queue.isEmpty
  }

  /** `parts` of a snapshot. `now`: on the monotonic clock. */
  begin(parts: readonly NumberedFrame[], now: number): void {
    this.waits = null
    this.begunAt = now
    this.queue.clear()
    this.seq++
    for (const part of parts) this.send(part, now)
  }

  publish(changes: readonly NumberedFrame[], now: number): void {
    for (const change of changes) {
      if (this.waits !== null) return
      this.seq++
      this.send(change, now)
    }
  }

  /** Instead of changes: another snapshot, at most one a second. */
  renew(now: number): void {
    if (this.waits !== null) return
    this.waits = 'behind'
    this.notBefore = Math.max(now, this.begunAt + renewAfterMs)
  }

  /** Sends what is queued, as far as the peer takes it. */
  drain(): void {
    this.queue.drain()
  }

  private send(frame: NumberedFrame, now: number): void {
    if (this.waits !== null || this.queue.push(frame(this.seq))) return
    this.waits = 'behind'
    this.notBefore = now + renewAfterMs
    this.queue.clear()
  }
}
