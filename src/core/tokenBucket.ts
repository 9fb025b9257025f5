// A rate with bursts: units refill at a steady pace, up to the burst; what is spent ahead is a debt. The caller supplies the time, in milliseconds
// of one clock, and decides what happens when there are too few.

export interface BucketRate {
  /** Units refilled per second. */
  perSecond: number
  /** Units that can be spent at once. */
  burst: number
}

export class TokenBucket {
  private readonly perMs: number
  private burst: number
  private units: number
  private filledAt: number

  /** Full at first. */
  constructor({ perSecond, burst }: BucketRate, now: number) {
    this.perMs = perSecond / 1_000
    this.burst = burst
    this.units = burst
    this.filledAt = now
  }

  /** As of the last `fill`; negative: spent ahead. */
  get level(): number {
    return this.units
  }

  get capacity(): number {
    return this.burst
  }

  /** Adds what was refilled since the last call. */
  fill(now: number): void {
    this.units = Math.min(this.burst, this.units + Math.max(0, now - this.filledAt) * this.perMs)
    this.filledAt = now
  }

  spend(units: number): void {
    this.units -= units
  }

  refund(units: number): void {
    this.units = Math.min(this.burst, this.units + units)
  }

  /** Enlarges the burst, never shrinks it; the difference is available at once. */
  widen(burst: number): void {
    const more = burst - this.burst
    if (more <= 0) return
    this.burst = burst
    this.units += more
  }

  /** How long until so many units are available, ms; 0 when they are. */
  waitMs(units: number): number {
    const missing = units - this.units
    // Doubles lose up to a thousandth of a unit.
    return missing > 1e-3 ? missing / this.perMs : 0
  }
}
