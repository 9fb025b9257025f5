// Row count of a selection: exact up to a bound, which means "at least that many".
import type { Queryable } from '../pool.ts'
import {
  type CatalogKind,
  type CatalogSelection,
  cannotMatch,
  conditionsOf,
  isTitleSearch,
  letters,
  Parameters,
  tables,
  titleQueryOf,
} from './selection.ts'

export async function countRows(
  db: Queryable,
  kind: CatalogKind,
  selection: CatalogSelection,
  countMax: number,
): Promise<number> {
  if (cannotMatch(selection)) return 0
  const parameters = new Parameters()
  const conditions = [`r.venue = ANY(${parameters.add(selection.venues, 'text[]')})`]
  if (selection.active !== undefined) conditions.push(`r.active = ${parameters.add(selection.active, 'boolean')}`)
  const byTitle = isTitleSearch(selection)
  if (byTitle) {
    conditions.push(`r.kind = '${letters[kind]}'`)
    conditions.push(`r.title @@ ${parameters.add(titleQueryOf(selection.words!), 'tsquery')}`)
  } else conditions.push(...conditionsOf(kind, selection, parameters))
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*)::float8 AS total FROM (
       SELECT 1 FROM ${byTitle ? 'catalog_titles' : tables[kind]} r WHERE ${conditions.join(' AND ')} LIMIT ${parameters.add(countMax, 'bigint')}) counted`,
    parameters.values,
  )
  return rows[0]!.total
}

/** How many titles contain the words, on any venue and whether active or not; counting stops at the bound. */
export async function countTitleHits(
  db: Queryable,
  kind: CatalogKind,
  words: NonNullable<CatalogSelection['words']>,
  countMax: number,
): Promise<number> {
  const { rows } = await db.query<{ hits: number }>(
    `SELECT count(*)::float8 AS hits FROM (
       SELECT 1 FROM catalog_titles t WHERE t.kind = '${letters[kind]}' AND t.title @@ $1::tsquery LIMIT $2) counted`,
    [titleQueryOf(words), countMax],
  )
  return rows[0]!.hits
}
