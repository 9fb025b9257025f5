// Exact prices of a book that may be unsorted.
import { addDecimals, compareDecimals, multiplyDecimals, readDecimal } from '#core/decimal'
import type { Level } from '#schemas/marketData'

interface ExactLevel {
  price: string
  size: string
}

/** Between the best bid and the best ask; null: a side is empty. */
export function midPriceOf({ bids, asks }: { bids: readonly Level[]; asks: readonly Level[] }): string | null {
  const bid = bestOf(bids, Math.max)
  const ask = bestOf(asks, Math.min)
  if (bid === null || ask === null) return null
  return multiplyDecimals(addDecimals(bid, ask), '0.5')
}

function bestOf(levels: readonly Level[], better: (a: number, b: number) => number): string | null {
  let best: number | null = null
  for (const { price, size } of levels) if (size > 0) best = best === null ? price : better(best, price)
  return best === null ? null : readDecimal(best)
}

/** Those with a size above zero. */
export function sortedLevels(levels: readonly Level[], order: 'highestFirst' | 'lowestFirst'): ExactLevel[] {
  const rows = levels.toSorted((a, b) => (order === 'highestFirst' ? b.price - a.price : a.price - b.price))
  return rows.flatMap((level) => {
    const price = readDecimal(level.price)
    const size = readDecimal(level.size)
    return price === null || size === null || compareDecimals(size, '0') <= 0 ? [] : [{ price, size }]
  })
}
