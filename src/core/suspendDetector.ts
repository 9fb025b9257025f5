// Whether this process was stopped (SIGSTOP, a frozen machine) since the watch began. No timer fires during sleep; a gap between two
// looks reveals it.
import type { Clock } from '#core/clock'

export class SuspendDetector {
  private seenAt: number
  private found = false
  private readonly clock: Pick<Clock, 'monotonic'>
  private readonly longMs: number

  /** `longMs`: what counts as sleep. Check more often than that. */
  constructor(clock: Pick<Clock, 'monotonic'>, longMs: number) {
    this.clock = clock
    this.longMs = longMs
    this.seenAt = clock.monotonic()
  }

  /** True from the first sleep on, for ever. */
  slept(): boolean {
    const now = this.clock.monotonic()
    this.found ||= now - this.seenAt >= this.longMs
    this.seenAt = now
    return this.found
  }
}
