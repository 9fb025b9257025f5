// From the outbox to the queues: every event becomes one delivery per endpoint that wants it.
import { inTransaction, type Pool, type Queryable } from '../pool.ts'

/** Any number works as long as nobody else on the server uses it. */
const advisoryLock = 7_246_031_189
const frozenAfterMs = 5_000

export interface FannedOut {
  taken: number
  queued: number
}

/**
 * Takes up to `limit` events; those that are not `deliverable` here are taken and told to nobody. One process at a time, so that deliveries
 * become visible in the order of their numbers: a reader that pages behind the last one it saw misses none.
 */
export async function fanOut(
  pool: Pool,
  { at, limit, deliverable }: { at: Date; limit: number; deliverable: readonly string[] },
): Promise<FannedOut> {
  // The usual case costs one look at an index.
  if (!(await hasWaiting(pool))) return { taken: 0, queued: 0 }
  return inTransaction(pool, async (client) => {
    if (!(await isOurTurn(client))) return { taken: 0, queued: 0 }
    const { rows } = await client.query<FannedOut>(
      `WITH waiting AS (
         SELECT id, event, account_id, payload FROM outbox WHERE taken_at IS NULL ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE outbox o SET taken_at = $1 FROM waiting w WHERE o.id = w.id RETURNING 1
       ), made AS (
         INSERT INTO webhook_deliveries (endpoint_id, outbox_id, event, payload, due_at, created_at)
         SELECT e.id, w.id, w.event, w.payload, $1, $1
         FROM waiting w JOIN webhook_endpoints e ON w.event = ANY (e.events) AND (w.account_id IS NULL OR e.account_id = w.account_id)
         WHERE w.event = ANY ($3) AND e.active
         ORDER BY w.id, e.seq
         ON CONFLICT (endpoint_id, outbox_id) DO NOTHING RETURNING endpoint_id
       ), more AS (
         SELECT endpoint_id AS id, count(*) AS n FROM made GROUP BY endpoint_id
       ), locked AS (
         SELECT id FROM webhook_endpoints WHERE id IN (SELECT id FROM more) ORDER BY id FOR NO KEY UPDATE
       ), told AS (
         UPDATE webhook_endpoints e SET due_at = least(e.due_at, $1), queued_count = e.queued_count + m.n
         FROM more m JOIN locked l ON l.id = m.id WHERE e.id = m.id
       )
       SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM made) AS queued`,
      [at, limit, deliverable],
    )
    return rows[0]!
  })
}

/** Nobody waits for a turn. A process that froze in the middle of its own loses it with its connection. */
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
