// An amount of a payload, text or a number, as canonical decimal text. A row with an amount that cannot be read is not read.
import { z } from 'zod'
import { fromUnits } from '#core/decimal'
import { baseUnitsIn, decimalIn } from './normalizedFill.ts'

export const ExactDecimal = z.union([z.number(), z.string()]).transform((value, context) => {
  const amount = decimalIn(value)
  if (amount !== null) return amount
  context.addIssue({ code: 'custom', message: 'no plain decimal' })
  return z.NEVER
})

/** Null for anything unreadable. */
export const OptionalDecimal = ExactDecimal.nullish()
  .catch(null)
  .transform((amount) => amount ?? null)

/** Base units of a token, as text or a number. */
export const BaseUnits = z.union([z.number(), z.string()]).transform((value, context) => {
  const units = baseUnitsIn(value)
  if (units !== null) return units
  context.addIssue({ code: 'custom', message: 'no base units' })
  return z.NEVER
})

export const unitsToDecimal = (units: string, decimals: number): string => fromUnits(BigInt(units), decimals)
