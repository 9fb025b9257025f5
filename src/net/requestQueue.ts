// A venue's rate allowance: a token bucket, and a queue for it. Urgent callers wait ahead of all others; a request heavier than the bucket leaves when
// it is full, and later ones pay the debt.
import type { Clock, Timer } from '#core/clock'
import { TokenBucket } from '#core/tokenBucket'

export interface Pace {
  /** Units refilled per second. */
  perSecond: number
  /** Units that can be spent at once; defaults to a second's worth. */
  burst?: number
}

export interface QueueSlot {
  weight: number
  urgent: boolean
  /** Called when it is its turn: the units are spent. */
  go(): void
}

export class RequestQueue {
  private readonly bucket: TokenBucket
  private readonly clock: Clock
  private heldUntil = Number.NEGATIVE_INFINITY
  private timer: Timer | null = null
  /** In order of arrival; the urgent queue is served first. */
  private readonly urgent = new Set<QueueSlot>()
  private readonly usual = new Set<QueueSlot>()

  constructor({ perSecond, burst = Math.max(1, perSecond) }: Pace, clock: Clock) {
    this.bucket = new TokenBucket({ perSecond, burst }, clock.monotonic())
    this.clock = clock
  }

  /** `go` is called at once if there is enough and no caller waits before it. */
  enter(turn: QueueSlot): void {
    this.lineOf(turn).add(turn)
    this.serve()
  }

  /** Gives up its place. */
  leave(turn: QueueSlot): void {
    this.lineOf(turn).delete(turn)
    this.serve()
  }

  /** Spent without asking: later callers wait for it. */
  spend(weight: number): void {
    this.fill()
    this.bucket.spend(weight)
  }

  /** It cost less than was spent. */
  refund(weight: number): void {
    this.fill()
    this.bucket.refund(weight)
    this.serve()
  }

  /** How long a caller entering now would wait, ms, if no urgent caller comes. */
  lineMs(weight: number): number {
    this.fill()
    let ahead = 0
    for (const line of [this.urgent, this.usual]) for (const turn of line) ahead += turn.weight
    return this.waitMs(weight, ahead)
  }

  /** No turn is given for this long, unless already held for longer. */
  hold(forMs: number): void {
    this.heldUntil = Math.max(this.heldUntil, this.clock.monotonic() + forMs)
    this.serve()
  }

  get heldMs(): number {
    return Math.max(0, this.heldUntil - this.clock.monotonic())
  }

  private lineOf({ urgent }: QueueSlot): Set<QueueSlot> {
    return urgent ? this.urgent : this.usual
  }

  private fill(): void {
    this.bucket.fill(this.clock.monotonic())
  }

  private serve(): void {
    this.timer?.cancel()
    this.timer = null
    this.fill()
    for (const line of [this.urgent, this.usual]) {
      for (const turn of line) {
        const waitMs = this.waitMs(turn.weight)
        if (waitMs > 0) {
          this.timer = this.clock.after(waitMs, () => this.serve())
          return
        }
        line.delete(turn)
        this.bucket.spend(turn.weight)
        turn.go()
      }
    }
  }

  private waitMs(weight: number, ahead = 0): number {
    const { bucket } = this
    return Math.ceil(Math.max(bucket.waitMs(ahead + Math.min(weight, bucket.capacity)), this.heldMs))
  }
}
