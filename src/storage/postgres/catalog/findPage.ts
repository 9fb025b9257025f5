// One page of a list from any position, in time independent of the position.
import type { Queryable } from '../pool.ts'
import { type PagePlace, type PlacesQuery, placesOf, type Versions } from './findPageRows.ts'
import { cannotMatch, letters, Parameters, tables } from './selection.ts'

export type { PagePlace, PlacesQuery as PageQuery, Versions } from './findPageRows.ts'

export interface PageRow<Doc> extends PagePlace {
  doc: Doc
  /** Epoch ms. */
  as_of: number
}

export interface Page<Doc> {
  rows: PageRow<Doc>[]
  /** Of the requested venues: the last write visible to this page. */
  written: Versions
  /** The oldest writes from which a walk may still continue; see versions.ts. */
  oldest: Versions
}

interface WrittenRow {
  venue: null
  doc: { written: Versions | null; oldest: Versions | null }
}

export async function findPage<Doc>(db: Queryable, query: PlacesQuery): Promise<Page<Doc>> {
  if (cannotMatch(query.selection)) return { rows: [], written: {}, oldest: {} }
  const parameters = new Parameters()
  const venues = parameters.add(query.selection.venues, 'text[]')
  const places = placesOf(query, parameters)
  // The versions come from the same statement and so the same snapshot as the rows.
  const { rows } = await db.query<PageRow<Doc> | WrittenRow>(
    `SELECT p.rank, p.venue, p.id, d.doc, a.as_of
     FROM (${places}
       ORDER BY rank, venue, id
       OFFSET ${parameters.add(query.offset, 'bigint')} LIMIT ${parameters.add(query.limit, 'bigint')}) p
     JOIN ${tables[query.kind]} d ON d.venue = p.venue AND d.id = p.id
     JOIN catalog_marks a ON a.kind = '${letters[query.kind]}' AND a.venue = p.venue AND a.id = p.id
     UNION ALL
     SELECT NULL, NULL, NULL,
       jsonb_build_object('written', jsonb_object_agg(venue, version), 'oldest', jsonb_object_agg(venue, oldest)), NULL
     FROM catalog_versions WHERE venue = ANY(${venues})
     ORDER BY rank, venue, id`,
    parameters.values,
  )
  // Unknown sorts last.
  const { doc } = rows.pop() as WrittenRow
  return { rows: rows as PageRow<Doc>[], written: doc.written ?? {}, oldest: doc.oldest ?? {} }
}
