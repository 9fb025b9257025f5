// One cluster, by its own id or by one of its markets, with the run it belongs to.
import type { StoredCluster } from '#schemas/matches'
import type { Queryable } from '../pool.ts'
import { fillClusters } from './readClusters.ts'

export async function findCluster(db: Queryable, clusterId: string): Promise<StoredCluster | null> {
  if (clusterId.includes('\0')) return null
  const { rows } = await db.query<{ id: string; question: string }>(
    'SELECT id, question FROM match_clusters WHERE id = $1',
    [clusterId],
  )
  return (await fillClusters(db, rows))[0] ?? null
}

export async function findClusterOf(db: Queryable, venue: string, marketId: string): Promise<StoredCluster | null> {
  if (venue.includes('\0') || marketId.includes('\0')) return null
  const { rows } = await db.query<{ id: string; question: string }>(
    `SELECT c.id, c.question FROM match_members m JOIN match_clusters c ON c.id = m.cluster_id
     WHERE m.venue = $1 AND m.market_id = $2`,
    [venue, marketId],
  )
  return (await fillClusters(db, rows))[0] ?? null
}

export interface MatchState {
  runId: string
  finishedAt: Date
}

/** Null before the first run. */
export async function findMatchState(db: Queryable): Promise<MatchState | null> {
  const { rows } = await db.query<{ run_id: string; finished_at: Date }>('SELECT run_id, finished_at FROM match_state')
  const [row] = rows
  return row === undefined ? null : { runId: row.run_id, finishedAt: row.finished_at }
}
