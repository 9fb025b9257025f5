// Exact prices of a book that may be unsorted.
import { addDecimals, compareDecimals, multiplyDecimals, readDecimal } from '#core/decimal'
import type { Level } from '#schemas/marketData'

interface ExactLevel {
  price: string
  size: string
}

/** Between the best bid and the best ask; null: a side is empty. */
export function midPriceOf({ bids, asks }: { bids: readonly Level[]; asks: readonly Level[] }): string | null {
  const [bid] = sortedLevels(bids, 'highestFirst')
  const [ask] = sortedLevels(asks, 'lowestFirst')
  if (bid === undefined || ask === undefined) return null
  return multiplyDecimals(addDecimals(bid.price, ask.price), '0.5')
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
