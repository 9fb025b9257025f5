// What an order gives and takes, as the official client computes it: three significant digits of a price, five of a
// quantity.
import { compareDecimals, fromUnits, multiplyDecimals, toUnits } from '#core/decimal'
import { checkAtMost, checkProbability, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import { makerTakerAmounts } from '../../shared/exec/typedOrder.ts'

/** Of USDT and of shares. */
export const decimals = 18
const priceDigits = 3
const sizeDigits = 5
/** The official client's minimum. */
const sizeMin = '0.01'
/** Our maximum for a venue without a limit of its own. */
const sizeMax = '1000000000'

export interface AmountsRequest {
  isBuy: boolean
  price: number | string
  size: number | string
  /** Null: not published. */
  tick: string | null
}

/** Decimal strings; given and taken amounts in base units. */
export interface Amounts {
  price: string
  size: string
  makerAmount: string
  takerAmount: string
}

export function amountsOf({ isBuy, price: givenPrice, size: givenSize, tick }: AmountsRequest): Amounts {
  const price = decimalOf('price', givenPrice)
  checkProbability('price', price)
  // Truncated like the client does, a seller would be paid less than requested.
  if (digitsOf(price) > priceDigits) throw invalid('price', `must have ${priceDigits} significant digits at most`)
  if (tick !== null) checkStep('price', price, tick)
  const requestedSize = decimalOf('size', givenSize)
  if (compareDecimals(requestedSize, sizeMin) < 0) throw invalid('size', `must be at least ${sizeMin} shares`)
  checkAtMost('size', requestedSize, sizeMax)
  const size = cutSize(requestedSize)
  const cash = multiplyDecimals(price, size)
  return { price, size, ...makerTakerAmounts({ isBuy, shares: size, cash }, { decimals, rounding: 'down' }) }
}

const digitsOf = (decimal: string): number => decimal.replace('.', '').replace(/^0+/, '').length

function cutSize(requestedSize: string): string {
  const [whole = '', fraction = ''] = requestedSize.split('.')
  const units = toUnits(`${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`, decimals)
  const step = 10n ** BigInt(Math.max(0, units.toString().length - sizeDigits))
  return fromUnits(units - (units % step), decimals)
}

export const priceUnits = (price: string): string => toUnits(price, decimals).toString()
