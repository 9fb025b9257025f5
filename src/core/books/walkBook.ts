// The cost of buying or selling a size: the volume-weighted price over the levels it takes, best first.
import { ONE, toProbability } from '#core/price'
import type { Level } from '#schemas/marketData'
import type { BookSide } from '#venues/venue'
import { type Book, emptySize } from './book.ts'

export interface ExecutionPrice {
  /** Mean probability paid or received for the filled part; null when nothing fills. */
  price: number | null
  /** Contracts or shares. */
  filledAmount: number
  fullyFilled: boolean
}

export type TradeSide = 'buy' | 'sell'

const nothing: Readonly<ExecutionPrice> = { price: null, filledAmount: 0, fullyFilled: false }

/** Rounding error that may remain after subtracting every level from an amount. */
const relativeDust = 1e-12

let prices = new Int32Array(256)
let sizes = new Float64Array(256)

/**
 * Sweeps `count` levels, best first, prices in micros. An amount that is not a positive number fills nothing. The mean is computed
 * as a distance from the best price, so that a fill on one level is exactly that level's price.
 */
export function sweepLevels(
  micros: ArrayLike<number>,
  size: ArrayLike<number>,
  count: number,
  amount: number,
): ExecutionPrice {
  if (!(amount > 0 && amount < Infinity) || count === 0) return { ...nothing }
  const best = micros[0]!
  let left = amount
  let filled = 0
  let distance = 0
  for (let i = 0; i < count && left > 0; i++) {
    const take = Math.min(size[i]!, left)
    distance += (micros[i]! - best) * take
    filled += take
    left -= take
  }
  const fullyFilled = left <= Math.max(emptySize, amount * relativeDust)
  const filledAmount = fullyFilled ? amount : filled
  if (!(filledAmount > 0)) return { ...nothing }
  return { price: toProbability(best + distance / filledAmount), filledAmount, fullyFilled }
}

/** Sweeps one side of a book: ASK to buy, BID to sell. */
export function sweepBook(book: Book, side: BookSide, amount: number): ExecutionPrice {
  const count = book.count(side)
  if (count > prices.length) {
    prices = new Int32Array(count * 2)
    sizes = new Float64Array(count * 2)
  }
  return sweepLevels(prices, sizes, book.copyLevels(side, count, prices, sizes), amount)
}

/** The same over a user-posted book: levels in any order; a level without a price in [0,1] and a positive size is ignored. */
export function sweepPosted(book: { bids?: unknown; asks?: unknown }, side: TradeSide, amount: number): ExecutionPrice {
  const levels = postedLevels(side === 'buy' ? book.asks : book.bids)
  levels.sort(side === 'buy' ? (a, b) => a.price - b.price : (a, b) => b.price - a.price)
  const micros = levels.map((level) => level.price * ONE)
  const amounts = levels.map((level) => level.size)
  return sweepLevels(micros, amounts, levels.length, amount)
}

function postedLevels(side: unknown): Level[] {
  if (!Array.isArray(side)) return []
  return side.filter((level: unknown): level is Level => {
    if (typeof level !== 'object' || level === null) return false
    const { price, size } = level as Partial<Record<keyof Level, unknown>>
    return (
      typeof price === 'number' && price >= 0 && price <= 1 && typeof size === 'number' && size > 0 && size < Infinity
    )
  })
}
