// When batched work may run: at once while it takes less than half of the loop, otherwise once per tick. Idle markets pay no tick of
// latency, busy ones are conflated. The caller estimates costs from counts, so that a seeded run takes the same decisions every time.

/** Share of the time that may be spent outside the tick. */
const share = 0.5

export class AdaptiveBatcher {
  private readonly tickMs: number
  /** Milliseconds of work that may still run ahead of the tick. */
  private credit: number
  private at: number

  constructor(tickMs: number, now: number) {
    this.tickMs = tickMs
    this.credit = tickMs
    this.at = now
  }

  /** Milliseconds until a run; 0: at the end of this turn of the loop. */
  delayMs(now: number): number {
    this.refill(now)
    return this.credit > 0 ? 0 : this.tickMs
  }

  ran(costMs: number, now: number): void {
    this.refill(now)
    this.credit = Math.max(-this.tickMs, this.credit - costMs)
  }

  private refill(now: number): void {
    this.credit = Math.min(this.tickMs, this.credit + Math.max(0, now - this.at) * share)
    this.at = now
  }
}
