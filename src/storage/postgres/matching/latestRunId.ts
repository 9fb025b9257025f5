// Which run of the matcher the stored clusters come from. Cheap enough to query every second.
import type { Queryable } from '../pool.ts'

/** Null before the first run. */
export async function latestRunId(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ run_id: string }>('SELECT run_id FROM match_state')
  return rows[0]?.run_id ?? null
}
