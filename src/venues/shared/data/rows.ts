// Rows from lists: an unreadable one is skipped and logged, so that it does not affect the others. Fields that a row lost are counted.
import type { z } from 'zod'
import type { VenueContext } from '../../venueContext.ts'
import { inParts } from './parts.ts'
import { unreadable, waitOf } from './rest.ts'
import { countingLost } from './row.ts'

/**
 * What rows read in one go may cost beyond the readable ones: 1 for an unreadable row or one that lost fields, and 1 for every 5 fields of the former and
 * every 5 lost ones of the latter. Each costs some 20 us. Rows behind that, and behind so many of any kind, are left out like unreadable ones.
 */
const costMax = 2_000
const fieldsPerCost = 5
const rowsMax = 10_000
/** Unreadable rows logged per list; further ones are only counted. */
const namedMax = 20

export interface Rows<T> {
  /** For the log: what a row is, and which field names it. */
  what: string
  name: string
  /** Null for an unreadable row. */
  read(row: unknown): T | null
}

/** The part of a context that reading rows needs. */
export type RowsContext = Pick<VenueContext, 'log' | 'leftOut' | 'lostField'>

export function readRows<T>(
  context: RowsContext,
  rows: readonly unknown[] | null | undefined,
  { what, name, read }: Rows<T>,
): T[] {
  const { log, leftOut, lostField } = context
  const all = rows ?? []
  const good: T[] = []
  let refused = 0
  let lost = 0
  let cost = 0
  const noteLost = (field: string): void => {
    lost++
    lostField?.(field)
  }
  for (let n = 0; n < all.length; n++) {
    if (n === rowsMax || cost >= costMax) {
      log.warn({ what, rows: all.length, read: n }, 'a list was truncated: too many rows, or too many unreadable ones')
      refused += all.length - n
      break
    }
    const row = all[n]
    lost = 0
    const value = countingLost({ lostField: noteLost }, () => read(row))
    if (value === null) cost += 1 + fieldCount(row) / fieldsPerCost
    else if (lost > 0) cost += 1 + lost / fieldsPerCost
    if (value !== null) good.push(value)
    else if (++refused <= namedMax) log.warn({ what, name: fieldOf(row, name) }, 'an unreadable row was skipped')
  }
  if (refused > namedMax) log.warn({ what, refused }, 'unreadable rows were skipped')
  if (refused > 0) leftOut?.(refused)
  return good
}

/** Like `readRows`, for a list without pages that may have many thousands of rows: in parts, between which the thread does other work. */
export async function readLongList<T>(context: RowsContext, rows: readonly unknown[], spec: Rows<T>): Promise<T[]> {
  const good: T[] = []
  for await (const part of inParts(rows)) for (const row of readRows(context, part, spec)) good.push(row)
  return good
}

const fieldCount = (row: unknown): number => (typeof row === 'object' && row !== null ? Object.keys(row).length : 0)

/**
 * Like `readRows`, for a tape or another list that is the venue's whole answer: if every row is unreadable, the market is not simply quiet. Throws
 * NETWORK_ERROR.
 */
export function readTape<T>(
  context: RowsContext & Pick<VenueContext, 'venue'>,
  rows: readonly unknown[] | null | undefined,
  spec: Rows<T>,
): T[] {
  const good = readRows(context, rows, spec)
  if (good.length === 0 && (rows ?? []).length > 0) throw unreadable(context, spec.what, 'every row')
  return good
}

/** Reads a row by its shape alone. */
export const shapeReader =
  <S extends z.ZodType>(shape: S) =>
  (row: unknown): z.output<S> | null =>
    shape.safeParse(row).data ?? null

/** A field of an unvalidated row; undefined when absent. */
export const fieldOf = (row: unknown, name: string): unknown =>
  typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>)[name] : undefined

/**
 * For data the catalog can do without: returns `without` on failure and logs `words`. Rethrows when the service stops, and for a 429.
 */
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
