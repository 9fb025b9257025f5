// Fees that follow a curve of the probability, exact until rounded. Estimates only: the venue decides what is charged.
import { multiplyDecimals, type Rounding, roundDecimal, subtractDecimals } from '#core/decimal'

const digitsKept = 40

/** size × rate × (p × (1 − p))^exponent, decimal strings; the same for both sides of a market. `exponent`: a small integer. */
export function curveFee(
  { size, price, rate, exponent = 1 }: { size: string; price: string; rate: string; exponent?: number },
  { places, rounding }: { places: number; rounding: Rounding },
): string {
  const spread = multiplyDecimals(price, subtractDecimals('1', price))
  let fee = multiplyDecimals(size, rate)
  for (let i = 0; i < exponent; i++) fee = roundDecimal(multiplyDecimals(fee, spread), digitsKept, 'down')
  return roundDecimal(fee, places, rounding)
}
