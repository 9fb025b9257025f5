// Compared pairs by their two markets, in bulk and unordered; those that no run stored are missing.
import type { MatchBand, MatchDifference } from '#schemas/matches'
import type { Queryable } from '../pool.ts'

export interface StoredComparison {
  /** Market keys, the smaller venue first. */
  a: string
  b: string
  band: MatchBand
  differences: MatchDifference[]
}

export async function findStoredPairs(
  db: Queryable,
  pairs: readonly { a: string; b: string }[],
): Promise<StoredComparison[]> {
  if (pairs.length === 0) return []
  const { rows } = await db.query<StoredComparison>(
    `SELECT p.a_venue || ':' || p.a_market_id AS a, p.b_venue || ':' || p.b_market_id AS b, p.band, p.differences
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS q(a_venue, a_id, b_venue, b_id)
     JOIN match_pairs p ON p.a_venue = q.a_venue AND p.a_market_id = q.a_id AND p.b_venue = q.b_venue AND p.b_market_id = q.b_id`,
    sidesOf(pairs),
  )
  return rows
}

/** Venues and ids of both sides, each pair in stored order. */
function sidesOf(pairs: readonly { a: string; b: string }[]): string[][] {
  const sides = pairs.map(({ a, b }) => [a, b].map(splitKey).sort(([one], [other]) => (one < other ? -1 : 1)))
  return [0, 1].flatMap((side) => [0, 1].map((part) => sides.map((pair) => pair[side]![part]!)))
}

const splitKey = (key: string): [venue: string, marketId: string] => {
  const colon = key.indexOf(':')
  return [key.slice(0, colon), key.slice(colon + 1)]
}
