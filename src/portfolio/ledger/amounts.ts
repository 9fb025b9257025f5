// Amounts inside the ledger: bigint units of 10^-18. Null is unknown, and what depends on it is unknown. Quotients are
// rounded toward zero, so that a short position mirrors a long one.
import { fromUnits, toUnits } from '#core/decimal'

export type Amount = bigint | null

const places = 18
const one = 10n ** BigInt(places)
const ratioPlaces = 9

/** Throws RangeError for more than 18 places. */
export const parseAmount = (text: string): bigint => toUnits(text, places)

export const parseAmountOrNull = (text: string | null): Amount => (text === null ? null : parseAmount(text))

export const formatAmount = (amount: bigint): string => fromUnits(amount, places)

export const formatAmountOrNull = (amount: Amount): string | null => (amount === null ? null : formatAmount(amount))

export const plus = (a: Amount, b: Amount): Amount => (a === null || b === null ? null : a + b)

export const minus = (a: Amount, b: Amount): Amount => (a === null || b === null ? null : a - b)

export const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** What shares are worth at so much for each. */
export const worth = (shares: bigint, value: bigint): bigint => (shares * value) / one

/** The part of an amount that belongs to `shares` of `all`. */
export const partOf = (amount: bigint, shares: bigint, all: bigint): bigint => (amount * shares) / all

/**
 * Splits a total by weights; what rounding leaves goes to the first part with a weight, or to the first. The parts sum
 * to the total.
 */
export function splitByWeights(total: bigint, weights: readonly bigint[]): bigint[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  const parts = weights.map((weight) => (all === 0n ? 0n : partOf(total, weight, all)))
  const first = Math.max(
    0,
    weights.findIndex((weight) => weight !== 0n),
  )
  const rest = parts.reduce((left, part) => left - part, total)
  return parts.map((part, at) => (at === first ? part + rest : part))
}

/** Rounded half even to 9 places. */
export function formatRatio(amount: bigint, shares: bigint): string {
  const divisor = magnitude(shares)
  const dividend = magnitude(amount) * 10n ** BigInt(ratioPlaces)
  const below = dividend / divisor
  const twice = (dividend - below * divisor) * 2n
  const rounded = twice > divisor || (twice === divisor && below % 2n === 1n) ? below + 1n : below
  return fromUnits(amount < 0n === shares < 0n ? rounded : -rounded, ratioPlaces)
}
