// When the catalog's markets were last reported by their venues.
import type { Queryable } from '../pool.ts'

export async function findReportTimes(
  db: Queryable,
  markets: readonly { venue: string; marketId: string }[],
): Promise<{ venue: string; id: string; as_of: number }[]> {
  if (markets.length === 0) return []
  const { rows } = await db.query<{ venue: string; id: string; as_of: number }>(
    `SELECT k.venue, k.id, k.as_of
     FROM unnest($1::text[], $2::text[]) AS wanted(venue, id)
     JOIN catalog_marks k ON k.kind = 'm' AND k.venue = wanted.venue AND k.id = wanted.id`,
    [markets.map(({ venue }) => venue), markets.map(({ marketId }) => marketId)],
  )
  return rows
}
