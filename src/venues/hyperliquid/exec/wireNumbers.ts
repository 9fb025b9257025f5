// Prices and sizes in wire format: a price on the tick, a size in whole contracts. Rounding never goes against the caller:
// a buyer's limit falls, a seller's rises, a size shrinks.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/tick-and-lot-size
import { compareDecimals, toStep } from '#core/decimal'
import { checkAtMost, checkBetween, checkProbability, decimalOf, invalid } from '../../shared/exec/amounts.ts'

/** For every outcome. Five decimals below 1 are also at most five significant figures. */
export const tick = '0.00001'
const lowest = '0.00001'
const highest = '0.99999'
const sizeMax = '100000000000000'

export function wirePrice(price: number | string, isBuy: boolean): string {
  const requestedPrice = decimalOf('price', price)
  checkProbability('price', requestedPrice)
  const rounded = toStep(requestedPrice, tick, isBuy ? 'down' : 'up')
  checkBetween('price', rounded, lowest, highest)
  return rounded
}

export function wireSize(size: number | string): string {
  const rounded = toStep(decimalOf('size', size), '1', 'down')
  if (compareDecimals(rounded, '1') < 0) throw invalid('size', 'must be at least one whole contract')
  checkAtMost('size', rounded, sizeMax)
  return rounded
}
