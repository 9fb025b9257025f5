// How late messages arrive, by the stamps of another clock whose offset is unknown: the delay beyond the fastest recent message. A reader
// that slept finds old messages waiting; this distinguishes them from new ones.

/** Clocks drift apart by some milliseconds in this time; and a message that seems later than this comes from a clock that was set. */
const memoryMs = 300_000

export class LagEstimator {
  private least = Number.POSITIVE_INFINITY
  private leastBefore = Number.POSITIVE_INFINITY
  private turnedAt = Number.NEGATIVE_INFINITY

  /** `stampedAt` on the other clock, `receivedAt` on our monotonic one; ms, never negative. */
  of(stampedAt: number, receivedAt: number): number {
    if (receivedAt - this.turnedAt >= memoryMs) {
      this.leastBefore = this.least
      this.least = Number.POSITIVE_INFINITY
      this.turnedAt = receivedAt
    }
    const took = receivedAt - stampedAt
    this.least = Math.min(this.least, took)
    const late = took - Math.min(this.least, this.leastBefore)
    if (late < memoryMs) return late
    this.least = took
    this.leastBefore = took
    return 0
  }
}
