// One page of a list, filters first, paging after: a page is only short at the end of the list.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { CatalogQuery } from '#marketData/catalog/catalog'
import type { ListPlan } from './listQuery.ts'
import type { CatalogPageOf, CatalogPosition, MarketsPorts } from './ports.ts'

/** Rows examined for one filtered page; a filter that finds too little in that many is refused, not answered short. */
export const scannedMax = 20_000
const scanPage = 500

export interface ListPage<T> {
  rows: T[]
  /** Null when the filter cannot be counted without reading everything. */
  total: number | null
  nextCursor: string | null
  /** When the oldest row was last written from its venue, epoch ms. */
  asOf: number | null
  /** Of a search that finds nothing: the nearest titles. */
  suggestions?: readonly string[]
}

type Find<T> = (query: CatalogQuery) => Promise<CatalogPageOf<T>>

const Position = z.object({
  sortValue: z.union([z.string(), z.number()]).nullable(),
  venue: z.string(),
  id: z.string(),
  versions: z.record(z.string(), z.number()),
})

export async function readList<T>(
  ports: MarketsPorts,
  kind: 'markets' | 'events',
  find: Find<T>,
  plan: ListPlan,
  matches: ((row: T) => boolean) | null,
): Promise<ListPage<T>> {
  const after = plan.cursor === undefined ? undefined : open(ports, kind, plan.bind, plan.cursor)
  if (plan.filter.venues.length === 0) return { rows: [], total: 0, nextCursor: null, asOf: null }
  const page = matches === null ? await readPlain(find, plan, after) : await readFiltered(find, plan, after, matches)
  const { rows, total, asOf, next, suggestions } = page
  return {
    ...(suggestions && { suggestions }),
    rows,
    total,
    asOf,
    nextCursor: next === null ? null : ports.cursors.encode(kind, plan.bind, next),
  }
}

function open({ cursors }: MarketsPorts, kind: string, bind: string, cursor: string): CatalogPosition {
  const position = Position.safeParse(cursors.decode(kind, bind, cursor))
  if (position.success) return position.data
  // Signed by us, but in an older version's format.
  throw new Fault('VALIDATION_ERROR', 'cursor is from another version: start again without it')
}

interface Found<T> {
  rows: T[]
  total: number | null
  asOf: number | null
  next: CatalogPosition | null
  suggestions?: readonly string[]
}

function readPlain<T>(find: Find<T>, plan: ListPlan, after: CatalogPosition | undefined): Promise<Found<T>> {
  const { filter, sort, limit, offset } = plan
  return find({ filter, sort, limit, ...(after === undefined ? (offset > 0 ? { offset } : {}) : { after }) })
}

async function readFiltered<T>(
  find: Find<T>,
  { filter, sort, limit, offset }: ListPlan,
  from: CatalogPosition | undefined,
  matches: (row: T) => boolean,
): Promise<Found<T>> {
  const rows: T[] = []
  let toSkip = offset
  let after = from
  let asOf: number | null = null
  for (let scanned = 0; scanned < scannedMax; ) {
    const page = await find({ filter, sort, limit: scanPage, ...(after === undefined ? {} : { after }) })
    asOf = oldest(asOf, page.asOf)
    for (const [index, row] of page.rows.entries()) {
      scanned++
      if (!matches(row)) continue
      if (toSkip > 0) {
        toSkip--
        continue
      }
      rows.push(row)
      if (rows.length < limit) continue
      const isLast = index === page.rows.length - 1 && page.next === null
      return { rows, total: null, asOf, next: isLast ? null : page.positions[index]! }
    }
    if (page.next === null) {
      const total = from === undefined && offset === 0 ? rows.length : null
      return { ...(page.suggestions && { suggestions: page.suggestions }), rows, total, asOf, next: null }
    }
    after = page.next
  }
  throw new Fault(
    'CATALOG_QUERY_TOO_BROAD',
    `fewer than ${limit} of ${scannedMax} rows match the filter; narrow it by query, category or tags`,
  )
}

export const oldest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
