// Markets as read by the sports engine, extracted from the catalog by the database. First which rows have been rewritten, without opening their
// documents; then the words of those rows.
import type { Queryable } from '../pool.ts'

/** The parts of a market and its event from which a game can be parsed; every part may be missing. */
export interface SportsWords {
  eventId: string | null
  title: string | null
  description: string | null
  category: string | null
  tags: string[] | null
  slug: string | null
  status: string | null
  outcomes: { outcomeId: string; label: string }[] | null
  said: Record<string, unknown> | null
  eventTitle: string | null
  eventSlug: string | null
  eventCategory: string | null
  eventTags: string[] | null
  seriesId: string | null
  saidOfEvent: Record<string, unknown> | null
}

/** Keys of `sourceMetadata` under which venues describe games. */
const marketKeys = [
  'capStrike',
  'eventStatus',
  'eventTicker',
  'floorStrike',
  'gameStartTime',
  'groupItemTitle',
  'league',
  'leagueLabel',
  'line',
  'marketType',
  'mveSelectedLegs',
  'parentMarketFamily',
  'section',
  'sportsMarketType',
  'sportsMarketTypeV2',
  'strikeType',
  'subtitle',
  'teamOneName',
  'teamTwoName',
  'venueMarketType',
  'venueTypeName',
  'yesSubTitle',
]
const eventKeys = [
  'ended',
  'eventDate',
  'fixtureId',
  'gameStartTime',
  'gameStatus',
  'isLive',
  'league',
  'leagueLabel',
  'live',
  'seriesSlug',
  'startTime',
  'subcategory',
  'teamA',
  'teamB',
]

const picked = (doc: string, keys: readonly string[]): string =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each(${doc}->'sourceMetadata') WHERE key IN (${keys.map((key) => `'${key}'`).join(', ')}))`

const words = `jsonb_build_object(
  'eventId', m.event_id,
  'title', m.doc->'title',
  'description', left(m.doc->>'description', 600),
  'category', m.doc->'category',
  'tags', m.doc->'tags',
  'slug', m.doc->'slug',
  'status', m.doc->'status',
  'outcomes', (SELECT jsonb_agg(jsonb_build_object('outcomeId', o->'outcomeId', 'label', o->'label') ORDER BY at)
    FROM jsonb_array_elements(m.doc->'outcomes') WITH ORDINALITY AS outcomes(o, at)),
  'said', ${picked('m.doc', marketKeys)},
  'eventTitle', e.doc->'title',
  'eventSlug', e.doc->'slug',
  'eventCategory', e.doc->'category',
  'eventTags', e.doc->'tags',
  'seriesId', e.doc->'seriesId',
  'saidOfEvent', ${picked('e.doc', eventKeys)})`

const source = 'catalog_markets m LEFT JOIN catalog_events e ON e.venue = m.venue AND e.id = m.event_id'

export interface RowVersion {
  id: string
  /** Changes when its row, or its event's, is rewritten. */
  version: string
}

/** How often a venue's catalog was written; null if never. */
export async function findCatalogVersion(db: Queryable, venue: string): Promise<string | null> {
  const { rows } = await db.query<{ version: string }>('SELECT version FROM catalog_versions WHERE venue = $1', [venue])
  return rows[0]?.version ?? null
}

/** Markets of one venue that trade now, by id, after `after`. */
export async function findRowVersions(
  db: Queryable,
  venue: string,
  after: string,
  limit: number,
): Promise<RowVersion[]> {
  const { rows } = await db.query<RowVersion>(
    `SELECT m.id, encode(m.digest, 'base64') || coalesce(encode(e.digest, 'base64'), '') AS version FROM ${source}
     WHERE m.venue = $1 AND m.active AND m.id > $2 ORDER BY m.id LIMIT $3`,
    [venue, after, limit],
  )
  return rows
}

/** Those unknown to the catalog are missing. */
export async function findSportsWords(
  db: Queryable,
  venue: string,
  ids: readonly string[],
): Promise<{ id: string; words: SportsWords }[]> {
  const { rows } = await db.query<{ id: string; words: SportsWords }>(
    `SELECT m.id, ${words} AS words FROM ${source} WHERE m.venue = $1 AND m.id = ANY($2)`,
    [venue, ids],
  )
  return rows
}
