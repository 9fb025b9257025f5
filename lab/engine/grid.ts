// The price grids: which prices may be quoted. Prices are integer micros of the YES outcome.

export interface PriceRange {
  startMicros: number
  endMicros: number
  stepMicros: number
}

export interface Grid {
  name: 'cent' | 'milli' | 'tapered'
  /** Smallest step, micros. */
  stepMicros: number
  ranges: readonly PriceRange[]
  /** Every quotable price in ascending order, 0 and 1 excluded. */
  prices: readonly number[]
  /** Index of a price, −1 when it is off the grid. */
  indexOf(priceMicros: number): number
  /** Index of the highest price at or below `priceMicros`, −1 below the first. */
  floorIndex(priceMicros: number): number
}

function createGrid(name: Grid['name'], ranges: readonly PriceRange[]): Grid {
  const prices: number[] = []
  for (const range of ranges) {
    for (let price = range.startMicros; price < range.endMicros; price += range.stepMicros) {
      if (price > 0) prices.push(price)
    }
  }
  const milliToIndex = new Int16Array(1001).fill(-1)
  prices.forEach((price, index) => {
    milliToIndex[price / 1000] = index
  })
  const indexOf = (priceMicros: number) => (priceMicros % 1000 === 0 ? (milliToIndex[priceMicros / 1000] ?? -1) : -1)
  return {
    name,
    stepMicros: Math.min(...ranges.map((range) => range.stepMicros)),
    ranges,
    prices,
    indexOf,
    floorIndex(priceMicros) {
      for (let milli = Math.min(999, Math.floor(priceMicros / 1000)); milli > 0; milli--) {
        const index = milliToIndex[milli]!
        if (index >= 0) return index
      }
      return -1
    },
  }
}

export const grids = {
  cent: createGrid('cent', [{ startMicros: 0, endMicros: 1_000_000, stepMicros: 10_000 }]),
  milli: createGrid('milli', [{ startMicros: 0, endMicros: 1_000_000, stepMicros: 1_000 }]),
  tapered: createGrid('tapered', [
    { startMicros: 0, endMicros: 100_000, stepMicros: 1_000 },
    { startMicros: 100_000, endMicros: 900_000, stepMicros: 10_000 },
    { startMicros: 900_000, endMicros: 1_000_000, stepMicros: 1_000 },
  ]),
} as const

export type GridName = keyof typeof grids
