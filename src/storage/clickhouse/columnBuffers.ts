// How numbers are stored on the tape: as integer ticks and integer size units, each with a remainder that is nearly always zero.
import { ONE } from '#core/price'

/** Tick for an empty side of the book. */
export const noTick = 65_535
/** Trade price for: the venue gave none. */
export const noPrice = 4_294_967_295
/** Micros in one tick: ticks are ten-thousandths. */
export const microsPerTick = 100
/** Sizes are kept to a millionth of a contract or share. */
export const sizeUnits = 1_000_000
/** Size units in one hundredth. */
export const unitsPerHundredth = 10_000

/** Beyond this a size in millionths no longer fits an integer double; no venue has such a book. */
export const sizeMax = 9_000_000_000

/**
 * A size in units. The fraction is converted separately: above 2^32 the product of the whole would lose precision that
 * the double still has.
 */
export function unitsOf(size: number): number {
  const whole = Math.floor(size)
  return whole * sizeUnits + Math.round((size - whole) * sizeUnits)
}

export const isSize = (size: number): boolean => size >= 0 && size <= sizeMax
export const isMicros = (micros: number | null): boolean =>
  micros === null || (Number.isInteger(micros) && micros >= 0 && micros <= ONE)
/** Epoch milliseconds before the year 2100. */
export const isTime = (ms: number): boolean => Number.isInteger(ms) && ms >= 0 && ms < 4_102_444_800_000
