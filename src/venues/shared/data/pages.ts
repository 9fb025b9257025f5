// Walks a venue's list, page by page, to its end: by offset, by page number or by cursor. Each walk is bounded, logs when it did not reach the end,
// and waits out a 429, yielding an empty page every second so that its caller can stop. A list ends when further pages bring no new rows.
import { createHash } from 'node:crypto'
import type { VenueContext } from '../../venueContext.ts'
import { inParts } from './parts.ts'
import { isRefusal, isTooLarge, unreadable, waitOf } from './rest.ts'

/** Page limit of a walk without a tighter bound: no list is that long. */
const pagesMax = 10_000
/** Rows of one page: venues send at most some thousands. */
const pageRowsMax = 10_000
/** Consecutive pages without a new row before a walk stops. */
const stalePagesMax = 5
/** Consecutive 429s before a walk gives up. */
const limitsMax = 5

type WalkContext = Pick<VenueContext, 'clock' | 'log' | 'signal' | 'venue'>

interface Walk<Place, Page> {
  /** Name of the list, for the log. */
  list: string
  first: Place
  pagesMax?: number
  /** False: a caller is waiting for the rows, gets a 429 at once, and is content with the pages before one that the venue refuses. */
  waits?: boolean
  read(place: Place): Promise<Page | null>
  rowsOf(page: Page): readonly unknown[]
  /** Null at the end. */
  next(page: Page, place: Place): Place | null
  /** For a page that is too large: the same place with a smaller page; null when it cannot be smaller. */
  smaller?(place: Place): Place | null
}

async function* walk<Place, Page>(context: WalkContext, walked: Walk<Place, Page>): AsyncGenerator<Page | null> {
  const { clock, log, signal } = context
  const seen = new Set<string>()
  let place = walked.first
  let limits = 0
  let stale = 0
  for (let page = 0; page < (walked.pagesMax ?? pagesMax); page++) {
    let rows: Page | null
    try {
      rows = await walked.read(place)
    } catch (error) {
      if (walked.waits === false && page > 0 && isRefusal(error)) {
        log.warn({ list: walked.list, pages: page, err: error }, refusedWords)
        return
      }
      const seconds = waitOf(error)
      if (walked.waits !== false && seconds !== null && ++limits <= limitsMax) {
        for (let waited = 0; waited < seconds && !signal.aborted; waited++) {
          await second(clock)
          yield null
        }
        continue
      }
      const smaller = isTooLarge(error) ? (walked.smaller?.(place) ?? null) : null
      if (smaller === null) throw error
      place = smaller
      continue
    }
    limits = 0
    if (rows === null) {
      if (page === 0) return
      // A list that had a page is known.
      throw unreadable(context, walked.list, `page ${page + 1}: it does not know this list`)
    }
    if (walked.rowsOf(rows).length > pageRowsMax)
      throw unreadable(context, walked.list, `a page of more than ${pageRowsMax} rows`)
    yield rows
    const next = walked.next(rows, place)
    if (next === null) return
    stale = addNew(seen, walked.rowsOf(rows)) ? 0 : stale + 1
    if (stale >= stalePagesMax) {
      log.warn(
        { list: walked.list, pages: page + 1 },
        'the venue’s further pages bring nothing new; the walk stops here',
      )
      return
    }
    place = next
  }
  log.warn({ list: walked.list, pagesMax: walked.pagesMax ?? pagesMax }, 'the page walk was truncated')
}

/** Whether one of the rows was not on an earlier page. */
function addNew(seen: Set<string>, rows: readonly unknown[]): boolean {
  const before = seen.size
  for (const row of rows) seen.add(identityOf(row))
  return seen.size > before
}

/** What identifies a row although its prices change while the list is read: its ids, or else all of it. */
function identityOf(row: unknown): string {
  const ids = Object.entries(row ?? {}).filter(([name, value]) => isIdName.test(name) && isScalar(value))
  if (ids.length > 0) return JSON.stringify(ids)
  return createHash('sha1').update(JSON.stringify(row)).digest('base64')
}

const isIdName = /(?:id|hash|ticker|slug|symbol)$/i
const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

const second = (clock: WalkContext['clock']): Promise<void> => new Promise((resolve) => clock.after(1_000, resolve))

const refusedWords = 'the venue refuses further pages; those before are kept'

/** A page for a caller: null when the venue refuses it although it sent the ones before. */
export async function furtherPage<T>(
  { log }: Pick<WalkContext, 'log'>,
  isFirst: boolean,
  reading: Promise<T>,
): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isFirst || !isRefusal(error)) throw error
    log.warn({ err: error }, refusedWords)
    return null
  }
}

/** For a walk's reads besides its pages, or instead of them: waits out a 429. Throws it when the service stops, or when it does not end. */
export async function retryAfterRateLimit<T>({ clock, signal }: WalkContext, read: () => Promise<T>): Promise<T> {
  for (let limits = 1; ; limits++) {
    try {
      return await read()
    } catch (error) {
      const seconds = waitOf(error)
      if (seconds === null || limits > limitsMax) throw error
      for (let waited = 0; waited < seconds; waited++) {
        if (signal.aborted) throw error
        await second(clock)
      }
    }
  }
}

export interface OffsetWalk {
  list: string
  /** Rows per request. */
  limit: number
  pagesMax?: number
  /** Null when the venue has no such list: that is its end. `total`: of the whole list, if the venue reports it. */
  read(offset: number, limit: number): Promise<{ rows: readonly unknown[]; total?: number | null | undefined } | null>
}

/** Pages of rows up to the total if the venue reports one, otherwise to the first short page. A page that is too large is halved. */
export async function* byOffset(context: WalkContext, { limit, read, ...rest }: OffsetWalk): AsyncGenerator<unknown[]> {
  const pages = walk(context, {
    ...rest,
    first: { offset: 0, limit },
    read: (place) => read(place.offset, place.limit),
    rowsOf: ({ rows }) => rows,
    next({ rows, total }, place) {
      const offset = place.offset + rows.length
      if (total === null || total === undefined ? rows.length < place.limit : offset >= total) return null
      if (rows.length > 0) return { offset, limit }
      context.log.warn({ list: rest.list, offset, total }, 'a list ended before its total')
      return null
    },
    smaller: (place) => (place.limit === 1 ? null : { ...place, limit: Math.ceil(place.limit / 2) }),
  })
  for await (const page of pages) if (page === null || page.rows.length > 0) yield* inParts(page?.rows ?? [])
}

export interface NumberWalk<Page> {
  list: string
  /** Usually 1. */
  first: number
  pagesMax?: number
  waits?: boolean
  read(page: number): Promise<Page | null>
  rowsOf(page: Page): readonly unknown[]
  isLast(page: Page, number: number): boolean
}

/** Pages by number up to the one that the venue calls its last, or the first empty one. */
export async function* byNumber<Page>(
  context: WalkContext,
  { rowsOf, isLast, ...rest }: NumberWalk<Page>,
): AsyncGenerator<unknown[]> {
  const pages = walk(context, {
    ...rest,
    rowsOf,
    next: (page, number) => (isLast(page, number) || rowsOf(page).length === 0 ? null : number + 1),
  })
  for await (const page of pages) yield* inParts(page === null ? [] : rowsOf(page))
}

export interface CursorWalk<Page> {
  list: string
  pagesMax?: number
  waits?: boolean
  /** Null when the venue has no such list: that is its end. */
  read(cursor: string | undefined): Promise<Page | null>
  rowsOf(page: Page): readonly unknown[]
  /** Absent or empty at the end. */
  cursorOf(page: Page): string | null | undefined
}

/** Pages to the end of the cursors. A repeated cursor also ends the walk, with a line in the log: some rows may be missing. */
export async function* byCursor<Page>(
  context: WalkContext,
  { rowsOf, cursorOf, ...rest }: CursorWalk<Page>,
): AsyncGenerator<unknown[]> {
  const seen = new Set<string>()
  const pages = walk<string | undefined, Page>(context, {
    ...rest,
    rowsOf,
    first: undefined,
    next(page) {
      const cursor = cursorOf(page)
      if (!cursor) return null
      if (seen.has(cursor)) {
        context.log.warn({ list: rest.list }, 'the venue repeats a page cursor; the walk stops here')
        return null
      }
      seen.add(cursor)
      return cursor
    },
  })
  for await (const page of pages) yield* inParts(page === null ? [] : rowsOf(page))
}
