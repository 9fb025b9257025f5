// Titles that match some terms of a search that found nothing: those with most of them first.
import type { Queryable } from '../pool.ts'
import { type CatalogKind, type CatalogSelection, letters, Parameters, tables } from './selection.ts'

export async function findNearTitles(
  db: Queryable,
  kind: CatalogKind,
  { venues, active }: CatalogSelection,
  /** As tsqueries. */
  terms: readonly string[],
  limit: number,
): Promise<string[]> {
  const parameters = new Parameters()
  const matched = terms.map((term) => `(t.title @@ ${parameters.add(term, 'tsquery')})::int`).join(' + ')
  const conditions = [
    `t.kind = '${letters[kind]}'`,
    `t.title @@ ${parameters.add(terms.map((term) => `(${term})`).join(' | '), 'tsquery')}`,
    `t.venue = ANY(${parameters.add(venues, 'text[]')})`,
  ]
  if (active !== undefined) conditions.push(`t.active = ${parameters.add(active, 'boolean')}`)
  const { rows } = await db.query<{ title: string }>(
    `SELECT d.doc->>'title' AS title
     FROM (SELECT t.venue, t.id, t.volume_rank, ${matched} AS matched FROM catalog_titles t WHERE ${conditions.join(' AND ')}
       ORDER BY matched DESC, volume_rank, venue, id LIMIT ${parameters.add(limit, 'bigint')}) n
     JOIN ${tables[kind]} d ON d.venue = n.venue AND d.id = n.id
     ORDER BY n.matched DESC, n.volume_rank, n.venue, n.id`,
    parameters.values,
  )
  return rows.map(({ title }) => title)
}
