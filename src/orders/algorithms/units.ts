// Decimal strings as the whole numbers that state machines compute with, and back.
import { fromUnits, toStep, toUnits } from '#core/decimal'

const scale = 6
const smallest = '0.000001'

/** Throws RangeError when digits would be lost. */
export const unitsOf = (decimal: string): number => Number(toUnits(decimal, scale))

/** Of what was filled: never less than that. */
export const unitsAbove = (decimal: string): number => Number(toUnits(toStep(decimal, smallest, 'up'), scale))

export const decimalOfUnits = (units: number): string => fromUnits(BigInt(units), scale)

/** Of a book, whose numbers have at most six decimals. */
export const unitsOfNumber = (value: number): number => Math.round(value * 10 ** scale)
