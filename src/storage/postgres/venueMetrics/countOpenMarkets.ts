// How many open markets of a venue our catalog has, once a walk of the venue's list has finished.
import type { Queryable } from '../pool.ts'

/** The venue's last run is searched among this many runs of catalog jobs: several days of them. */
const runsLookedAt = 20_000

/** Null: no walk has ended since then. */
export async function countOpenMarkets(
  db: Queryable,
  venue: string,
  { walkedSince }: { walkedSince: Date },
): Promise<number | null> {
  const { rows } = await db.query<{ walked: boolean; open: string }>(
    `SELECT
       EXISTS (
         SELECT FROM (SELECT ok, counts, finished_at FROM run_log WHERE job = 'ingest' ORDER BY id DESC LIMIT ${runsLookedAt}) AS r
         WHERE r.ok AND r.counts ->> 'venue' = $1 AND r.finished_at >= $2
       ) AS walked,
       (SELECT count(*) FROM catalog_markets WHERE venue = $1 AND active) AS open`,
    [venue, walkedSince],
  )
  const { walked, open } = rows[0]!
  return walked ? Number(open) : null
}
