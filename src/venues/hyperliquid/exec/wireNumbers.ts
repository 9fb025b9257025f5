// Prices and sizes as the wire takes them: a price on the tick, a size in whole contracts. Rounding never goes against the caller:
// a buyer's limit falls, a seller's rises, a size shrinks.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/tick-and-lot-size
import { compareDecimals, readDecimal, toStep } from '#lib/decimal'
import { Fault } from '#lib/fault'

/** Of every outcome. Five digits behind the point below 1 are also five significant figures at most. */
export const tick = '0.00001'
const lowest = '0.00001'
const highest = '0.99999'
const sizeMax = '100000000000000'

export function wirePrice(price: number | string, isBuy: boolean): string {
  const asked = decimalOf('price', price)
  if (compareDecimals(asked, '0') <= 0 || compareDecimals(asked, '1') >= 0) {
    throw invalid('price', 'must lie between 0 and 1')
  }
  const rounded = toStep(asked, tick, isBuy ? 'down' : 'up')
  if (compareDecimals(rounded, lowest) < 0 || compareDecimals(rounded, highest) > 0) {
    throw invalid('price', `must lie between ${lowest} and ${highest}`)
  }
  return rounded
}

export function wireSize(size: number | string): string {
  const rounded = toStep(decimalOf('size', size), '1', 'down')
  if (compareDecimals(rounded, '1') < 0) throw invalid('size', 'must be at least one whole contract')
  if (compareDecimals(rounded, sizeMax) > 0) throw invalid('size', `must be at most ${sizeMax}`)
  return rounded
}

/** A caller's number as canonical text. */
export function decimalOf(field: string, value: number | string): string {
  const text = readDecimal(value)
  if (text === null) throw invalid(field, 'must be a plain decimal')
  return text
}

const invalid = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)
