// Updates the outcome index for changed markets. The caller holds the markets' marks.
import type { Queryable } from '../pool.ts'
import { ofVenue } from './venuePredicate.ts'

export interface OutcomeKey {
  marketId: string
  outcomeId: string
}

/** `outcomes` is everything the markets `marketIds` have now. Usually nothing changes, and nothing is written. */
export async function replaceOutcomes(
  db: Queryable,
  venue: string,
  marketIds: readonly string[],
  outcomes: readonly OutcomeKey[],
): Promise<void> {
  const stored = await findOutcomeKeys(db, venue, marketIds)
  const nameOf = ({ marketId, outcomeId }: OutcomeKey) => JSON.stringify([marketId, outcomeId])
  const before = new Set(stored.map(nameOf))
  const now = new Set(outcomes.map(nameOf))
  const gone = stored.filter((key) => !now.has(nameOf(key)))
  const added = outcomes.filter((key) => !before.has(nameOf(key)))
  const values = (keys: readonly OutcomeKey[]) => [
    venue,
    keys.map(({ marketId }) => marketId),
    keys.map(({ outcomeId }) => outcomeId),
  ]
  if (gone.length > 0) {
    await db.query(
      `DELETE FROM catalog_outcomes o USING ${ofVenue('unnest($2::text[], $3::text[]) AS given(market_id, outcome_id)')} r
       WHERE o.venue = r.venue AND o.outcome_id = r.outcome_id AND o.market_id = r.market_id`,
      values(gone),
    )
  }
  if (added.length > 0) {
    await db.query(
      `INSERT INTO catalog_outcomes (venue, market_id, outcome_id)
       SELECT $1, r.market_id, r.outcome_id FROM unnest($2::text[], $3::text[]) AS r(market_id, outcome_id)
       ON CONFLICT DO NOTHING`,
      values(added),
    )
  }
}

async function findOutcomeKeys(db: Queryable, venue: string, marketIds: readonly string[]): Promise<OutcomeKey[]> {
  const { rows } = await db.query<OutcomeKey>(
    // OFFSET 0 keeps one index look-up per market, regardless of the statistics.
    `SELECT i.id AS "marketId", r.outcome_id AS "outcomeId" FROM ${ofVenue('unnest($2::text[]) AS given(id)')} i
     CROSS JOIN LATERAL (
       SELECT o.outcome_id FROM catalog_outcomes o WHERE o.venue = i.venue AND o.market_id = i.id OFFSET 0) r`,
    [venue, marketIds],
  )
  return rows
}
