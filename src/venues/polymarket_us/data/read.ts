// Readers for the gateway's texts and numbers. Each says what the venue means by zero and by absence.
import { ONE, parseMicros, toProbability } from '#lib/price'
import type { UsAmount } from '../wire.ts'

/** A displayed price in micros; null when there is none. */
export const microsOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : parseMicros(text)

/** A resting order's price lies strictly between 0 and 1. */
export const isLevelPrice = (micros: number): boolean => micros > 0 && micros < ONE

/** Null where nobody quotes. */
export function quoteOf(amount: UsAmount | null | undefined): number | null {
  const micros = microsOf(amount?.value)
  return micros !== null && isLevelPrice(micros) ? micros : null
}

export const probabilityOf = (micros: number | null): number | null => (micros === null ? null : toProbability(micros))
/** The other side's price. */
export const complementOf = (micros: number | null): number | null =>
  micros === null ? null : toProbability(ONE - micros)

/** Contracts; null when it is no plain decimal. */
export const contractsOf = (text: string): number | null => (/^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : null)

/** Null unless it can be a quantity, a coefficient, a volume. */
export const amountOf = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) && value >= 0 ? value : null

/** Go's zero time and anything before the venue existed is a placeholder. */
const earliestMs = Date.parse('2020-01-01T00:00:00Z')

/** Epoch ms; null when absent, unreadable or a placeholder. */
export function timeOf(text: string | null | undefined): number | null {
  const ms = text === null || text === undefined ? Number.NaN : Date.parse(text)
  return ms >= earliestMs ? ms : null
}

/** ISO as our schemas print it; undefined when unknown, never epoch 0. */
export function isoOf(text: string | null | undefined): string | undefined {
  const ms = timeOf(text)
  return ms === null ? undefined : new Date(ms).toISOString()
}

/** Undefined for the empty text that means "none". */
export const textOf = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text.trim() === '' ? undefined : text

/** The same object without what nobody knows: undefined, null and empty texts. False and 0 are facts. */
export const known = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
