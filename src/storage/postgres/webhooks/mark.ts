// What came of attempts. Only the attempt that was claimed may say it: a late word of a process thought dead changes nothing.
import type { Queryable } from '../pool.ts'
import type { DeliveryStatus } from './rows.ts'

export interface Mark {
  id: string
  /** Made before this one. */
  attempts: number
  status: DeliveryStatus
  result: string
  /** Of `delivered`. */
  deliveredAt: Date | null
  /** Of `queued`: when the next attempt is due. */
  dueAt: Date | null
}

/** Whether each was written. */
export async function markAttempts(db: Queryable, marks: readonly Mark[]): Promise<boolean[]> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE webhook_deliveries d
     SET status = m.status, attempts = d.attempts + 1, last_result = m.result, delivered_at = m.delivered_at, due_at = coalesce(m.due_at, d.due_at)
     FROM unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
       AS m (id, attempts, status, result, delivered_at, due_at)
     WHERE d.id = m.id AND d.status = 'queued' AND d.attempts = m.attempts
     RETURNING d.id`,
    [
      marks.map(({ id }) => id),
      marks.map(({ attempts }) => attempts),
      marks.map(({ status }) => status),
      marks.map(({ result }) => result),
      marks.map(({ deliveredAt }) => deliveredAt),
      marks.map(({ dueAt }) => dueAt),
    ],
  )
  const written = new Set(rows.map(({ id }) => id))
  return marks.map(({ id }) => written.has(id))
}
