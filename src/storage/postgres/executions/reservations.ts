// Short-lived rights to submit: at most one live one per execution.

import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'

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
 * SQL. No reservation is granted for that long: one that ends later was dated by a clock that has been set back since.
 */
export const isLive = (at: string): string =>
  `state = 'live' AND expires_at > ${at} AND expires_at < ${at}::timestamptz + interval '2 minutes'`

export interface NewReservation {
  id: string
  executionId: string
  accountId: string
  at: Date
  expiresAt: Date
}

/** Within a transaction: locks the execution's row, so that callers are checked one after the other. */
export async function lockExecution(db: Queryable, id: string): Promise<void> {
  await db.query('SELECT 1 FROM executions WHERE id = $1 FOR UPDATE', [id])
}

/**
 * Null while another one is live. Call after `lockExecution`: a statement that waited has an outdated snapshot of this table.
 * `conditionalId`: the conditional order behind the execution.
 */
export async function insertReservation(
  db: Queryable,
  given: NewReservation,
  conditionalId: string | null,
): Promise<ReservationRow | null> {
  const { rows } = await db.query<ReservationRow>(
    `INSERT INTO execution_reservations (id, execution_id, account_id, state, created_at, expires_at, conditional_id)
     SELECT $1, $2, $3, 'live', $4, $5, $6
     WHERE NOT EXISTS (SELECT 1 FROM execution_reservations WHERE execution_id = $2 AND ${isLive('$4')})
     RETURNING ${columns}`,
    [given.id, given.executionId, given.accountId, given.at, given.expiresAt, conditionalId],
  )
  return rows[0] ?? null
}

export async function hasLiveReservation(db: Queryable, executionId: string, at: Date): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM execution_reservations WHERE execution_id = $1 AND ${isLive('$2')} LIMIT 1`,
    [executionId, at],
  )
  return rows.length > 0
}

const hindrance = prepared(
  `SELECT EXISTS (SELECT 1 FROM execution_reservations WHERE execution_id = $1 AND ${isLive('$2')}) AS reserved,
     EXISTS (SELECT 1 FROM conditional_orders WHERE execution_id = $1) AS conditional`,
)

/** Possible obstacles to a submit, in one query: another caller's live reservation, and any conditional order, open or ended. */
export async function findBlocker(
  db: Queryable,
  executionId: string,
  at: Date,
): Promise<{ reserved: boolean; conditional: boolean }> {
  const { rows } = await db.query<{ reserved: boolean; conditional: boolean }>(hindrance([executionId, at]))
  return rows[0]!
}

export async function findReservation(db: Queryable, accountId: string, id: string): Promise<ReservationRow | null> {
  const { rows } = await db.query<ReservationRow>(
    `SELECT ${columns} FROM execution_reservations WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  )
  return rows[0] ?? null
}

/** False if it ended before; an expired one can be released, but not used. */
export async function endReservation(
  db: Queryable,
  { id, to, at }: { id: string; to: 'consumed' | 'released'; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE execution_reservations SET state = $2
     WHERE id = $1 AND state = 'live' AND ($2 = 'released' OR (${isLive('$3')}))`,
    [id, to, at],
  )
  return rowCount === 1
}
