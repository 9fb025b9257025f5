// Whole cents and whole contracts. Nothing is rounded: what is off the grid is refused.
import { compareDecimals, isOnStep, readDecimal, subtractDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'

const cent = '0.01'
const contractsMax = '999999999'

/** Canonical decimal text between 0.01 and 0.99. */
export function readPrice(given: number | string): string {
  const price = decimalOf('price', given)
  if (compareDecimals(price, cent) < 0 || compareDecimals(price, '0.99') > 0) {
    throw invalid('price', 'must lie between 0.01 and 0.99')
  }
  if (!isOnStep(price, cent)) throw invalid('price', 'must be whole cents')
  return price
}

export function readSize(given: number | string): string {
  const size = decimalOf('size', given)
  if (compareDecimals(size, '1') < 0 || !isOnStep(size, '1')) throw invalid('size', 'must be whole contracts')
  if (compareDecimals(size, contractsMax) > 0) throw invalid('size', `must be at most ${contractsMax}`)
  return size
}

/** Every order is one on YES: buying NO at q is selling YES at 1 − q. */
export function legOf(
  isBuy: boolean,
  outcomeSide: 'YES' | 'NO',
  price: string,
): { side: 'bid' | 'ask'; price: string } {
  const isYes = outcomeSide === 'YES'
  return { side: isBuy === isYes ? 'bid' : 'ask', price: wirePrice(isYes ? price : subtractDecimals('1', price)) }
}

const wirePrice = (price: string): string => price.padEnd('0.0000'.length, '0')
export const wireCount = (size: string): string => `${size}.00`

function decimalOf(field: string, value: number | string): string {
  const text = readDecimal(value)
  if (text === null) throw invalid(field, 'must be a plain decimal')
  return text
}

const invalid = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)
