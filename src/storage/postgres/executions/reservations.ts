// RECONSTRUCTED 2026-11-21 04:39: the first version of this file was overwritten by another session by mistake. Made anew from its callers
// (store.ts, ports.ts) and the migration. Its author should compare it with the original, or put the original back.
// Short rights to submit: at most one live one per execution.
import type { Queryable } from '../pool.ts'

export interface ReservationRow {
  id: string
  execution_id: string
  account_id: string
  state: 'live' | 'consumed' | 'released'
  created_at: Date
  expires_at: Date
}

const columns = 'id, execution_id, account_id, state, created_at, expires_at'

/**
 * Null while another one is live. Written first and judged afterwards: of two at the same moment at least the one that commits later sees the
 * other and gives up. Both may give up; both may never hold.
 */
export async function insertReservation(
  db: Queryable,
  given: { id: string; executionId: string; accountId: string; at: Date; expiresAt: Date },
): Promise<ReservationRow | null> {
  const { rows } = await db.query<ReservationRow>(
    `INSERT INTO execution_reservations (id, execution_id, account_id, state, created_at, expires_at)
     SELECT $1, $2, $3, 'live', $4, $5
     WHERE NOT EXISTS (SELECT 1 FROM execution_reservations WHERE execution_id = $2 AND state = 'live' AND expires_at > $4)
     RETURNING ${columns}`,
    [given.id, given.executionId, given.accountId, given.at, given.expiresAt],
  )
  const made = rows[0]
  if (made === undefined) return null
  const others = await db.query(
    `SELECT 1 FROM execution_reservations WHERE execution_id = $1 AND id <> $2 AND state = 'live' AND expires_at > $3 LIMIT 1`,
    [given.executionId, given.id, given.at],
  )
  if (others.rows.length === 0) return made
  await endReservation(db, { id: given.id, to: 'released', at: given.at })
  return null
}

export async function findReservation(db: Queryable, accountId: string, id: string): Promise<ReservationRow | null> {
  const { rows } = await db.query<ReservationRow>(
    `SELECT ${columns} FROM execution_reservations WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  )
  return rows[0] ?? null
}

/** False when it ended before; one that has lapsed can be given back, not used. */
export async function endReservation(
  db: Queryable,
  { id, to, at }: { id: string; to: 'consumed' | 'released'; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE execution_reservations SET state = $2
     WHERE id = $1 AND state = 'live' AND ($2 = 'released' OR expires_at > $3)`,
    [id, to, at],
  )
  return rowCount === 1
}
