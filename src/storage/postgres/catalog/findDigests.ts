// What is stored already, by digest, so that equal rows need not even be sent.
import type { Queryable } from '../pool.ts'
import { letters } from './selection.ts'

const tables = { markets: 'catalog_markets', events: 'catalog_events', series: 'catalog_series' } as const

/** Hex by id; absent for rows that are not there. */
export async function findDigests(
  db: Queryable,
  kind: keyof typeof tables,
  venue: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: string; digest: string }>(
    `SELECT id, encode(digest, 'hex') AS digest FROM ${tables[kind]} WHERE venue = $1 AND id = ANY($2::text[])`,
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
    `SELECT id, encode(digest, 'hex') AS digest FROM catalog_words
     WHERE kind = '${letters[kind]}' AND venue = $1 AND id = ANY($2::text[])`,
    [venue, ids],
  )
  return new Map(rows.map((row) => [row.id, row.digest]))
}
