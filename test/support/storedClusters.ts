// All rows that the matcher stored.
import type { StoredCluster } from '#schemas/matches'
import { readClusters } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'

/** `runId` is null, and there are no clusters, before the first run. */
export async function findClusters(pool: Pool): Promise<{ runId: string | null; clusters: StoredCluster[] }> {
  const clusters: StoredCluster[] = []
  const runId = await readClusters(pool, (page) => void clusters.push(...page))
  return { runId, clusters }
}
