// Running totals of markets over the last day: what is stored of each, and what is needed to derive the day's increase.
import type { Queryable } from '../pool.ts'
import { ofVenue } from './venuePredicate.ts'

export interface KeptTotal {
  id: string
  /** When the newest total was last confirmed, epoch ms. */
  heard: number
  /** The newest total, and since when it has held. */
  total: number
  at: number
  /** The total a day ago; null if the row does not reach back that far. */
  base: number | null
}

/** `dayAgo`: epoch ms. Markets without stored totals are missing. */
export async function findRunningTotals(
  db: Queryable,
  venue: string,
  ids: readonly string[],
  dayAgo: number,
): Promise<Map<string, KeptTotal>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<KeptTotal>(
    // A bucket's number is how many of the times are not after the day's start. LIMIT: see findDigests.
    `SELECT r.id, r.heard, r.totals[cardinality(r.totals)] AS total, r.at[cardinality(r.at)] AS at,
       r.totals[nullif(width_bucket($3::float8, r.at), 0)] AS base
     FROM ${ofVenue('unnest($2::text[]) AS given(id)')} i
     CROSS JOIN LATERAL (SELECT * FROM catalog_running_totals t WHERE t.venue = i.venue AND t.id = i.id LIMIT 1) r`,
    [venue, ids, dayAgo],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** `begin`: the stored totals are void. `add`: the total rose. `renew`: it is unchanged. */
export type TotalChange = 'begin' | 'add' | 'renew'

export interface NewTotal {
  id: string
  total: number
  change: TotalChange
}

/** Of totals older than a day, the newest stays: it held when the day began. The caller is the venue's only writer. */
export async function writeRunningTotals(
  db: Queryable,
  venue: string,
  totals: readonly NewTotal[],
  { now, dayAgo }: { now: number; dayAgo: number },
): Promise<void> {
  if (totals.length === 0) return
  await db.query(
    `WITH said AS (SELECT * FROM ${ofVenue('unnest($2::text[], $3::float8[], $4::text[]) AS given(id, total, change)')} s),
     begun AS (
       INSERT INTO catalog_running_totals (venue, id, at, totals, heard)
       SELECT s.venue, s.id, ARRAY[$5::float8], ARRAY[s.total], $5 FROM said s WHERE s.change = 'begin'
       ON CONFLICT (venue, id) DO UPDATE SET at = EXCLUDED.at, totals = EXCLUDED.totals, heard = EXCLUDED.heard)
     UPDATE catalog_running_totals r SET heard = $5,
       at = CASE s.change WHEN 'add' THEN r.at[k.first:] || $5::float8 ELSE r.at END,
       totals = CASE s.change WHEN 'add' THEN r.totals[k.first:] || s.total ELSE r.totals END
     FROM said s, LATERAL (
       SELECT greatest(width_bucket($6::float8, t.at), 1) AS first FROM catalog_running_totals t
       WHERE t.venue = s.venue AND t.id = s.id LIMIT 1) k
     WHERE s.change <> 'begin' AND r.venue = s.venue AND r.id = s.id`,
    [
      venue,
      totals.map(({ id }) => id),
      totals.map(({ total }) => total),
      totals.map(({ change }) => change),
      now,
      dayAgo,
    ],
  )
}

/** Of markets not reported since then, epoch ms. */
export async function deleteRunningTotals(db: Queryable, venue: string, reportedBefore: number): Promise<void> {
  await db.query('DELETE FROM catalog_running_totals WHERE venue = $1 AND heard < $2', [venue, reportedBefore])
}
