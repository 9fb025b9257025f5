// Whether this process may still publish for the venues it has leased. Checked at every publish, so that a process that was suspended and
// resumes publishes nothing before it has checked its lease.
//
// the storage confirmed it less than a lease ago ─► no other process can have it
// longer ago, but running ever since             ─► the storage does not respond: we continue, and readers compare the epoch
// longer ago, and suspended in between           ─► another may have it: silent until it is confirmed again
import type { Clock } from '#core/clock'

export class LeaseWatchdog {
  /** When the last request that the storage granted was sent. */
  private confirmedAt = Number.NEGATIVE_INFINITY
  /** When this process last found that it had not run for the length of a lease. */
  private suspendedAt = Number.NEGATIVE_INFINITY
  private seenAt: number
  private readonly clock: Clock
  private readonly leaseMs: number

  constructor(clock: Clock, leaseMs: number) {
    this.clock = clock
    this.leaseMs = leaseMs
    this.seenAt = clock.monotonic()
  }

  /** The storage granted the request made at that time (monotonic). */
  confirmed(requestedAt: number): void {
    this.noteTime()
    this.confirmedAt = Math.max(this.confirmedAt, requestedAt)
  }

  holds(): boolean {
    return this.noteTime() - this.confirmedAt < this.leaseMs || this.suspendedAt < this.confirmedAt
  }

  /** Call it more often than once per lease, or an idle process looks like a suspended one. */
  noteTime(): number {
    const now = this.clock.monotonic()
    if (now - this.seenAt >= this.leaseMs) this.suspendedAt = now
    this.seenAt = now
    return now
  }
}
