// A caller's numbers as exact decimal text, checked against a venue's grid. Nothing is rounded: a number off the grid is refused.
import { compareDecimals, isOnStep, readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'

export const invalid = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)

export function decimalOf(field: string, value: number | string): string {
  const text = readDecimal(value)
  if (text === null) throw invalid(field, 'must be a plain decimal')
  return text
}

/** Both ends included. */
export function checkBetween(field: string, decimal: string, lowest: string, highest: string): void {
  if (compareDecimals(decimal, lowest) >= 0 && compareDecimals(decimal, highest) <= 0) return
  throw invalid(field, `must lie between ${lowest} and ${highest}`)
}

/** Neither 0 nor 1. */
export function checkProbability(field: string, decimal: string): void {
  if (compareDecimals(decimal, '0') > 0 && compareDecimals(decimal, '1') < 0) return
  throw invalid(field, 'must lie between 0 and 1')
}

export function checkStep(
  field: string,
  decimal: string,
  step: string,
  message = `must be a multiple of ${step}`,
): void {
  if (!isOnStep(decimal, step)) throw invalid(field, message)
}

export function checkAtMost(field: string, decimal: string, most: string): void {
  if (compareDecimals(decimal, most) > 0) throw invalid(field, `must be at most ${most}`)
}

export function readContracts(field: string, value: number | string, most: string): string {
  const decimal = decimalOf(field, value)
  if (compareDecimals(decimal, '1') < 0 || !isOnStep(decimal, '1')) throw invalid(field, 'must be whole contracts')
  checkAtMost(field, decimal, most)
  return decimal
}
