// Readers for this venue's decimal strings, where they differ from the shared ones. Null means unreadable.
import { compareDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import { ONE, toProbability } from '#core/price'
import { amountOf, isLevelPrice } from '../../shared/data/parsers.ts'

/** The venue's tick, 0.00001. */
export const tickMicros = 10

/** A mark or a mid, to the millionth. 0 and 1 denote an empty book, not a price. */
export function priceOf(text: string | null | undefined): number | null {
  const micros = Math.round((amountOf(text) ?? 0) * ONE)
  return isLevelPrice(micros) ? toProbability(micros) : null
}

/** Payout of each side; null when the venue's fraction is invalid. */
export function payoutsOf(fraction: string): [number, number] | null {
  const first = readDecimal(fraction)
  if (first === null || compareDecimals(first, '0') < 0 || compareDecimals(first, '1') > 0) return null
  return [Number(first), Number(subtractDecimals('1', first))]
}
