// Result of querying the venue for an order whose status does not change: how long it has been missing, and how much of it was ever
// matched.
import type { Queryable } from '../pool.ts'

export interface Observation {
  id: string
  /** When the venue was queried. */
  at: Date
  /** False: it does not show the order. Null: the answer is inconclusive. */
  shown: boolean | null
  /** Decimal string; null if it was not reported. Zero only of an order that has ended. */
  matchedSize: string | null
}

/** The time of the first query without the order is kept until it is seen again; the matched size never decreases. */
export async function recordObservation(db: Queryable, { id, at, shown, matchedSize }: Observation): Promise<void> {
  await db.query(
    `UPDATE executions SET
       missing_since = CASE WHEN $3::boolean IS NULL THEN missing_since WHEN $3 THEN NULL ELSE coalesce(missing_since, $2) END,
       matched_size = greatest(matched_size, $4::numeric)
     WHERE id = $1 AND (($3 IS TRUE AND missing_since IS NOT NULL) OR ($3 IS FALSE AND missing_since IS NULL)
       OR ($4::numeric IS NOT NULL AND (matched_size IS NULL OR $4 > matched_size)))`,
    [id, at, shown, matchedSize],
  )
}
