// One market's true book on the YES scale: sizes by grid index, in integer hundredths so that sums never drift.
import type { Grid } from './grid.ts'

export const BID = 0
export const ASK = 1
export type Side = typeof BID | typeof ASK

/** Price in micros, size in contracts or shares. */
export type Level = [priceMicros: number, size: number]

export class LabBook {
  grid: Grid
  private sizes: [Float64Array, Float64Array]
  private counts: [number, number] = [0, 0]
  /** Grid index of the best level; −1 (bids) or grid length (asks) when the side is empty. */
  bestBid = -1
  bestAsk: number

  constructor(grid: Grid) {
    this.grid = grid
    this.sizes = [new Float64Array(grid.prices.length), new Float64Array(grid.prices.length)]
    this.bestAsk = grid.prices.length
  }

  /** Hundredths at a level, 0 when empty. */
  at(side: Side, index: number): number {
    return this.sizes[side][index] ?? 0
  }

  count(side: Side): number {
    return this.counts[side]
  }

  /** Replaces a level's total, in hundredths. */
  set(side: Side, index: number, hundredths: number): void {
    const sizes = this.sizes[side]
    const before = sizes[index]
    if (before === undefined || before === hundredths) return
    sizes[index] = hundredths
    if (before === 0) this.counts[side]++
    if (hundredths === 0) this.counts[side]--
    if (side === BID) {
      if (hundredths > 0) this.bestBid = Math.max(this.bestBid, index)
      else if (index === this.bestBid) while (this.bestBid >= 0 && sizes[this.bestBid] === 0) this.bestBid--
    } else if (hundredths > 0) this.bestAsk = Math.min(this.bestAsk, index)
    else if (index === this.bestAsk) while (this.bestAsk < sizes.length && sizes[this.bestAsk] === 0) this.bestAsk++
  }

  /** Null when there are no bids. */
  bestBidMicros(): number | null {
    return this.grid.prices[this.bestBid] ?? null
  }

  bestAskMicros(): number | null {
    return this.grid.prices[this.bestAsk] ?? null
  }

  /** Grid index of the n-th best level of a side (0 = best), −1 when there are fewer. */
  nthIndex(side: Side, n: number): number {
    const sizes = this.sizes[side]
    const step = side === BID ? -1 : 1
    let left = n
    for (let i = side === BID ? this.bestBid : this.bestAsk; i >= 0 && i < sizes.length; i += step) {
      if (sizes[i]! > 0 && left-- === 0) return i
    }
    return -1
  }

  /** Visits levels best first; sizes in hundredths. */
  each(side: Side, visit: (index: number, hundredths: number) => void): void {
    const sizes = this.sizes[side]
    const step = side === BID ? -1 : 1
    let left = this.counts[side]
    for (let i = side === BID ? this.bestBid : this.bestAsk; left > 0 && i >= 0 && i < sizes.length; i += step) {
      const size = sizes[i]!
      if (size === 0) continue
      left--
      visit(i, size)
    }
  }

  /** Best first. */
  levels(side: Side): Level[] {
    const out: Level[] = []
    this.each(side, (index, hundredths) => out.push([this.grid.prices[index]!, hundredths / 100]))
    return out
  }

  clear(): void {
    this.sizes = [new Float64Array(this.grid.prices.length), new Float64Array(this.grid.prices.length)]
    this.counts = [0, 0]
    this.bestBid = -1
    this.bestAsk = this.grid.prices.length
  }

  /** Moves to another grid; levels off the new grid are dropped. */
  regrid(grid: Grid): void {
    const kept = ([BID, ASK] as const).map((side) => this.levels(side))
    this.grid = grid
    this.clear()
    for (const side of [BID, ASK] as const) {
      for (const [price, size] of kept[side]!) {
        const index = grid.indexOf(price)
        if (index >= 0) this.set(side, index, Math.round(size * 100))
      }
    }
  }
}
