// The one place that writes a status: the row, its audit and the event go together, and only from the status the caller saw.
import type { Queryable } from '../pool.ts'
import { type ExecutionRow, executionColumns } from './executionRow.ts'

export interface Move {
  id: string
  from: string
  to: string
  /** The word of the state machine's table. */
  event: string
  /** Undefined leaves it; null clears it. */
  venueRef?: string | null | undefined
  submittedArtifact?: object | null | undefined
  error?: string | null | undefined
  fills: readonly { key: string; fill: object; filledAt: Date }[]
  at: Date
}

/** Null: the row is no longer in `from`, or its venue order is another execution's; nothing was written. */
export async function moveExecution(db: Queryable, move: Move): Promise<ExecutionRow | null> {
  try {
    return await write(db, move)
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'executions_venue_ref') return null
    throw error
  }
}

async function write(db: Queryable, move: Move): Promise<ExecutionRow | null> {
  const { rows } = await db.query<ExecutionRow>(
    `WITH e AS (
       UPDATE executions SET status = $3, updated_at = $5,
         venue_ref = CASE WHEN $6::boolean THEN $7 ELSE venue_ref END,
         submitted_artifact = CASE WHEN $8::boolean THEN $9::jsonb ELSE submitted_artifact END,
         error = CASE WHEN $10::boolean THEN $11 ELSE error END,
         spend_day = CASE WHEN $3 IN ('failed', 'expired', 'canceled') THEN NULL ELSE spend_day END
       WHERE id = $1 AND status = $2 RETURNING *
     ), before AS (
       SELECT spend_day, notional_usd, account_id, key_id FROM executions WHERE id = $1
     ), filled AS (
       INSERT INTO execution_fills (execution_id, account_id, venue, venue_key, fill, filled_at)
       SELECT e.id, e.account_id, e.venue, f.key, f.fill, f.at
       FROM e, unnest($12::text[], $13::jsonb[], $14::timestamptz[]) WITH ORDINALITY AS f (key, fill, at, n) ORDER BY f.n
       ON CONFLICT (execution_id, venue_key) DO NOTHING RETURNING 1
     ), released AS (
       -- Ended without any fill: the dollars were never spent.
       UPDATE spend_reserved s SET reserved = greatest(0, s.reserved - b.notional_usd)
       FROM before b, e
       WHERE e.spend_day IS NULL AND b.spend_day IS NOT NULL AND s.day = b.spend_day AND s.scope_id IN (b.account_id, b.key_id)
         AND cardinality($12::text[]) = 0 AND NOT EXISTS (SELECT 1 FROM execution_fills WHERE execution_id = $1)
     ), audited AS (
       INSERT INTO execution_audit (execution_id, from_status, to_status, event, at) SELECT id, $2, $3, $4, $5 FROM e
     ), told AS (
       INSERT INTO outbox (event, account_id, payload, created_at)
       SELECT 'execution.status.changed', account_id, jsonb_build_object('executionId', id, 'venue', venue, 'status', status,
         'previousStatus', $2::text, 'occurredAt', to_char($5::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), $5 FROM e
     )
     SELECT ${executionColumns} FROM e`,
    [
      move.id,
      move.from,
      move.to,
      move.event,
      move.at,
      move.venueRef !== undefined,
      move.venueRef ?? null,
      move.submittedArtifact !== undefined,
      move.submittedArtifact == null ? null : JSON.stringify(move.submittedArtifact),
      move.error !== undefined,
      move.error ?? null,
      move.fills.map(({ key }) => key),
      move.fills.map(({ fill }) => JSON.stringify(fill)),
      move.fills.map(({ filledAt }) => filledAt),
    ],
  )
  return rows[0] ?? null
}
