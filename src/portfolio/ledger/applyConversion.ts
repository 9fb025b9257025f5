// Conversions. Nothing is earned with one: the cost of the shares that are given, less the cash, is the cost of those
// received, divided equally among them. Cash beyond that cost is realised, and so is the difference when all outcomes
// are given and nothing but cash is received. Shares that are not held are given for nothing: their purchase may be
// reported later.
//
// The cost is the average one, also of what is counted first in, first out.
import type { AccountBook } from './accountBook.ts'
import { type Amount, parseAmount, plus, splitByWeights } from './amounts.ts'
import type { ConversionEntry } from './entry.ts'

export function applyConversion(book: AccountBook, entry: ConversionEntry): void {
  const { at, venue, currency } = entry
  if (entry.gives.length === 0) throw new RangeError(`conversion ${entry.id} gives nothing`)
  const cash = parseAmount(entry.cash)
  book.balance(entry).receive(cash)
  const gives = entry.gives.map(({ size, ...outcome }) => {
    const position = book.position({ venue, ...outcome })
    const shares = parseAmount(size)
    const { held, cost } = position.heldOf(shares)
    // Its cost is in another currency.
    return { position, shares, held, cost: held > 0n && position.currency !== currency ? null : cost }
  })
  const { proceeds, prices } = dividedCash(
    gives.map(({ cost }) => cost),
    entry.receives.length,
    cash,
  )
  gives.forEach(({ position, shares, held }, i) => {
    book.move(position, currency, { at, shares: -held, cash: proceeds[i]!, fee: 0n })
    if (held < shares) book.move(position, currency, { at, shares: held - shares, cash: 0n, fee: 0n })
  })
  entry.receives.forEach(({ size, ...outcome }, i) => {
    const price = prices[i]!
    const position = book.position({ venue, ...outcome })
    book.move(position, currency, { at, shares: parseAmount(size), cash: price === null ? null : -price, fee: 0n })
  })
}

/** `proceeds` of the given, less the `prices` of the received, are the cash. */
function dividedCash(
  costs: readonly Amount[],
  received: number,
  cash: bigint,
): { proceeds: readonly Amount[]; prices: readonly Amount[] } {
  const total = costs.reduce(plus, 0n)
  if (total === null) return { proceeds: costs.map(() => null), prices: Array.from({ length: received }, () => null) }
  const price = total - cash
  if (received > 0 && price >= 0n) return { proceeds: costs, prices: divided(price, received) }
  return { proceeds: divided(cash, costs.length), prices: divided(0n, received) }
}

const divided = (amount: bigint, count: number): bigint[] =>
  splitByWeights(
    amount,
    Array.from({ length: count }, () => 1n),
  )
