// Readers for Gemini's texts. Each says what the venue means by zero and by absence.
import { readDecimal } from '#lib/decimal'
import { ONE, parseMicros, toProbability } from '#lib/price'

/** Contracts or dollars; null when absent or no plain decimal. */
export function numberOf(text: string | null | undefined): number | null {
  const plain = text === null || text === undefined ? null : readDecimal(text)
  return plain === null ? null : Number(plain)
}

/** Nothing rests or trades at 0 or 1 (the least price is a cent), so there they stand for "none". */
export function quoteOf(text: string | null | undefined): number | null {
  const micros = text === null || text === undefined ? null : parseMicros(text)
  return micros === null || micros === 0 || micros === ONE ? null : micros
}

export const probabilityOf = (micros: number | null): number | null => (micros === null ? null : toProbability(micros))
/** The other outcome's price. */
export const complementOf = (micros: number | null): number | null =>
  micros === null ? null : toProbability(ONE - micros)

/** ISO as our schemas print it; undefined when unknown, never epoch 0. */
export function isoOf(text: string | null | undefined): string | undefined {
  const ms = Date.parse(text ?? '')
  return ms > 0 ? new Date(ms).toISOString() : undefined
}

/** Undefined for the empty text that means "none". */
export const textOf = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text.trim() === '' ? undefined : text

/** Rules are plain text on events and a tree of `{value, content[]}` on contracts: its values, in order. */
export function proseOf(tree: unknown): string {
  const pieces: string[] = []
  const open: unknown[] = [tree]
  while (open.length > 0 && pieces.length < piecesMax) {
    const node = open.pop()
    if (typeof node === 'string') pieces.push(node)
    if (typeof node !== 'object' || node === null) continue
    const { value, content } = node as { value?: unknown; content?: unknown }
    if (Array.isArray(content)) for (let i = content.length - 1; i >= 0; i--) open.push(content[i])
    if (typeof value === 'string') pieces.push(value)
  }
  return pieces.join('').trim()
}
/** No rules have so many; what goes on behind is left out. */
const piecesMax = 10_000

/** The same object without what nobody knows: undefined, null and empty texts. False and 0 are facts. */
export function known(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}
