// The last level changes of one asset, with the venue's times. The feed has no sequence number, so this decides two questions exactly: was a
// late change overtaken by a newer one at its level, and what happened after a snapshot was taken.
import type { BookSide } from '../../venue.ts'

/** Changes remembered per asset: about a second of the busiest recorded markets, 10 KB. */
export const recentChangesMax = 512

/** The columns of a decoded frame that are remembered. */
interface ChangeColumns {
  /** By message: the venue's time, epoch ms. */
  readonly times: Float64Array
  /** By row. */
  readonly sides: Uint8Array
  readonly prices: Int32Array
  readonly sizes: Float64Array
}

export class RecentChanges {
  /** Price and side of each change packed into one number. */
  private readonly levels = new Int32Array(recentChangesMax)
  private readonly sizes = new Float64Array(recentChangesMax)
  private readonly times = new Float64Array(recentChangesMax)
  /** Changes ever pushed; the slot of change n is n modulo the capacity. */
  private pushed = 0
  /** Newest time pushed. */
  private newestTs = Number.NEGATIVE_INFINITY
  /**
   * Number after the last change that was older than its predecessor: from here on times increase, and nothing before is
   * newer.
   */
  private risingFrom = 0
  /** Newest time among overwritten changes; nothing older than it can be decided. */
  private evictedTs = Number.NEGATIVE_INFINITY

  /** Remembers a row of a frame, with the time of its message. Read from the columns: doubles as arguments would be allocated. */
  pushRow(frame: ChangeColumns, row: number, message: number): void {
    const { times, pushed } = this
    const slot = pushed & (recentChangesMax - 1)
    if (pushed >= recentChangesMax) {
      const overwrittenTs = times[slot] as number
      if (overwrittenTs > this.evictedTs) this.evictedTs = overwrittenTs
    }
    const ts = frame.times[message] as number
    this.levels[slot] = levelOf(frame.sides[row] as BookSide, frame.prices[row] as number)
    this.sizes[slot] = frame.sizes[row] as number
    times[slot] = ts
    this.pushed = pushed + 1
    if (ts >= this.newestTs) this.newestTs = ts
    else this.risingFrom = pushed + 1
  }

  /** True when every change with a time of `ts` or later is still remembered. */
  reachesBackTo(ts: number): boolean {
    return this.evictedTs < ts
  }

  /** True when the level was changed by an event newer than `ts`. */
  overtaken(side: BookSide, priceMicros: number, ts: number): boolean {
    const level = levelOf(side, priceMicros)
    for (let slot = Math.min(this.pushed, recentChangesMax) - 1; slot >= 0; slot--)
      if ((this.times[slot] as number) > ts && this.levels[slot] === level) return true
    return false
  }

  /** True when an identical change (side, price, size, time) was seen before. */
  seen(side: BookSide, priceMicros: number, size: number, ts: number): boolean {
    const level = levelOf(side, priceMicros)
    const oldest = Math.max(0, this.pushed - recentChangesMax)
    for (let n = this.pushed - 1; n >= oldest; n--) {
      const slot = n & (recentChangesMax - 1)
      const at = this.times[slot] as number
      // Newest first: where times increase, everything before this one is older still.
      if (at < ts && n >= this.risingFrom) return false
      if (at === ts && this.levels[slot] === level && this.sizes[slot] === size) return true
    }
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
        sideOf(this.levels[slot] as number),
        priceOf(this.levels[slot] as number),
        this.sizes[slot] as number,
        this.times[slot] as number,
      )
  }
}

const levelOf = (side: BookSide, priceMicros: number): number => priceMicros * 2 + side
const sideOf = (level: number): BookSide => (level & 1) as BookSide
const priceOf = (level: number): number => level >>> 1
