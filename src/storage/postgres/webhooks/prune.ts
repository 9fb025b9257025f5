// Ended deliveries and taken events are kept for a while so that they can be read, then deleted in batches.
import type { Queryable } from '../pool.ts'

/** Rows removed, at most `limit` of each kind. */
export async function pruneEnded(
  db: Queryable,
  { deliveriesBefore, eventsBefore, limit }: { deliveriesBefore: Date; eventsBefore: Date; limit: number },
): Promise<number> {
  const deliveries = await db.query(
    `DELETE FROM webhook_deliveries WHERE id IN
       (SELECT id FROM webhook_deliveries WHERE status <> 'queued' AND created_at < $1 ORDER BY created_at LIMIT $2)`,
    [deliveriesBefore, limit],
  )
  const events = await db.query(
    'DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE taken_at < $1 ORDER BY taken_at LIMIT $2)',
    [eventsBefore, limit],
  )
  return (deliveries.rowCount ?? 0) + (events.rowCount ?? 0)
}

/** Secrets that no longer sign are not kept. */
export async function pruneOldSecrets(db: Queryable, at: Date): Promise<void> {
  await db.query(
    `UPDATE webhook_endpoints SET old_secrets_sealed = '{}', old_secrets_until = '{}'
     WHERE cardinality(old_secrets_until) > 0 AND $1 >= ALL (old_secrets_until)`,
    [at],
  )
}

export async function countQueued(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM webhook_deliveries WHERE status = 'queued'`,
  )
  return rows[0]!.n
}
