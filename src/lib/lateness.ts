// How late the word of another machine arrives, told by two monotonic clocks whose difference nobody knows: whatever a message took beyond
// the fastest lately. A reader that slept finds old heartbeats waiting; this tells them from new ones, also where a wall clock is wrong.

/** The clocks of two machines drift apart by some milliseconds in this time. */
const memoryMs = 300_000

export class Lateness {
  private least = Number.POSITIVE_INFINITY
  private leastBefore = Number.POSITIVE_INFINITY
  private turnedAt = Number.NEGATIVE_INFINITY

  /** `saidAt` by the speaker's clock, `heardAt` by ours; never negative. */
  of(saidAt: number, heardAt: number): number {
    if (heardAt - this.turnedAt >= memoryMs) {
      this.leastBefore = this.least
      this.least = Number.POSITIVE_INFINITY
      this.turnedAt = heardAt
    }
    const took = heardAt - saidAt
    this.least = Math.min(this.least, took)
    return took - Math.min(this.least, this.leastBefore)
  }
}
