// What the matcher found in the lab's catalogs, read from the database as an operator would.
import { silentLog } from '#core/log'
import { createPool } from '#storage/postgres/pool'

/** Ids of the clusters with a visible pair; none before the matcher has run over both catalogs. */
export async function matchedClusters(databaseUrl: string): Promise<string[]> {
  const pool = createPool({ url: databaseUrl, log: silentLog })
  try {
    const { rows } = await pool.query<{ id: string }>(
      "SELECT DISTINCT cluster_id AS id FROM match_pairs WHERE cluster_id IS NOT NULL AND band <> 'hidden' ORDER BY 1",
    )
    return rows.map(({ id }) => id)
  } finally {
    await pool.end()
  }
}
