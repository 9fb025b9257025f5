// The cost of a size against a given book. Pure; the book comes from the caller and is not trusted to be sorted.
import { z } from 'zod'
import type { Level } from '#schemas/marketData'

/** Volume-weighted price of the whole amount; null when the book cannot fill it, with the reason and what it could fill. */
export const ExecutionPrice = z.object({
  price: z.number().nullable(),
  filledAmount: z.number(),
  fullyFilled: z.boolean(),
  /** Volume-weighted price of `filledAmount`; null when nothing fills. */
  partialPrice: z.number().nullable(),
  reason: z.enum(['EMPTY_SIDE', 'INSUFFICIENT_DEPTH']).nullable(),
})
export type ExecutionPrice = z.infer<typeof ExecutionPrice>

export interface Sides {
  bids: readonly Level[]
  asks: readonly Level[]
}

/** A buyer takes asks from the lowest, a seller hits bids from the highest. `amount` > 0, in contracts or shares. */
export function executionPrice(book: Sides, side: 'buy' | 'sell', amount: number): ExecutionPrice {
  const levels =
    side === 'buy' ? [...book.asks].sort((a, b) => a.price - b.price) : [...book.bids].sort((a, b) => b.price - a.price)
  let filled = 0
  let cost = 0
  for (const level of levels) {
    const take = Math.min(level.size, amount - filled)
    if (take <= 0) break
    filled += take
    cost += take * level.price
  }
  const fullyFilled = amount - filled <= amount * 1e-12
  const average = filled === 0 ? null : withoutNoise(cost / filled)
  return {
    price: fullyFilled ? average : null,
    filledAmount: fullyFilled ? amount : filled,
    fullyFilled,
    partialPrice: average,
    reason: fullyFilled ? null : filled === 0 ? 'EMPTY_SIDE' : 'INSUFFICIENT_DEPTH',
  }
}

/** Doubles add 0.1 and 0.2 to 0.30000000000000004; twelve decimals exceed any venue's grid. */
const withoutNoise = (value: number): number => Math.round(value * 1e12) / 1e12
