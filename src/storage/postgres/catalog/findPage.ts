// One page of a list, from any position, in a time that does not grow with the position.
import type { Queryable } from '../pool.ts'
import {
  type CatalogKind,
  type CatalogSelection,
  conditionsOf,
  isImpossible,
  isNarrow,
  isTitleSearch,
  letters,
  Parameters,
  type RankColumn,
  tables,
  titleQueryOf,
} from './selection.ts'

/** Everything is sorted by (rank, venue, id) ascending; that triple is also a row's place in the list. */
export interface PagePlace {
  rank: number
  venue: string
  id: string
}

export interface PageRow<Doc> extends PagePlace {
  doc: Doc
  /** Epoch ms. */
  as_of: number
}

export interface PageQuery {
  kind: CatalogKind
  selection: CatalogSelection
  rank: RankColumn
  after: PagePlace | null
  offset: number
  limit: number
  /** Of a search by title: that many titles fit that the sort's own index is walked, looking at each row's title. */
  manyHits?: boolean
}

/** Sorts before and after every id: ids are not empty, and no text sorts after the last code point. */
const beforeAllIds = ''
const afterAllIds = '\u{10FFFF}'

export async function findPage<Doc>(db: Queryable, query: PageQuery): Promise<PageRow<Doc>[]> {
  if (isImpossible(query.selection)) return []
  const parameters = new Parameters()
  const places = placesOf(query, parameters)
  const { rows } = await db.query<PageRow<Doc>>(
    `SELECT p.rank, p.venue, p.id, d.doc, a.as_of
     FROM (${places}
       ORDER BY rank, venue, id
       OFFSET ${parameters.add(query.offset, 'bigint')} LIMIT ${parameters.add(query.limit, 'bigint')}) p
     JOIN ${tables[query.kind]} d ON d.venue = p.venue AND d.id = p.id
     JOIN catalog_marks a ON a.kind = '${letters[query.kind]}' AND a.venue = p.venue AND a.id = p.id
     ORDER BY p.rank, p.venue, p.id`,
    parameters.values,
  )
  return rows
}

function placesOf(query: PageQuery, parameters: Parameters): string {
  if (query.manyHits === true) return placesByWalk(query, parameters)
  if (isTitleSearch(query.selection)) return placesByTitle(query, parameters)
  return isNarrow(query.selection) ? placesByFilter(query, parameters) : placesByIndex(query, parameters)
}

/** The titles' own table has all that is needed. */
function placesByTitle({ kind, selection, rank, after }: PageQuery, parameters: Parameters): string {
  const conditions = [
    `t.kind = '${letters[kind]}'`,
    `t.title @@ ${parameters.add(titleQueryOf(selection.words!), 'tsquery')}`,
    `t.venue = ANY(${parameters.add(selection.venues, 'text[]')})`,
  ]
  if (selection.active !== undefined) conditions.push(`t.active = ${parameters.add(selection.active, 'boolean')}`)
  if (after) conditions.push(behind(`t.${rank}, t.venue, t.id`, after, parameters))
  return `SELECT t.${rank} AS rank, t.venue, t.id FROM catalog_titles t WHERE ${conditions.join(' AND ')}`
}

const behind = (place: string, after: PagePlace, parameters: Parameters): string =>
  `(${place}) > (${parameters.add(after.rank, 'float8')}, ${parameters.add(after.venue, 'text')}, ${parameters.add(after.id, 'text')})`

/** The filter leaves few rows: find them all, then sort. */
function placesByFilter({ kind, selection, rank, after }: PageQuery, parameters: Parameters): string {
  const conditions = [`r.venue = ANY(${parameters.add(selection.venues, 'text[]')})`]
  if (selection.active !== undefined) conditions.push(`r.active = ${parameters.add(selection.active, 'boolean')}`)
  if (after) conditions.push(behind(`r.${rank}, r.venue, r.id`, after, parameters))
  conditions.push(...conditionsOf(kind, selection, parameters))
  return `SELECT r.${rank} AS rank, r.venue, r.id FROM ${tables[kind]} r WHERE ${conditions.join(' AND ')}`
}

/**
 * The filter leaves many rows: walk the index (venue, active, rank, id) of each venue from the position on and merge the heads. The
 * position is restated per venue: at its own rank, venues before it are done, its own continues after its id, later ones start.
 */
function placesByIndex({ kind, selection, rank, after, offset, limit }: PageQuery, parameters: Parameters): string {
  const startIds = selection.venues.map((venue) => startIdOf(venue, after))
  const conditions = [
    'r.venue = v.venue',
    'r.active = s.active',
    `(r.${rank}, r.id) > (${parameters.add(after ? after.rank : '-Infinity', 'float8')}, v.start_id)`,
    ...conditionsOf(kind, selection, parameters),
  ]
  return `SELECT h.rank, h.venue, h.id
    FROM unnest(${parameters.add(selection.venues, 'text[]')}, ${parameters.add(startIds, 'text[]')}) AS v(venue, start_id)
    CROSS JOIN unnest(${parameters.add(statesOf(selection), 'boolean[]')}) AS s(active)
    CROSS JOIN LATERAL (
      SELECT r.${rank} AS rank, r.venue, r.id FROM ${tables[kind]} r WHERE ${conditions.join(' AND ')}
      ORDER BY r.${rank}, r.id LIMIT ${parameters.add(offset + limit, 'bigint')}) h`
}

const startIdOf = (venue: string, after: PagePlace | null): string => {
  if (!after || venue > after.venue) return beforeAllIds
  return venue === after.venue ? after.id : afterAllIds
}

const statesOf = ({ active }: CatalogSelection): boolean[] => (active === undefined ? [true, false] : [active])

/**
 * The same indexes as one stream in the order of the ranks, read only until enough titles fitted: a page of words that stand in every
 * hundredth title looks at five thousand rows, whatever the catalog holds. Rows of equal rank are put in order behind it.
 */
function placesByWalk({ kind, selection, rank, after }: PageQuery, parameters: Parameters): string {
  const from = parameters.add(after ? after.rank : '-Infinity', 'float8')
  const fits = titleFits(kind, selection, parameters)
  const streams = selection.venues.flatMap((venue) => {
    const name = parameters.add(venue, 'text')
    const startId = parameters.add(startIdOf(venue, after), 'text')
    return statesOf(selection).map(
      (active) => `(SELECT r.${rank} AS rank, r.venue, r.id FROM ${tables[kind]} r
        WHERE r.venue = ${name} AND r.active = ${active} AND (r.${rank}, r.id) > (${from}, ${startId}) AND ${fits}
        ORDER BY r.${rank}, r.id)`,
    )
  })
  return `SELECT w.rank, w.venue, w.id FROM (SELECT * FROM (${streams.join(' UNION ALL ')}) u ORDER BY rank) w`
}

/** One look at each row passed, never a list of all hits. The index has the words itself, but for very long titles. */
const titleFits = (kind: CatalogKind, selection: CatalogSelection, parameters: Parameters): string =>
  `coalesce(r.title_words, (SELECT t.title FROM catalog_titles t
    WHERE t.kind = '${letters[kind]}' AND t.venue = r.venue AND t.id = r.id)) @@ ${parameters.add(titleQueryOf(selection.words!), 'tsquery')}`
