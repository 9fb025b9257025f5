// Series are few (thousands), so they are filtered where they stand, in the order of their ids.
import type { Queryable } from '../pool.ts'
import { Parameters } from './selection.ts'

export interface SeriesQuery {
  venues: readonly string[]
  id?: string
  slug?: string
  /** Part of the title, any case. */
  query?: string
  recurrence?: string
  /** The last row of the page before. */
  after?: { venue: string; id: string }
  limit: number
  offset: number
}

export async function findSeries<Doc>(db: Queryable, query: SeriesQuery): Promise<Doc[]> {
  if (Object.values(query).some((value) => typeof value === 'string' && value.includes('\0'))) return []
  const parameters = new Parameters()
  const conditions = [`venue = ANY(${parameters.add(query.venues, 'text[]')})`]
  if (query.id !== undefined) conditions.push(`id = ${parameters.add(query.id, 'text')}`)
  if (query.slug !== undefined) conditions.push(`slug = ${parameters.add(query.slug, 'text')}`)
  if (query.query !== undefined)
    conditions.push(`strpos(lower(title), lower(${parameters.add(query.query, 'text')})) > 0`)
  if (query.recurrence !== undefined) {
    conditions.push(`lower(recurrence) = lower(${parameters.add(query.recurrence, 'text')})`)
  }
  if (query.after !== undefined) {
    const { venue, id } = query.after
    conditions.push(`(venue, id) > (${parameters.add(venue, 'text')}, ${parameters.add(id, 'text')})`)
  }
  const { rows } = await db.query<{ doc: Doc }>(
    `SELECT doc FROM catalog_series WHERE ${conditions.join(' AND ')} ORDER BY venue, id
     OFFSET ${parameters.add(query.offset, 'bigint')} LIMIT ${parameters.add(query.limit, 'bigint')}`,
    parameters.values,
  )
  return rows.map((row) => row.doc)
}
