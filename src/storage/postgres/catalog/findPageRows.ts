// Locates the rows of a page: the statement that finds (rank, venue, id), in one of four ways.
//
// A walk reads every page in the order as of its start. A row's rank as of then is in the row itself, or among the past ranks if it moved
// since: every variant below checks both.
import {
  type CatalogKind,
  type CatalogSelection,
  conditionsOf,
  isSelective,
  isTitleSearch,
  letters,
  type Parameters,
  type RankColumn,
  sortLetters,
  tables,
  titleQueryOf,
} from './selection.ts'

/** By venue: the number of a write of its catalog. A venue that is absent was never written. */
export type Versions = Readonly<Record<string, number>>

/** Everything is sorted by (rank, venue, id) ascending; that triple is also a row's position in the list. */
export interface PagePlace {
  rank: number
  venue: string
  id: string
}

export interface PlacesQuery {
  kind: CatalogKind
  selection: CatalogSelection
  rank: RankColumn
  /** The last position of the previous page, and the versions of the venues when the walk began. Null starts a walk now. */
  after: (PagePlace & { versions: Versions }) | null
  offset: number
  limit: number
  /** For a title search: so many titles match that the sort's own index is walked, checking each row's title. */
  manyHits?: boolean
}

/** Sorts before and after every id: ids are not empty, and no text sorts after the last code point. */
const beforeAllIds = ''
const afterAllIds = '\u{10FFFF}'

export function placesOf(query: PlacesQuery, parameters: Parameters): string {
  if (query.manyHits === true) return placesByWalk(query, parameters)
  if (isTitleSearch(query.selection)) return placesByTitle(query, parameters)
  return isSelective(query.selection) ? placesByFilter(query, parameters) : placesByIndex(query, parameters)
}

/** The titles' own table has everything needed. */
function placesByTitle(query: PlacesQuery, parameters: Parameters): string {
  const { kind, selection, after } = query
  const { rank, join } = rankHeld(query, 't', parameters)
  const conditions = [
    `t.kind = '${letters[kind]}'`,
    `t.title @@ ${parameters.add(titleQueryOf(selection.words!), 'tsquery')}`,
    `t.venue = ANY(${parameters.add(selection.venues, 'text[]')})`,
  ]
  if (selection.active !== undefined) conditions.push(`t.active = ${parameters.add(selection.active, 'boolean')}`)
  if (after) conditions.push(behind(`${rank}, t.venue, t.id`, after, parameters))
  return `SELECT ${rank} AS rank, t.venue, t.id FROM catalog_titles t ${join} WHERE ${conditions.join(' AND ')}`
}

const behind = (place: string, after: PagePlace, parameters: Parameters): string =>
  `(${place}) > (${parameters.add(after.rank, 'float8')}, ${parameters.add(after.venue, 'text')}, ${parameters.add(after.id, 'text')})`

/** The filter leaves few rows: find them all, then sort. */
function placesByFilter(query: PlacesQuery, parameters: Parameters): string {
  const { kind, selection, after } = query
  const { rank, join } = rankHeld(query, 'r', parameters)
  const conditions = [`r.venue = ANY(${parameters.add(selection.venues, 'text[]')})`]
  if (selection.active !== undefined) conditions.push(`r.active = ${parameters.add(selection.active, 'boolean')}`)
  if (after) conditions.push(behind(`${rank}, r.venue, r.id`, after, parameters))
  conditions.push(...conditionsOf(kind, selection, parameters))
  return `SELECT ${rank} AS rank, r.venue, r.id FROM ${tables[kind]} r ${join} WHERE ${conditions.join(' AND ')}`
}

/** The rank a row had when the walk began, for scans over all hits. */
function rankHeld(query: PlacesQuery, row: string, parameters: Parameters): { rank: string; join: string } {
  const { rank, selection, after } = query
  if (!after) return { rank: `${row}.${rank}`, join: '' }
  return {
    rank: `coalesce(p.rank, ${row}.${rank})`,
    join: `LEFT JOIN unnest(${parameters.add(selection.venues, 'text[]')}, ${parameters.add(versionsOf(selection, after), 'bigint[]')})
        AS v(venue, version) ON v.venue = ${row}.venue
      LEFT JOIN catalog_past_ranks p ON p.venue = ${row}.venue AND p.id = ${row}.id AND ${heldPast(query, 'v.version')}`,
  }
}

const versionsOf = ({ venues }: CatalogSelection, after: PlacesQuery['after']): number[] =>
  venues.map((venue) => after?.versions[venue] ?? 0)

/** Of a past rank `p`: it was valid when the walk began. */
const heldPast = ({ kind, rank }: PlacesQuery, version: string): string =>
  `p.kind = '${letters[kind]}' AND p.sort = '${sortLetters[rank]}' AND p.since <= ${version} AND p.until > ${version}`

/**
 * Of a row `r`: its rank has not changed since the walk began. One primary key look-up per row the walk meets; written as NOT EXISTS,
 * PostgreSQL would turn it into a join and lose the order of the walk.
 */
const isRankUnchanged = ({ kind, rank }: PlacesQuery, version: string): string =>
  `(SELECT p.until FROM catalog_past_ranks p WHERE p.venue = r.venue AND p.kind = '${letters[kind]}'
      AND p.sort = '${sortLetters[rank]}' AND p.id = r.id AND p.until > ${version} ORDER BY p.until LIMIT 1) IS NULL`

/** Past ranks `p` with their rows `r`; the LIMIT keeps the planner from joining the other way round. */
const movedRows = (kind: CatalogKind): string =>
  `catalog_past_ranks p
      CROSS JOIN LATERAL (SELECT * FROM ${tables[kind]} d WHERE d.venue = p.venue AND d.id = p.id LIMIT 1) r`

/**
 * The filter leaves many rows: walk the index (venue, active, rank, id) of each venue from the position on and merge the heads. The
 * position is restated per venue: at its own rank, venues before it are done, its own continues after its id, later ones start.
 */
function placesByIndex(query: PlacesQuery, parameters: Parameters): string {
  const { kind, selection, rank, after, offset, limit } = query
  const startIds = selection.venues.map((venue) => startIdOf(venue, after))
  const from = parameters.add(after ? after.rank : '-Infinity', 'float8')
  const states = parameters.add(statesOf(selection), 'boolean[]')
  const most = parameters.add(offset + limit, 'bigint')
  const venues = `unnest(${parameters.add(selection.venues, 'text[]')}, ${parameters.add(startIds, 'text[]')},
      ${parameters.add(versionsOf(selection, after), 'bigint[]')}) AS v(venue, start_id, version)`
  const filter = conditionsOf(kind, selection, parameters).map((condition) => `AND ${condition}`)
  const inOrder = `SELECT r.${rank} AS rank, r.venue, r.id FROM ${tables[kind]} r
      WHERE r.venue = v.venue AND r.active = s.active AND (r.${rank}, r.id) > (${from}, v.start_id) ${filter.join(' ')}
      ORDER BY r.${rank}, r.id`
  const merged = (rows: string) => `SELECT h.rank, h.venue, h.id FROM ${venues}
    CROSS JOIN unnest(${states}) AS s(active)
    CROSS JOIN LATERAL (${rows} LIMIT ${most}) h`
  if (after === null) return merged(inOrder)
  // OFFSET 0 limits the look-up of past ranks to rows that are reached.
  const stillThere = `SELECT r.rank, r.venue, r.id FROM (${inOrder} OFFSET 0) r WHERE ${isRankUnchanged(query, 'v.version')}`
  return `${merged(stillThere)}
    UNION ALL
    SELECT h.rank, h.venue, h.id FROM ${venues}
    JOIN catalog_versions c ON c.venue = v.venue AND c.version > v.version
    CROSS JOIN LATERAL (
      SELECT p.rank, p.venue, p.id FROM ${movedRows(kind)}
      WHERE p.venue = v.venue AND (p.rank, p.id) > (${from}, v.start_id) AND ${heldPast(query, 'v.version')}
        AND r.active = ANY(${states}) ${filter.join(' ')}
      ORDER BY p.rank, p.id LIMIT ${most}) h`
}

const startIdOf = (venue: string, after: PagePlace | null): string => {
  if (!after || venue > after.venue) return beforeAllIds
  return venue === after.venue ? after.id : afterAllIds
}

const statesOf = ({ active }: CatalogSelection): boolean[] => (active === undefined ? [true, false] : [active])

/**
 * The same indexes as one stream in rank order, read only until enough titles matched: a page of words found in every hundredth title
 * reads five thousand rows, whatever the size of the catalog. Rows of equal rank are sorted afterwards.
 */
function placesByWalk(query: PlacesQuery, parameters: Parameters): string {
  const { kind, selection, rank, after } = query
  const from = parameters.add(after ? after.rank : '-Infinity', 'float8')
  const fits = titleFits(kind, selection, parameters)
  const states = statesOf(selection)
  const streams = selection.venues.flatMap((venue) => {
    const name = parameters.add(venue, 'text')
    const startId = parameters.add(startIdOf(venue, after), 'text')
    const version = after === null ? '' : parameters.add(after.versions[venue] ?? 0, 'bigint')
    // A CASE, because the title must be checked first.
    const isMeant = after === null ? fits : `CASE WHEN ${fits} THEN ${isRankUnchanged(query, version)} ELSE false END`
    const unchanged = states.map(
      (active) => `(SELECT r.${rank} AS rank, r.venue, r.id FROM ${tables[kind]} r
        WHERE r.venue = ${name} AND r.active = ${active} AND (r.${rank}, r.id) > (${from}, ${startId}) AND ${isMeant}
        ORDER BY r.${rank}, r.id)`,
    )
    if (after === null) return unchanged
    const moved = `(SELECT p.rank, p.venue, p.id FROM ${movedRows(kind)}
        WHERE p.venue = ${name} AND (p.rank, p.id) > (${from}, ${startId}) AND ${heldPast(query, version)}
          AND (SELECT c.version FROM catalog_versions c WHERE c.venue = ${name}) > ${version}
          AND r.active = ANY(${parameters.add(states, 'boolean[]')}) AND ${fits}
        ORDER BY p.rank, p.id)`
    return [...unchanged, moved]
  })
  return `SELECT w.rank, w.venue, w.id FROM (SELECT * FROM (${streams.join(' UNION ALL ')}) u ORDER BY rank) w`
}

/** Checks each row passed instead of listing all hits. The index itself has the words, except for very long titles. */
const titleFits = (kind: CatalogKind, selection: CatalogSelection, parameters: Parameters): string =>
  `coalesce(r.title_words, (SELECT t.title FROM catalog_titles t
    WHERE t.kind = '${letters[kind]}' AND t.venue = r.venue AND t.id = r.id)) @@ ${parameters.add(titleQueryOf(selection.words!), 'tsquery')}`
