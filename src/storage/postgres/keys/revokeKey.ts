// Ends a key, now or after a delay. A key that already ends earlier keeps that end; false if there is no such active
// key.
import type { Queryable } from '../pool.ts'

export async function revokeKey(db: Queryable, id: string, afterSeconds = 0): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE api_keys SET revoked_at = least(revoked_at, now() + make_interval(secs => $2))
     WHERE id::text = $1 AND (revoked_at IS NULL OR revoked_at > now())`,
    [id, afterSeconds],
  )
  return (rowCount ?? 0) > 0
}
