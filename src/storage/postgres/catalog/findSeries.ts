// There are few series (thousands), so they are filtered in place, in id order.
import type { Queryable } from '../pool.ts'
import { plainTsquery, type SearchTerm } from './searchTerm.ts'
import { letters, Parameters } from './selection.ts'

export interface SeriesQuery {
  venues: readonly string[]
  id?: string
  slug?: string
  /** Part of the title, case-insensitive; or words of it, under any of their names. */
  query?: string
  terms?: readonly SearchTerm[]
  recurrence?: string
  /** The last row of the previous page. */
  after?: { venue: string; id: string }
  limit: number
  offset: number
}

export async function findSeries<Doc>(
  db: Queryable,
  query: SeriesQuery,
): Promise<{ rows: Doc[]; asOf: number | null }> {
  if (Object.values(query).some((value) => typeof value === 'string' && value.includes('\0')))
    return { rows: [], asOf: null }
  const parameters = new Parameters()
  const conditions = [`s.venue = ANY(${parameters.add(query.venues, 'text[]')})`]
  if (query.id !== undefined) conditions.push(`s.id = ${parameters.add(query.id, 'text')}`)
  if (query.slug !== undefined) conditions.push(`s.slug = ${parameters.add(query.slug, 'text')}`)
  if (query.query !== undefined) {
    const isPart = `strpos(lower(s.title), lower(${parameters.add(query.query, 'text')})) > 0`
    const terms = query.terms ?? []
    conditions.push(
      terms.length === 0
        ? isPart
        : `(${isPart} OR to_tsvector('simple', s.title) @@ ${parameters.add(plainTsquery(terms), 'tsquery')})`,
    )
  }
  if (query.recurrence !== undefined) {
    conditions.push(`lower(s.recurrence) = lower(${parameters.add(query.recurrence, 'text')})`)
  }
  if (query.after !== undefined) {
    const { venue, id } = query.after
    conditions.push(`(s.venue, s.id) > (${parameters.add(venue, 'text')}, ${parameters.add(id, 'text')})`)
  }
  const { rows } = await db.query<{ doc: Doc; as_of: number }>(
    `SELECT s.doc, k.as_of FROM catalog_series s JOIN catalog_marks k ON k.kind = '${letters.series}' AND k.venue = s.venue AND k.id = s.id
     WHERE ${conditions.join(' AND ')} ORDER BY s.venue, s.id
     OFFSET ${parameters.add(query.offset, 'bigint')} LIMIT ${parameters.add(query.limit, 'bigint')}`,
    parameters.values,
  )
  return {
    rows: rows.map((row) => row.doc),
    asOf: rows.length === 0 ? null : Math.min(...rows.map((row) => row.as_of)),
  }
}
