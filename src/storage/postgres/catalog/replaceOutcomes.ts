// Makes the outcome index of changed markets say what the markets say. The caller holds the markets' marks.
import type { Queryable } from '../pool.ts'

export async function replaceOutcomes(
  db: Queryable,
  venue: string,
  marketIds: readonly string[],
  outcomes: readonly { marketId: string; outcomeId: string }[],
): Promise<void> {
  const values = [venue, outcomes.map(({ marketId }) => marketId), outcomes.map(({ outcomeId }) => outcomeId)]
  await db.query(
    `DELETE FROM catalog_outcomes o WHERE o.venue = $1 AND o.market_id = ANY($4::text[])
       AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS r(market_id, outcome_id)
                       WHERE r.market_id = o.market_id AND r.outcome_id = o.outcome_id)`,
    [...values, marketIds],
  )
  await db.query(
    `INSERT INTO catalog_outcomes (venue, market_id, outcome_id)
     SELECT $1, r.market_id, r.outcome_id FROM unnest($2::text[], $3::text[]) AS r(market_id, outcome_id)
     ON CONFLICT DO NOTHING`,
    values,
  )
}
