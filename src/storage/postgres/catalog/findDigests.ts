// What is already stored, by digest, so that unchanged rows need not even be sent.
import type { Queryable } from '../pool.ts'
import { letters } from './selection.ts'
import { ofVenue } from './venuePredicate.ts'

const tables = { markets: 'catalog_markets', events: 'catalog_events', series: 'catalog_series' } as const

/** Hex by id; missing rows are absent. */
export async function findDigests(
  db: Queryable,
  kind: keyof typeof tables,
  venue: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: string; digest: string }>(
    // LIMIT keeps the planner from joining the other way round, which it does while a new table has no statistics.
    `SELECT i.id, encode(r.digest, 'hex') AS digest FROM ${ofVenue('unnest($2::text[]) AS given(id)')} i
     CROSS JOIN LATERAL (SELECT d.digest FROM ${tables[kind]} d WHERE d.venue = i.venue AND d.id = i.id LIMIT 1) r`,
    [venue, ids],
  )
  return new Map(rows.map((row) => [row.id, row.digest]))
}

export async function findWordDigests(
  db: Queryable,
  kind: 'markets' | 'events',
  venue: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: string; digest: string }>(
    `SELECT i.id, encode(r.digest, 'hex') AS digest FROM ${ofVenue('unnest($2::text[]) AS given(id)')} i
     CROSS JOIN LATERAL (
       SELECT w.digest FROM catalog_words w WHERE w.kind = '${letters[kind]}' AND w.venue = i.venue AND w.id = i.id LIMIT 1) r`,
    [venue, ids],
  )
  return new Map(rows.map((row) => [row.id, row.digest]))
}
