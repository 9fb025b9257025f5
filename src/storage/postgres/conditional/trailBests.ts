// The best price of each trailing stop since it was armed. Several processes may save theirs: the best of all remains.
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'

export interface TrailBest {
  id: string
  /** Half millionths, of the order's own outcome. */
  best: number
}

/** In one statement. Returns what is stored now, which may be better. */
export async function saveBests(db: Queryable, bests: readonly TrailBest[], at: Date): Promise<TrailBest[]> {
  const { rows } = await db.query<TrailBest>(save([bests.map(({ id }) => id), bests.map(({ best }) => best), at]))
  return rows
}

// Locked in the order of ids: two processes save the same orders.
const save = prepared(`WITH was AS (
    SELECT t.conditional_id AS id, t.best AS before,
      CASE WHEN t.is_highest THEN greatest(t.best, given.best) ELSE least(t.best, given.best) END AS best
    FROM conditional_trails t JOIN unnest($1::uuid[], $2::integer[]) AS given (id, best) ON given.id = t.conditional_id
    WHERE t.conditional_id = ANY ($1::uuid[]) ORDER BY t.conditional_id FOR UPDATE OF t
  ), saved AS (
    UPDATE conditional_trails t SET best = was.best, saved_at = $3 FROM was
    WHERE t.conditional_id = was.id AND was.before IS DISTINCT FROM was.best
  )
  SELECT id, best FROM was`)
