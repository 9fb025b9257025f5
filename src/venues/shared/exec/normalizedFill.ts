// A stored fill in venue-neutral terms, from its members as the venue wrote them. Rows of earlier versions are read as
// well, so nothing here throws: a value that cannot be read is null.
import { compareDecimals, fromUnits, multiplyDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'

/** Text or a number as canonical decimal text. Null: neither, or with an exponent. */
export function decimalIn(value: unknown): string | null {
  if (typeof value === 'number') return readDecimal(value)
  if (typeof value !== 'string') return null
  return readDecimal(value.startsWith('.') ? `0${value}` : value)
}

/** Base units of a token, text or a number, as text. */
export function baseUnitsIn(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{1,78}$/.test(text) ? text : null
}

/** Base units of a token, as text or a number. */
export function unitsIn(value: unknown, decimals: number): string | null {
  const units = baseUnitsIn(value)
  return units === null ? null : fromUnits(BigInt(units), decimals)
}

/** A filled order without a count is filled to its size. */
export const wholeSize = (status: unknown, statusOf: (status: string) => unknown, size: unknown): string | null =>
  typeof status === 'string' && statusOf(status) === 'filled' ? decimalIn(size) : null

/** Null: one of the two is unknown, or no order trades at such a price. */
export function cashAt(size: string | null, price: string | null): string | null {
  if (size === null || price === null) return null
  if (compareDecimals(price, '0') <= 0 || compareDecimals(price, '1') >= 0) return null
  return multiplyDecimals(size, price)
}

/** One minus the price; null when it is unknown. */
export const otherPrice = (price: string | null): string | null =>
  price === null ? null : subtractDecimals('1', price)

/** The price of the order's own outcome, at a venue with one book, which is that of YES. */
export function ownPrice(yesPrice: string | null, { terms }: Pick<FilledOrder, 'terms'>): string | null {
  if (terms === null) return null
  return terms.outcomeSide === 'YES' ? yesPrice : otherPrice(yesPrice)
}

interface Found extends Pick<NormalizedFill, 'cash' | 'fee'> {
  size: string | null
  /** Default: cash. */
  feeIn?: NormalizedFill['feeIn']
  cumulative?: boolean
}

/** Null without a size above zero. */
export function normalizedFill({
  size: found,
  cash,
  fee,
  feeIn = 'cash',
  cumulative = false,
}: Found): NormalizedFill | null {
  const size = decimalIn(found)
  if (size === null || compareDecimals(size, '0') <= 0) return null
  return { size, cash: decimalIn(cash), fee: decimalIn(fee), feeIn, ...(cumulative && { cumulative: true as const }) }
}
