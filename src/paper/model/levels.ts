// Reads sides of a book: arrays of levels, best first.
import type { PaperLevel } from './types.ts'

export type Side = 'buy' | 'sell'

/** Sign by which prices of a side's levels rise from best to worst. */
const direction = (side: Side): 1 | -1 => (side === 'buy' ? -1 : 1)

/** Index of a price among a side's levels, −1 when it has none. `hint`: where it was before. */
export function levelIndex(levels: readonly PaperLevel[], side: Side, price: number, hint: number): number {
  const sign = direction(side)
  let low = 0
  let high = levels.length - 1
  if (high < 0 || (levels[0]![0] - price) * sign > 0) return -1
  // One level more or less before it is the usual change.
  if (hint > 0 && hint < high) {
    if (levels[hint]![0] === price) return hint
    if (levels[hint - 1]![0] === price) return hint - 1
    if (levels[hint + 1]![0] === price) return hint + 1
  }
  while (low <= high) {
    const middle = (low + high) >> 1
    const distance = (levels[middle]![0] - price) * sign
    if (distance === 0) return middle
    if (distance < 0) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** An order of this side at `limit` trades with an opposite level at `price`. */
export const reaches = (side: Side, limit: number, price: number): boolean =>
  side === 'buy' ? price <= limit : price >= limit

/** Size of the opposite levels that an order of this side at `limit` trades with. */
export function sizeWithin(opposite: readonly PaperLevel[], side: Side, limit: number): number {
  let size = 0
  for (const [price, levelSize] of opposite) {
    if (!reaches(side, limit, price)) break
    size += levelSize
  }
  return size
}
