// Every market that an outcome id names on a venue.
import type { Queryable } from '../pool.ts'

export async function findMarketsOfOutcome<Doc>(db: Queryable, venue: string, outcomeId: string): Promise<Doc[]> {
  if (venue.includes('\0') || outcomeId.includes('\0')) return []
  const { rows } = await db.query<{ doc: Doc }>(
    `SELECT m.doc FROM catalog_outcomes o
     JOIN catalog_markets m ON m.venue = o.venue AND m.id = o.market_id
     WHERE o.venue = $1 AND o.outcome_id = $2
     ORDER BY m.id`,
    [venue, outcomeId],
  )
  return rows.map((row) => row.doc)
}
