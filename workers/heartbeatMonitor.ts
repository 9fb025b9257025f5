// Decides from a thread's heartbeats whether it hangs. Pure.

export const lookEveryMs = 250
/**
 * Checks in a row without a heartbeat after which it hangs. Its longest piece of work takes some ten milliseconds, an idle turn a fifth of
 * a second. Checks are counted instead of time, because time also passes while the whole program is stopped or gets no processor: neither
 * thread runs then, and however long that lasts, it counts as one check.
 */
export const hungLooks = 6
/** The same before the first beat, while the thread may still be loading its code. */
export const startLooks = 120

export class HeartbeatMonitor {
  private beat = 0
  private silentLooks = 0
  private lookedAt: number

  /** `now`: when the thread was started, monotonic milliseconds. */
  constructor(now: number) {
    this.lookedAt = now
  }

  /** Called every `lookEveryMs` with the number of heartbeats so far; true: it hangs. */
  look(beat: number, now: number): boolean {
    // Late checks that follow each other at once are one check: the thread had no time between them.
    const isLook = now - this.lookedAt >= lookEveryMs / 2
    this.lookedAt = now
    if (beat !== this.beat) {
      this.beat = beat
      this.silentLooks = 0
    } else if (isLook) this.silentLooks++
    return this.silentLooks >= (beat === 0 ? startLooks : hungLooks)
  }
}
