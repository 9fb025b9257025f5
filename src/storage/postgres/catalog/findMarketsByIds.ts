// Markets by their venue-native ids, in bulk and unordered; those unknown to the catalog are missing.
import type { Queryable } from '../pool.ts'

export async function findMarketsByIds<Doc>(
  db: Queryable,
  markets: readonly { venue: string; marketId: string }[],
): Promise<{ venue: string; id: string; doc: Doc }[]> {
  if (markets.length === 0) return []
  const { rows } = await db.query<{ venue: string; id: string; doc: Doc }>(
    `SELECT m.venue, m.id, m.doc
     FROM unnest($1::text[], $2::text[]) AS asked(venue, id)
     JOIN catalog_markets m ON m.venue = asked.venue AND m.id = asked.id`,
    [markets.map(({ venue }) => venue), markets.map(({ marketId }) => marketId)],
  )
  return rows
}
