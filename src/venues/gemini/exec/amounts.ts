// Prices and quantities as Gemini Predictions takes them. Nothing is rounded: what is off the grid is refused.
import { compareDecimals, isOnStep, readDecimal } from '#lib/decimal'
import { Fault } from '#lib/fault'

const lowest = '0.01'
const highest = '0.99'
const contractsMax = '100000000'

/** Two digits at least, as the venue's own client writes them. */
export function readPrice(price: number | string, tick: string): string {
  const asked = decimalOf('price', price)
  if (compareDecimals(asked, lowest) < 0 || compareDecimals(asked, highest) > 0) {
    throw invalid('price', `must lie between ${lowest} and ${highest}`)
  }
  if (!isOnStep(asked, tick)) throw invalid('price', `must be a multiple of ${tick}`)
  return asked.padEnd(4, '0')
}

export function readQuantity(size: number | string): string {
  const asked = decimalOf('size', size)
  if (compareDecimals(asked, '1') < 0 || !isOnStep(asked, '1')) throw invalid('size', 'must be whole contracts')
  if (compareDecimals(asked, contractsMax) > 0) throw invalid('size', `must be at most ${contractsMax}`)
  return asked
}

function decimalOf(field: string, value: number | string): string {
  const text = readDecimal(value)
  if (text === null) throw invalid(field, 'must be a plain decimal')
  return text
}

const invalid = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)
