// Quotes of verified pairs, and the pairs whose prices differ by more than their books cost.
import type { Queryable } from '../pool.ts'

/** A pair in stored order. */
export interface PairSides {
  a_venue: string
  a_market_id: string
  b_venue: string
  b_market_id: string
}

export interface QuotedPair extends PairSides {
  polarity: 'same' | 'inverse'
  /** Of the Yes of each, as last listed by its venue, probability; null: unknown. */
  a_bid: number | null
  a_ask: number | null
  b_bid: number | null
  b_ask: number | null
}

/** The outcome called Yes, else the first. */
const yesQuote = (doc: string): string => `(
  SELECT (o.value->>'bestBid')::float8 AS bid, (o.value->>'bestAsk')::float8 AS ask
  FROM jsonb_array_elements(${doc}->'outcomes') WITH ORDINALITY AS o(value, place)
  ORDER BY lower(o.value->>'label') = 'yes' DESC, place LIMIT 1)`

/** Adds the quotes of both markets to the selected pairs, in their order; a market that is not active has none. */
export const withQuotes = (pairs: string, more = '', order = ''): string => `
  SELECT p.a_venue, p.a_market_id, p.b_venue, p.b_market_id, p.polarity,
    x.bid AS a_bid, x.ask AS a_ask, y.bid AS b_bid, y.ask AS b_ask${more === '' ? '' : `, ${more}`}
  FROM (${pairs}) p
  LEFT JOIN LATERAL (SELECT q.* FROM catalog_markets m CROSS JOIN LATERAL ${yesQuote('m.doc')} q
    WHERE m.venue = p.a_venue AND m.id = p.a_market_id AND m.active LIMIT 1) x ON true
  LEFT JOIN LATERAL (SELECT q.* FROM catalog_markets m CROSS JOIN LATERAL ${yesQuote('m.doc')} q
    WHERE m.venue = p.b_venue AND m.id = p.b_market_id AND m.active LIMIT 1) y ON true
  ORDER BY ${order}p.a_venue, p.a_market_id, p.b_venue, p.b_market_id`

/** Active verified pairs on these venues that no operator has pinned or forbidden, in their order, after `after`. */
export async function findQuotedPairs(
  db: Queryable,
  venues: readonly string[],
  after: PairSides | null,
  limit: number,
): Promise<QuotedPair[]> {
  const { rows } = await db.query<QuotedPair>(
    withQuotes(`SELECT * FROM match_pairs
       WHERE band = 'verified' AND override IS NULL AND a_venue = ANY($1) AND b_venue = ANY($1)
         AND (a_venue, a_market_id, b_venue, b_market_id) > ($2, $3, $4, $5)
       ORDER BY a_venue, a_market_id, b_venue, b_market_id LIMIT $6`),
    [venues, after?.a_venue ?? '', after?.a_market_id ?? '', after?.b_venue ?? '', after?.b_market_id ?? '', limit],
  )
  return rows
}

/** The last runs of catalog jobs that are searched: some minutes of them. */
const runsLookedAt = 2_000

/** Venues whose whole list was read since then: quotes of the others may be old. */
export async function findWalkedVenues(db: Queryable, sinceMs: number): Promise<string[]> {
  const { rows } = await db.query<{ venue: string }>(
    `SELECT DISTINCT counts->>'venue' AS venue
     FROM (SELECT ok, counts, finished_at FROM run_log WHERE job = 'ingest' ORDER BY id DESC LIMIT ${runsLookedAt}) AS walks
     WHERE ok AND finished_at >= to_timestamp($1::float8 / 1000) AND counts->>'venue' IS NOT NULL`,
    [sinceMs],
  )
  return rows.map(({ venue }) => venue)
}

export interface StoredPriceGap extends PairSides {
  since: Date
  seen_at: Date
  excess: number
  demoted_at: Date | null
}

export async function listPriceGaps(db: Queryable): Promise<StoredPriceGap[]> {
  const { rows } = await db.query<StoredPriceGap>(
    `SELECT a_venue, a_market_id, b_venue, b_market_id, since, seen_at, excess, demoted_at FROM match_price_gaps
     ORDER BY a_venue, a_market_id, b_venue, b_market_id`,
  )
  return rows
}

const columns = `a_venue text, a_market_id text, b_venue text, b_market_id text, since timestamptz, seen_at timestamptz,
  excess float8, demoted_at timestamptz`

export async function writePriceGaps(db: Queryable, gaps: readonly StoredPriceGap[]): Promise<void> {
  if (gaps.length === 0) return
  await db.query(
    `INSERT INTO match_price_gaps (a_venue, a_market_id, b_venue, b_market_id, since, seen_at, excess, demoted_at)
     SELECT g.a_venue, g.a_market_id, g.b_venue, g.b_market_id, g.since, g.seen_at, g.excess, g.demoted_at
     FROM jsonb_to_recordset($1::jsonb) AS g (${columns})
     ON CONFLICT (a_venue, a_market_id, b_venue, b_market_id) DO UPDATE
     SET since = excluded.since, seen_at = excluded.seen_at, excess = excluded.excess, demoted_at = excluded.demoted_at`,
    [JSON.stringify(gaps)],
  )
}

export async function deletePriceGaps(db: Queryable, pairs: readonly PairSides[]): Promise<void> {
  if (pairs.length === 0) return
  await db.query(
    `DELETE FROM match_price_gaps g USING jsonb_to_recordset($1::jsonb) AS p (${columns})
     WHERE (g.a_venue, g.a_market_id, g.b_venue, g.b_market_id) = (p.a_venue, p.a_market_id, p.b_venue, p.b_market_id)`,
    [JSON.stringify(pairs)],
  )
}

/** Of pairs that the last run did not store. */
export async function deleteGonePriceGaps(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM match_price_gaps g WHERE NOT EXISTS (SELECT FROM match_pairs p
     WHERE (p.a_venue, p.a_market_id, p.b_venue, p.b_market_id) = (g.a_venue, g.a_market_id, g.b_venue, g.b_market_id))`,
  )
}
