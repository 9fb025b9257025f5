// The last level changes of one asset, with the venue's times. The feed has no sequence number, so this is what decides two questions exactly:
// was a late change overtaken by a newer one at its level, and what happened after the moment a snapshot was taken.
import type { BookSide } from '../../venue.ts'
import type { DecodedFrame } from './frame.ts'

/** Changes remembered per asset: about a second of the busiest recorded markets, 11 KB. */
export const recentChangesMax = 512

export class RecentChanges {
  private readonly sides = new Uint8Array(recentChangesMax)
  private readonly prices = new Int32Array(recentChangesMax)
  private readonly sizes = new Float64Array(recentChangesMax)
  private readonly times = new Float64Array(recentChangesMax)
  /** Changes ever pushed; the slot of change n is n modulo the capacity. */
  private pushed = 0
  /** Newest time among changes that were overwritten; nothing older than it can be judged. */
  private forgottenTs = Number.NEGATIVE_INFINITY

  /** Remembers a row of a frame, with the time of its message. Read from the columns: doubles as arguments would be allocated. */
  pushRow(frame: DecodedFrame, row: number, message: number): void {
    const slot = this.pushed & (recentChangesMax - 1)
    if (this.pushed >= recentChangesMax) {
      const forgotten = this.times[slot] as number
      if (forgotten > this.forgottenTs) this.forgottenTs = forgotten
    }
    this.sides[slot] = frame.sides[row] as number
    this.prices[slot] = frame.prices[row] as number
    this.sizes[slot] = frame.sizes[row] as number
    this.times[slot] = frame.times[message] as number
    this.pushed++
  }

  /** True when every change with a time of `ts` or later is still remembered. */
  reachesBackTo(ts: number): boolean {
    return this.forgottenTs < ts
  }

  /** True when the level was changed by an event newer than `ts`. */
  overtaken(side: BookSide, priceMicros: number, ts: number): boolean {
    for (let slot = Math.min(this.pushed, recentChangesMax) - 1; slot >= 0; slot--)
      if ((this.times[slot] as number) > ts && this.prices[slot] === priceMicros && this.sides[slot] === side)
        return true
    return false
  }

  /** True when the very same change (side, price, size, time) was seen before. */
  seen(side: BookSide, priceMicros: number, size: number, ts: number): boolean {
    for (let slot = Math.min(this.pushed, recentChangesMax) - 1; slot >= 0; slot--)
      if (
        this.times[slot] === ts &&
        this.prices[slot] === priceMicros &&
        this.sides[slot] === side &&
        this.sizes[slot] === size
      )
        return true
    return false
  }

  /** Calls `apply` for every remembered change at `ts` or later, oldest event first, arrival order among equals. */
  replay(ts: number, apply: (side: BookSide, priceMicros: number, size: number, at: number) => void): void {
    const from = Math.max(0, this.pushed - recentChangesMax)
    const order: number[] = []
    for (let n = from; n < this.pushed; n++) {
      const slot = n & (recentChangesMax - 1)
      if ((this.times[slot] as number) >= ts) order.push(slot)
    }
    const arrival = new Map(order.map((slot, index) => [slot, index]))
    order.sort(
      (a, b) => (this.times[a] as number) - (this.times[b] as number) || (arrival.get(a) ?? 0) - (arrival.get(b) ?? 0),
    )
    for (const slot of order)
      apply(
        this.sides[slot] as BookSide,
        this.prices[slot] as number,
        this.sizes[slot] as number,
        this.times[slot] as number,
      )
  }
}
