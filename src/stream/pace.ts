// When the next fan-out may run: at once while fan-out takes less than half of the loop, else once per tick. Idle markets pay no tick
// of latency, busy ones are conflated. Costs are estimated from counts, so that a seeded run takes the same decisions every time.

/** A socket write costs the kernel about this much, whoever calls it (measured 2.6 to 3.6 us). */
const writeCostMs = 0.0035
/** A frame inside a corked write (measured 0.4 to 0.6 us). */
const frameCostMs = 0.0005
/** Part of the time that fan-outs outside the tick may take. */
const share = 0.5

export class Pace {
  private readonly tickMs: number
  /** Milliseconds of fan-out that may still run ahead of the tick. */
  private credit: number
  private at: number

  constructor(tickMs: number, now: number) {
    this.tickMs = tickMs
    this.credit = tickMs
    this.at = now
  }

  /** Milliseconds until a fan-out may run; 0: at the end of this turn of the loop. */
  delayMs(now: number): number {
    this.refill(now)
    return this.credit > 0 ? 0 : this.tickMs
  }

  ran(writes: number, frames: number, now: number): void {
    this.refill(now)
    this.credit = Math.max(-this.tickMs, this.credit - writes * writeCostMs - frames * frameCostMs)
  }

  private refill(now: number): void {
    this.credit = Math.min(this.tickMs, this.credit + Math.max(0, now - this.at) * share)
    this.at = now
  }
}
