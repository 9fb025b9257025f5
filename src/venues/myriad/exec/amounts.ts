// A caller's price and size. The only steps are the decimals of the venue's tokens; more digits are refused.
import { checkAtMost, checkProbability, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'

/** Of a price. */
export const priceDecimals = 18
/** Shares; no plausible order is larger. */
const sizeMax = '1000000000'

const lastDigit = (decimals: number): string => (decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`)

export function readPrice(given: number | string): string {
  const price = decimalOf('price', given)
  checkProbability('price', price)
  checkStep('price', price, lastDigit(priceDecimals))
  return price
}

/** `decimals`: of the collateral, and so of the shares. */
export function readSize(given: number | string, decimals: number): string {
  const size = decimalOf('size', given)
  checkAtMost('size', size, sizeMax)
  checkStep('size', size, lastDigit(decimals))
  if (size === '0' || size.startsWith('-')) throw invalid('size', 'must be more than nothing')
  return size
}
