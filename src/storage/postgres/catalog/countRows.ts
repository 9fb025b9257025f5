// How many rows a selection has: exact up to a bound, which stands for "at least that many".
import type { Queryable } from '../pool.ts'
import { type CatalogKind, type CatalogSelection, conditionsOf, isImpossible, Parameters, tables } from './selection.ts'

export async function countRows(
  db: Queryable,
  kind: CatalogKind,
  selection: CatalogSelection,
  countMax: number,
): Promise<number> {
  if (isImpossible(selection)) return 0
  const parameters = new Parameters()
  const conditions = [`r.venue = ANY(${parameters.add(selection.venues, 'text[]')})`]
  if (selection.active !== undefined) conditions.push(`r.active = ${parameters.add(selection.active, 'boolean')}`)
  conditions.push(...conditionsOf(kind, selection, parameters))
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*)::float8 AS total FROM (
       SELECT 1 FROM ${tables[kind]} r WHERE ${conditions.join(' AND ')} LIMIT ${parameters.add(countMax, 'bigint')}) counted`,
    parameters.values,
  )
  return rows[0]!.total
}
