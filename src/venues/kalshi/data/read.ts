// Readers for Kalshi's texts. Each says what the venue means by zero and by absence.
import { ONE, parseMicros, toProbability } from '#lib/price'
import { decimal } from './parse.ts'

/** Contracts or dollars; null when absent or no plain decimal. */
export const numberOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : decimal(text)

/** A quote strictly between 0 and 1. In market rows 0 and 1 stand for "nobody quotes". */
export function quoteOf(text: string | null | undefined): number | null {
  const micros = text === null || text === undefined ? null : parseMicros(text)
  return micros === null || micros === 0 || micros === ONE ? null : micros
}

export const probabilityOf = (micros: number | null): number | null => (micros === null ? null : toProbability(micros))
/** The other outcome's price. */
export const complementOf = (micros: number | null): number | null =>
  micros === null ? null : toProbability(ONE - micros)

/** Go's zero time and anything before Kalshi existed is a placeholder. */
const earliestMs = Date.parse('2018-01-01T00:00:00Z')

/** Epoch ms; null when absent, unreadable or a placeholder. */
export function timeOf(text: string | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null
  const ms = Date.parse(text)
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
export function known(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}
