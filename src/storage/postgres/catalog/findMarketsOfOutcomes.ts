// Every market that an outcome id names on a venue, in bulk.
import type { Queryable } from '../pool.ts'

export interface MarketOfOutcome<Doc> {
  venue: string
  outcomeId: string
  doc: Doc
}

/** Per outcome in market id order. */
export async function findMarketsOfOutcomes<Doc>(
  db: Queryable,
  requested: readonly { venue: string; outcomeId: string }[],
): Promise<MarketOfOutcome<Doc>[]> {
  const keys = requested.filter(({ venue, outcomeId }) => !venue.includes('\0') && !outcomeId.includes('\0'))
  if (keys.length === 0) return []
  const { rows } = await db.query<MarketOfOutcome<Doc>>(
    `SELECT o.venue, o.outcome_id AS "outcomeId", m.doc
     FROM unnest($1::text[], $2::text[]) AS asked (venue, outcome_id)
     JOIN catalog_outcomes o ON o.venue = asked.venue AND o.outcome_id = asked.outcome_id
     JOIN catalog_markets m ON m.venue = o.venue AND m.id = o.market_id
     ORDER BY m.id`,
    [keys.map(({ venue }) => venue), keys.map(({ outcomeId }) => outcomeId)],
  )
  return rows
}
