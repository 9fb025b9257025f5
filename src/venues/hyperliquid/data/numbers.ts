// The venue's decimal strings as ours. Null is what cannot be read.
import { compareDecimals, readDecimal, subtractDecimals } from '#lib/decimal'
import { ONE, parseMicros, toProbability } from '#lib/price'

/** The venue's tick, 0.00001. */
export const tickMicros = 10

/** A resting price lies strictly between 0 and 1. */
export function levelMicros(text: string): number | null {
  const micros = parseMicros(text)
  return micros === null || micros <= 0 || micros >= ONE ? null : micros
}

/** Quote units or contracts, zero included. */
export function amountOf(text: string | null | undefined): number | null {
  const decimal = text === null || text === undefined ? null : readDecimal(text)
  return decimal === null || compareDecimals(decimal, '0') < 0 ? null : Number(decimal)
}

/** A mark or a mid, to the millionth. 0 and 1 are how an empty book is spelled, not what anybody pays. */
export function priceOf(text: string | null | undefined): number | null {
  const amount = amountOf(text)
  const micros = amount === null ? 0 : Math.round(amount * ONE)
  return micros <= 0 || micros >= ONE ? null : toProbability(micros)
}

/** What each side is paid of one; null when the venue's fraction is none. */
export function payoutsOf(fraction: string): [number, number] | null {
  const first = readDecimal(fraction)
  if (first === null || compareDecimals(first, '0') < 0 || compareDecimals(first, '1') > 0) return null
  return [Number(first), Number(subtractDecimals('1', first))]
}
