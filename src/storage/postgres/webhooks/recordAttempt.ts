// Results of attempts. Only the claimed attempt may record one: a late result of a process thought dead changes nothing.
import type { Queryable } from '../pool.ts'
import type { DeliveryStatus } from './rows.ts'

export interface Mark {
  id: string
  /** Previous attempts. */
  attempts: number
  status: DeliveryStatus
  result: string
  /** For `delivered`. */
  deliveredAt: Date | null
  /** For `queued`: when the next attempt is due. */
  dueAt: Date | null
}

/** For each the current revision of its endpoint, or null: it could no longer be written. */
export async function recordAttempts(db: Queryable, marks: readonly Mark[]): Promise<(number | null)[]> {
  const { rows } = await db.query<{ id: string; revision: number }>(
    `UPDATE webhook_deliveries d
     SET status = m.status, attempts = d.attempts + 1, last_result = m.result, delivered_at = m.delivered_at, due_at = coalesce(m.due_at, d.due_at)
     FROM unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
       AS m (id, attempts, status, result, delivered_at, due_at)
     WHERE d.id = m.id AND d.status = 'queued' AND d.attempts = m.attempts
     RETURNING d.id, (SELECT revision FROM webhook_endpoints e WHERE e.id = d.endpoint_id) AS revision`,
    [
      marks.map(({ id }) => id),
      marks.map(({ attempts }) => attempts),
      marks.map(({ status }) => status),
      marks.map(({ result }) => result),
      marks.map(({ deliveredAt }) => deliveredAt),
      marks.map(({ dueAt }) => dueAt),
    ],
  )
  const written = new Map(rows.map(({ id, revision }) => [id, revision]))
  return marks.map(({ id }) => written.get(id) ?? null)
}
