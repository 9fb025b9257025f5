// Records that a key was used today; writes once per key and day (UTC).
import type { Queryable } from '../pool.ts'

export async function markKeyUsed(db: Queryable, id: string): Promise<void> {
  await db.query(
    `UPDATE api_keys SET last_used_day = (now() AT TIME ZONE 'UTC')::date
     WHERE id = $1 AND last_used_day IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date`,
    [id],
  )
}
