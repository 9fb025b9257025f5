// From the outbox to the queues: every event becomes one delivery per endpoint that is registered for it.
import { inTransaction, type Pool, type Queryable } from '../pool.ts'

/** Deliveries that may be queued while an endpoint is paused. Later ones fail immediately; their owner can have them resent. */
export const pausedQueueMax = 1_000

/** Any number works as long as nothing else on the server uses it. */
const advisoryLock = 7_246_031_189
const frozenAfterMs = 5_000

export interface FannedOut {
  taken: number
  queued: number
}

/**
 * Takes up to `limit` events; those not `deliverable` here are taken but not delivered. One process at a time, so that deliveries become
 * visible in numeric order: a reader that pages after the last one it saw misses none.
 */
export async function enqueueDeliveries(
  pool: Pool,
  {
    at,
    limit,
    deliverable,
    pausedMax = pausedQueueMax,
  }: { at: Date; limit: number; deliverable: readonly string[]; pausedMax?: number },
): Promise<FannedOut> {
  // The usual case costs one index look-up.
  if (!(await hasWaiting(pool))) return { taken: 0, queued: 0 }
  return inTransaction(pool, async (client) => {
    if (!(await isOurTurn(client))) return { taken: 0, queued: 0 }
    const { rows } = await client.query<FannedOut>(
      `WITH waiting AS (
         SELECT id, event, account_id, payload FROM outbox WHERE taken_at IS NULL ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE outbox o SET taken_at = $1 FROM waiting w WHERE o.id = w.id RETURNING 1
       ), made AS (
         INSERT INTO webhook_deliveries (endpoint_id, outbox_id, event, payload, due_at, created_at, status, last_result)
         SELECT endpoint_id, outbox_id, event, payload, $1, $1, CASE WHEN fits THEN 'queued' ELSE 'failed' END, CASE WHEN NOT fits THEN $5 END
         FROM (
           SELECT e.id AS endpoint_id, w.id AS outbox_id, w.event, w.payload, e.seq,
             e.active OR e.queued_count - e.paused_count + row_number() OVER (PARTITION BY e.id ORDER BY w.id) <= $4 AS fits
           FROM waiting w JOIN webhook_endpoints e ON w.event = ANY (e.events) AND (w.account_id IS NULL OR e.account_id = w.account_id)
           WHERE w.event = ANY ($3)
         ) wanted
         ORDER BY outbox_id, seq
         ON CONFLICT (endpoint_id, outbox_id) DO NOTHING RETURNING endpoint_id
       ), more AS (
         SELECT endpoint_id AS id, count(*) AS n FROM made GROUP BY endpoint_id
       ), locked AS (
         SELECT id FROM webhook_endpoints WHERE id IN (SELECT id FROM more) ORDER BY id FOR NO KEY UPDATE
       ), updated_endpoints AS (
         UPDATE webhook_endpoints e SET due_at = CASE WHEN e.active THEN least(e.due_at, $1) END, queued_count = e.queued_count + m.n
         FROM more m JOIN locked l ON l.id = m.id WHERE e.id = m.id
       )
       SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM made) AS queued`,
      [at, limit, deliverable, pausedMax, `paused, and ${pausedMax} waited`],
    )
    return rows[0]!
  })
}

/** Within a transaction: deliveries it creates become visible in numeric order, too. Waits for a fan-out to end. */
export async function lockSequence(client: Queryable): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock($1), set_config('idle_in_transaction_session_timeout', $2, true)`, [
    advisoryLock,
    String(frozenAfterMs),
  ])
}

/** Never waits for the lock. A process that freezes while it holds it loses it with its connection. */
async function isOurTurn(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>(
    `SELECT pg_try_advisory_xact_lock($1) AS ours, set_config('idle_in_transaction_session_timeout', $2, true)`,
    [advisoryLock, String(frozenAfterMs)],
  )
  return rows[0]!.ours
}

async function hasWaiting(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('SELECT 1 FROM outbox WHERE taken_at IS NULL LIMIT 1')
  return rows.length > 0
}
