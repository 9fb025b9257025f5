// The words of markets that the matcher reads, extracted from the catalog by the database: prices and volumes change all day and are not among them.
// First the digests, to see what changed; then the words of those that did.
import { ofVenue } from '../catalog/venuePredicate.ts'
import type { Queryable } from '../pool.ts'
import type { Cutoff } from './activeMarkets.ts'

/** The parts of a market and its event from which a question can be parsed; every part may be missing. */
export interface MatchWords {
  title: string | null
  description: string | null
  category: string | null
  resolutionDate: string | null
  outcomes: unknown
  /** Of the market. */
  metadata: Record<string, unknown> | null
  eventId: string | null
  eventTitle: string | null
  eventMetadata: Record<string, unknown> | null
  /** Markets of its event that may still come true, trading or not. Counted for one that may be the remainder of an exclusive event. */
  eventOpen: number | null
}

/** Keys of `sourceMetadata` under which venues put words of the question. */
const marketKeys = [
  'subtitle',
  'yesSubTitle',
  'groupItemTitle',
  'rulesSecondary',
  'rules',
  'closeTime',
  'endDate',
  'strikeType',
  'floorStrike',
  'capStrike',
  'resolutionSource',
  'marketType',
  'gameStartTime',
  'mveSelectedLegs',
  'negRisk',
]
const eventKeys = [
  'settlementSources',
  'resolutionSource',
  'mutuallyExclusive',
  'negRisk',
  'negRiskAugmented',
  'fallbackOutcome',
  'gameStartTime',
]

const own = "m.doc->'sourceMetadata'"
const label = `concat_ws(' ', m.doc->>'title', ${own}->>'yesSubTitle', ${own}->>'groupItemTitle', ${own}->>'subtitle')`
/** Settled as No: its first outcome is worth nothing. */
const isOut = `(s.doc->>'status' = 'resolved' AND s.doc->'outcomes'->0->>'price' = '0')`
const open = `CASE WHEN (e.doc->'sourceMetadata'->>'mutuallyExclusive' = 'true' OR e.doc->'sourceMetadata'->>'negRisk' = 'true')
    AND ${label} ~* '\\m(others?|another|else|field|neither|none of|unlisted)\\M'
  THEN (SELECT count(*)::int FROM catalog_markets s WHERE s.venue = m.venue AND s.event_id = m.event_id AND NOT coalesce(${isOut}, false))
  END`

const picked = (doc: string, keys: readonly string[]): string =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each(${doc}->'sourceMetadata') WHERE key IN (${keys.map((key) => `'${key}'`).join(', ')}))`

const words = `jsonb_build_object(
  'title', m.doc->'title',
  'description', m.doc->'description',
  'category', m.doc->'category',
  'resolutionDate', m.doc->'resolutionDate',
  'outcomes', jsonb_path_query_array(m.doc, '$.outcomes[*].label'),
  'metadata', ${picked('m.doc', marketKeys)},
  'eventId', m.event_id,
  'eventTitle', e.doc->'title',
  'eventMetadata', ${picked('e.doc', eventKeys)},
  'eventOpen', ${open})`

const source = 'catalog_markets m LEFT JOIN catalog_events e ON e.venue = m.venue AND e.id = m.event_id'

export interface MatchDigest {
  id: string
  digest: string
}

/** Two-outcome markets of one venue that trade now, by id, after `after`; with `cutoff` only those as active as that one. */
export async function findMatchDigests(
  db: Queryable,
  venue: string,
  after: string,
  limit: number,
  cutoff: Cutoff | null = null,
): Promise<MatchDigest[]> {
  const { rows } = await db.query<MatchDigest>(
    `SELECT m.id, md5(${words}::text) AS digest FROM ${source}
     WHERE m.venue = $1 AND m.active AND m.id > $2 AND jsonb_array_length(m.doc->'outcomes') = 2
       AND ($4::float8 IS NULL OR (m.volume_rank, m.id) <= ($4, $5::text COLLATE "C"))
     ORDER BY m.id LIMIT $3`,
    [venue, after, limit, cutoff?.rank ?? null, cutoff?.id ?? null],
  )
  return rows
}

export async function findMatchWords(
  db: Queryable,
  venue: string,
  ids: readonly string[],
): Promise<{ id: string; words: MatchWords }[]> {
  const { rows } = await db.query<{ id: string; words: MatchWords }>(
    `SELECT r.* FROM ${ofVenue('unnest($2::text[]) AS given(id)')} i
     CROSS JOIN LATERAL (SELECT m.id, ${words} AS words FROM ${source} WHERE m.venue = i.venue AND m.id = i.id LIMIT 1) r`,
    [venue, ids],
  )
  return rows
}
