// What an order gives and takes, as the venue's clients compute it: the given amount is truncated to four significant digits, and both sides are
// then the same multiple of a fraction, so that their quotient is the price to the last unit.
import { compareDecimals, fromUnits, multiplyDecimals, roundDecimal, toUnits } from '#core/decimal'
import { checkAtMost, checkBetween, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'

/** The documented range. */
const [lowest, highest] = ['0.01', '0.99']
/** The official client's minimum. */
const sizeMin = '1'
/** Our maximum for a venue without a limit of its own. */
const sizeMax = '1000000000'
/** Used by the official client to write a price as a fraction. */
const priceDecimals = 6
const one = 10n ** BigInt(priceDecimals)
const significantDigits = 4

export interface AmountsRequest {
  isBuy: boolean
  price: number | string
  size: number | string
  /** The price's grid, decimal string. */
  tick: string
  /** Of the payment token, and so of the shares. */
  decimals: number
}

/** Decimal strings; given and taken amounts in base units. `size`: the order's shares after truncation. */
export interface Amounts {
  price: string
  size: string
  makerAmount: string
  takerAmount: string
}

export function amountsOf({ isBuy, price: givenPrice, size: givenSize, tick, decimals }: AmountsRequest): Amounts {
  const price = decimalOf('price', givenPrice)
  checkBetween('price', price, lowest, highest)
  checkStep('price', price, tick)
  const requestedSize = decimalOf('size', givenSize)
  if (compareDecimals(requestedSize, sizeMin) < 0) throw invalid('size', `must be at least ${sizeMin} share`)
  checkAtMost('size', requestedSize, sizeMax)
  const given = isBuy ? multiplyDecimals(price, requestedSize) : requestedSize
  const units = truncatedAt(toUnits(roundDecimal(given, decimals, 'down'), decimals))
  const numerator = toUnits(price, priceDecimals)
  const parts = units / (isBuy ? numerator : one)
  if (parts === 0n) throw invalid('size', 'is too small to be written at this price')
  const [cash, shares] = [parts * numerator, parts * one]
  return {
    price,
    size: fromUnits(shares, decimals),
    makerAmount: String(isBuy ? cash : shares),
    takerAmount: String(isBuy ? shares : cash),
  }
}

/** Towards zero: rounded like the venue's Python client, an order could cost more than requested. */
export function truncatedAt(units: bigint): bigint {
  const step = 10n ** BigInt(Math.max(0, units.toString().length - significantDigits))
  return units - (units % step)
}
