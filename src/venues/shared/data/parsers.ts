// Readers of what venues write: text or number in, our value out. Each defines what zero and absence mean. A zero, sign or word with a meaning at
// only one venue is read in that venue's folder.
import { fromUnits, readDecimal } from '#core/decimal'
import { microsOf as microsOfNumber, ONE, parseMicros, toProbability } from '#core/price'

/** A decimal as text, or a JSON number. */
type Figure = string | number | null | undefined

/** Any figure, including zero and negatives; null when absent or not a plain decimal. Exponents are rejected. */
export function numberOf(figure: Figure): number | null {
  if (typeof figure === 'number') return Number.isFinite(figure) ? figure : null
  const plain = figure === null || figure === undefined ? null : readDecimal(figure)
  return plain === null ? null : Number(plain)
}

/** A quantity, a volume, a coefficient: zero is a fact, a negative is unreadable. */
export function amountOf(figure: Figure): number | null {
  const number = numberOf(figure)
  return number !== null && number >= 0 ? number : null
}

/** From base units of a token (`"1500000"` at six decimals is 1.5): digits only, null for anything else. */
export const unitsOf = (units: Figure, decimals: number): number | null =>
  wholeUnits.test(String(units ?? '')) ? Number(fromUnits(BigInt(units!), decimals)) : null
const wholeUnits = /^\d{1,40}$/

/** A probability in micros, 0 and 1 included; null when absent, out of range, or finer than a millionth. */
export function microsOf(price: Figure): number | null {
  if (price === null || price === undefined) return null
  return typeof price === 'number' ? microsOfNumber(price) : parseMicros(price)
}

/** A resting order's price lies strictly between 0 and 1. */
export const isLevelPrice = (micros: number): boolean => micros > 0 && micros < ONE

/** A best price on a market row, micros. Venues write 0 and 1 when there is no quote: null. */
export function quoteOf(price: Figure): number | null {
  const micros = microsOf(price)
  return micros !== null && isLevelPrice(micros) ? micros : null
}

export const probabilityOf = (micros: number | null): number | null => (micros === null ? null : toProbability(micros))

/** The other outcome's price. */
export const complementOf = (micros: number | null): number | null =>
  probabilityOf(micros === null ? null : ONE - micros)

/** No venue existed before this: catches zero times and other placeholders. */
const earliestMs = Date.parse('2015-01-01T00:00:00Z')

const momentOf = (ms: number): number | null => (ms >= earliestMs && ms <= latestMs ? ms : null)
/** The latest time a Date can represent. */
const latestMs = 8.64e15

/** Epoch ms of a time given as text; null when absent, unreadable, or a placeholder. */
export const timeOf = (text: string | null | undefined): number | null => momentOf(text ? Date.parse(text) : Number.NaN)

/** Epoch ms of a number in the venue's own unit, whole ms; null when absent, and for the 0 that means "none". */
export function timeOfEpoch(epoch: Figure, unit: 's' | 'ms'): number | null {
  const number = numberOf(epoch)
  return number === null ? null : momentOf(Math.round(unit === 's' ? number * 1_000 : number))
}

/** In the format of our schemas. */
export const isoOfTime = (ms: number | null): string | undefined =>
  ms === null ? undefined : new Date(ms).toISOString()

/** ISO in the format of our schemas; undefined when unknown, never epoch 0. */
export const isoOf = (text: string | null | undefined): string | undefined => isoOfTime(timeOf(text))

/** Undefined for the empty text that means "none". */
export const textOf = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text.trim() === '' ? undefined : text

/** The same object without unknown fields: undefined, null and empty texts. False and 0 are facts. */
export const known = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )

/** The same object without undefined fields, for fields that are omitted when unknown. */
export const omitUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
