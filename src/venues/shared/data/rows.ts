// Rows from lists: one that cannot be read is skipped and logged, so that it does not affect the others.
import type { z } from 'zod'
import type { VenueContext } from '../../venue.ts'
import { unreadable, waitOf } from './rest.ts'

/** Of one list so many are named; then they are only counted. */
const namedMax = 20

export interface Rows<T> {
  /** For the log: what a row is, and which of its fields names it. */
  what: string
  name: string
  /** Null for what cannot be read. */
  read(row: unknown): T | null
}

export function readRows<T>(
  { log, leftOut }: Pick<VenueContext, 'log' | 'leftOut'>,
  rows: readonly unknown[] | null | undefined,
  { what, name, read }: Rows<T>,
): T[] {
  const good: T[] = []
  let refused = 0
  for (const row of rows ?? []) {
    const value = read(row)
    if (value !== null) good.push(value)
    else if (++refused <= namedMax)
      log.warn({ what, name: fieldOf(row, name) }, 'a row that cannot be read was left out')
  }
  if (refused > namedMax) log.warn({ what, refused }, 'rows that cannot be read were left out')
  if (refused > 0) leftOut?.(refused)
  return good
}

/** As `readRows`, of a tape or of whatever is a venue's answer: rows of another form, every one of them, are no quiet market. Throws NETWORK_ERROR. */
export function readTape<T>(
  context: Pick<VenueContext, 'log' | 'venue' | 'leftOut'>,
  rows: readonly unknown[] | null | undefined,
  spec: Rows<T>,
): T[] {
  const good = readRows(context, rows, spec)
  if (good.length === 0 && (rows ?? []).length > 0) throw unreadable(context, spec.what, 'every row')
  return good
}

/** A row by its shape alone. */
export const shaped =
  <S extends z.ZodType>(shape: S) =>
  (row: unknown): z.output<S> | null =>
    shape.safeParse(row).data ?? null

/** A field of a row that nobody has looked at yet; undefined when it has none. */
export const fieldOf = (row: unknown, name: string): unknown =>
  typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>)[name] : undefined

/** What the catalog stands without: `without` in its place, and `words` in the log. Not when the service stops, nor for a 429: that passes. */
export async function readOptional<T>(
  { log, signal }: Pick<VenueContext, 'log' | 'signal'>,
  words: string,
  without: T,
  reading: Promise<T>,
): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (signal.aborted || waitOf(error) !== null) throw error
    log.warn({ err: error }, words)
    return without
  }
}
