// Reads a private list page by page. Rows are inserted and removed while a list is read, so pages may overlap: every row counts once. Says whether
// the list was read to its end: only then is absence from it proof.
import type { z } from 'zod'

export interface ListPage<Row> {
  rows: readonly Row[]
  /** Rows that could not be read. Any of them may be the wanted one, so the list proves no absence. */
  unreadable?: number
  /** Of the next page; absent, null or empty: this is the last one. */
  cursor?: string | null | undefined
}

interface PagedList<Row> {
  /** Null: the venue has no such list. */
  read(cursor: string | null): Promise<ListPage<Row> | null>
  /** Rows with the same id are one row, and the later reading of it counts. */
  idOf(row: Row): string
  pagesMax: number
  /** Ends the read early, before the end of the list. */
  isEnough?(row: Row): boolean
}

export interface ReadList<Row> {
  rows: Row[]
  /** The end of the list was reached, and every row was read. */
  isWhole: boolean
  /** Rows that could not be read, up to where the read stopped. */
  unreadable: number
}

export async function readPagedList<Row>({ read, idOf, pagesMax, isEnough }: PagedList<Row>): Promise<ReadList<Row>> {
  const rows = new Map<string, Row>()
  const cursors = new Set<string>()
  let cursor: string | null = null
  let unreadable = 0
  const upTo = (isWhole: boolean): ReadList<Row> => ({ rows: [...rows.values()], isWhole, unreadable })
  for (let page = 0; page < pagesMax; page++) {
    const answer: ListPage<Row> | null = await read(cursor)
    if (answer === null) return upTo(false)
    unreadable += answer.unreadable ?? 0
    for (const row of answer.rows) rows.set(idOf(row), row)
    if (isEnough !== undefined && answer.rows.some(isEnough)) return upTo(false)
    if (!answer.cursor) return upTo(unreadable === 0)
    // A repeated cursor yields no new page: the rows after it are unknown.
    if (cursors.has(answer.cursor)) return upTo(false)
    cursors.add(answer.cursor)
    cursor = answer.cursor
  }
  return upTo(false)
}

/** For lists read by offset. Only an empty page ends one: a venue may return fewer rows than requested. */
export const nextOffset = (offset: number, rows: readonly unknown[]): string | null =>
  rows.length === 0 ? null : String(offset + rows.length)

/** One page of rows in `shape`. */
export function readableRows<S extends z.ZodType>(shape: S, listed: readonly unknown[]): ListPage<z.output<S>> {
  const rows = listed.flatMap((row) => shape.safeParse(row).data ?? [])
  return { rows, unreadable: listed.length - rows.length }
}

/** No venue is known to drop an order from its lists within this time. */
const keptMs = 24 * 3_600_000

/**
 * Whether a list read to its end shows everything since `sinceMs`, at a venue that does not say how far back it goes: it has a row from before,
 * or that is not long ago. `times`: of its rows, epoch ms.
 */
export const reachesBack = (sinceMs: number, times: readonly number[], nowMs: number): boolean =>
  nowMs - sinceMs <= keptMs || times.some((time) => time < sinceMs)
