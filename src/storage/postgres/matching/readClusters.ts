// All clusters of one run, read in pages of one snapshot, so that a run written meanwhile is visible either completely or not at all.
import type { StoredCluster } from '#schemas/matches'
import type { VenueSlug } from '#schemas/venues'
import { inTransaction, isStillResting, type Pool, type Queryable } from '../pool.ts'
import { latestRunId } from './latestRunId.ts'
import { type MatchPairRow, matchOfRow, pairColumns } from './matchRow.ts'

/** Clusters per page: parsed at once, so small enough not to block the event loop for long. */
const clustersPerPage = 25

/**
 * Passes on all clusters, a page at a time in id order; `db` reads one snapshot. A caller that keeps less than it receives never holds a
 * whole run. Returns the run they belong to, null before the first.
 */
export async function readClusters(
  pool: Pool,
  take: (page: StoredCluster[], db: Queryable) => Promise<void> | void,
): Promise<string | null> {
  return inTransaction(
    pool,
    async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const runId = await latestRunId(client)
      for (let after: string | null = ''; after !== null; ) {
        const page: StoredCluster[] = await findClusterPage(client, after)
        after = page.length < clustersPerPage ? null : page.at(-1)!.clusterId
        await take(page, client)
      }
      return runId
    },
    { settings: isStillResting },
  )
}

async function findClusterPage(db: Queryable, after: string): Promise<StoredCluster[]> {
  const { rows } = await db.query<{ id: string; question: string }>(
    'SELECT id, question FROM match_clusters WHERE id > $1 ORDER BY id LIMIT $2',
    [after, clustersPerPage],
  )
  return fillClusters(db, rows)
}

/** Members and pairs of the given clusters, in the given order. */
export async function fillClusters(
  db: Queryable,
  found: readonly { id: string; question: string }[],
): Promise<StoredCluster[]> {
  const clusters = new Map(
    found.map(({ id, question }): [string, StoredCluster] => [id, { clusterId: id, question, members: [], pairs: [] }]),
  )
  if (clusters.size === 0) return []
  const ids = [...clusters.keys()]
  const { rows: members } = await db.query<{
    venue: string
    market_id: string
    cluster_id: string
    polarity: 'same' | 'inverse'
  }>(
    'SELECT venue, market_id, cluster_id, polarity FROM match_members WHERE cluster_id = ANY($1) ORDER BY cluster_id, position',
    [ids],
  )
  for (const { venue, market_id, cluster_id, polarity } of members)
    clusters.get(cluster_id)?.members.push({ venue: venue as VenueSlug, marketId: market_id, polarity })
  const { rows: pairs } = await db.query<MatchPairRow>(
    `SELECT ${pairColumns} FROM match_pairs WHERE cluster_id = ANY($1)
     ORDER BY cluster_id, a_venue, a_market_id, b_venue, b_market_id`,
    [ids],
  )
  for (const row of pairs) clusters.get(row.cluster_id!)?.pairs.push(matchOfRow(row))
  return [...clusters.values()]
}
