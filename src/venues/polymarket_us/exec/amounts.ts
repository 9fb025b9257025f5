// Prices and quantities as Polymarket US takes them. Nothing is rounded: what is off the grid is refused.
import { compareDecimals, isOnStep, readDecimal, subtractDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { CatalogFacts } from './catalogFacts.ts'

/** Significant digits every double keeps. */
const exactDigits = 15

export function readPrice(price: number | string, { tick }: CatalogFacts): string {
  const asked = decimalOf('price', price)
  if (compareDecimals(asked, '0') <= 0 || compareDecimals(asked, '1') >= 0) {
    throw invalid('price', 'must lie between 0 and 1')
  }
  if (!isOnStep(asked, tick)) throw invalid('price', `must be a multiple of ${tick}`)
  return asked
}

/** Whole contracts, or multiples of the minimum where that is below one. */
export function readQuantity(amount: number | string, { minimumQuantity }: CatalogFacts): string {
  const asked = decimalOf('amount', amount)
  const step =
    compareDecimals(minimumQuantity, '1') < 0 && compareDecimals(minimumQuantity, '0') > 0 ? minimumQuantity : '1'
  const least = compareDecimals(minimumQuantity, step) > 0 ? minimumQuantity : step
  if (compareDecimals(asked, least) < 0) throw invalid('amount', `must be at least ${least}`)
  if (!isOnStep(asked, step)) throw invalid('amount', `must be a multiple of ${step}`)
  if (asked.replace('.', '').length > exactDigits || String(Number(asked)) !== asked) {
    throw invalid('amount', 'has more digits than the venue’s number can carry')
  }
  return asked
}

/** The wire always names the long side’s price. */
export const wirePrice = (price: string, side: 'YES' | 'NO'): string =>
  side === 'YES' ? price : subtractDecimals('1', price)

/** Of two decimals as the venue writes them, `0.4100` and `0.41`. */
export function sameAmount(a: string, b: string): boolean {
  const [x, y] = [readDecimal(a), readDecimal(b)]
  return x !== null && x === y
}

function decimalOf(field: string, value: number | string): string {
  const text = readDecimal(value)
  if (text === null) throw invalid(field, 'must be a plain decimal')
  return text
}

const invalid = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)
