// Which markets were in which cluster, for the next run.
import type { Queryable } from '../pool.ts'

export interface PreviousMember {
  venue: string
  marketId: string
  clusterId: string
}

/** By venue and market, after `after`. */
export async function findPreviousMembers(
  db: Queryable,
  after: { venue: string; marketId: string } | null,
  limit: number,
): Promise<PreviousMember[]> {
  const { rows } = await db.query<{ venue: string; market_id: string; cluster_id: string }>(
    `SELECT venue, market_id, cluster_id FROM match_members WHERE (venue, market_id) > ($1, $2)
     ORDER BY venue, market_id LIMIT $3`,
    [after?.venue ?? '', after?.marketId ?? '', limit],
  )
  return rows.map((row) => ({ venue: row.venue, marketId: row.market_id, clusterId: row.cluster_id }))
}
