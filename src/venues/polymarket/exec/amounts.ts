// Price and size as the exchange takes them: base units of six decimals, cut as the venue's client cuts them.
import {
  compareDecimals,
  isOnStep,
  multiplyDecimals,
  readDecimal,
  roundDecimal,
  subtractDecimals,
  toUnits,
} from '#lib/decimal'
import { Fault } from '#lib/fault'

/** pUSD and outcome tokens alike. */
const baseDecimals = 6
const sizeDecimals = 2
/** Beyond it the venue's own client loses digits. */
const sizeMax = '1000000000'

/** The ticks the venue's client knows. On each of them price × two-decimal size fits into six decimals, so cash is never rounded. */
export const knownTicks: readonly string[] = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001']

export interface Amounts {
  /** Decimal strings. */
  price: string
  size: string
  cash: string
  makerAmount: string
  takerAmount: string
}

export function amountsOf(
  isBuy: boolean,
  givenPrice: number | string,
  givenSize: number | string,
  tick: string,
): Amounts {
  const price = readPrice(givenPrice, tick)
  const size = readSize(givenSize)
  const cash = multiplyDecimals(price, size)
  const [cashUnits, shareUnits] = [cash, size].map((text) => toUnits(text, baseDecimals).toString()) as [string, string]
  return {
    price,
    size,
    cash,
    makerAmount: isBuy ? cashUnits : shareUnits,
    takerAmount: isBuy ? shareUnits : cashUnits,
  }
}

function readPrice(given: number | string, tick: string): string {
  const price = decimalOf('price', given)
  if (compareDecimals(price, tick) < 0 || compareDecimals(price, subtractDecimals('1', tick)) > 0) {
    throw invalid('price', `must lie between ${tick} and ${subtractDecimals('1', tick)}`)
  }
  if (!isOnStep(price, tick)) throw invalid('price', `must be a multiple of the market's tick ${tick}`)
  return price
}

function readSize(given: number | string): string {
  const asked = decimalOf('size', given)
  if (compareDecimals(asked, sizeMax) > 0) throw invalid('size', `must be at most ${sizeMax}`)
  const size = roundDecimal(asked, sizeDecimals, 'down')
  if (compareDecimals(size, '0') <= 0) throw invalid('size', 'is nothing after rounding down to two decimals')
  return size
}

function decimalOf(field: string, value: number | string): string {
  const text = readDecimal(value)
  if (text === null) throw invalid(field, 'must be a plain decimal')
  return text
}

const invalid = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)
