// Amounts as the database holds them, as canonical decimal text.
import { readDecimal, subtractDecimals } from '#core/decimal'

export function plainAmount(text: string): string {
  const value = readDecimal(text)
  if (value === null) throw new Error('the database holds an amount with too many digits')
  return value
}

export const subtractAmounts = (a: string, b: string): string => subtractDecimals(plainAmount(a), plainAmount(b))
