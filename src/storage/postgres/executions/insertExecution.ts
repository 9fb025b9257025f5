// Execution, idempotency key, spend reservation, audit and outbox in one statement: all of it or nothing, in one round trip.
import type { Queryable } from '../pool.ts'
import { type ExecutionRow, executionColumns } from './executionRow.ts'

export interface NewExecution {
  id: string
  accountId: string
  keyId: string
  venue: string
  intent: string
  buildVersion: number
  unsigned: string
  unsignedSha256: Buffer
  bounds: object
  terms: object | null
  owner: string | null
  clientRef: string | null
  notionalUsd: string | null
  feeEstimate: object | null
  warnings: readonly string[]
  collateral: object | null
  buildResult: object | null
  targetId: string | null
  key: { kind: 'build' | 'cancel' | 'modify'; key: string; bodySha256: Buffer }
  at: Date
}

export type InsertExecutionResult =
  | { kind: 'made'; row: ExecutionRow }
  /** The key was taken before; nothing was written. */
  | { kind: 'taken' }
  | { kind: 'spend_cap' }

export async function insertExecution(db: Queryable, wanted: NewExecution): Promise<InsertExecutionResult> {
  try {
    const { rows } = await db.query<ExecutionRow>({
      // Planned once per connection: planning costs more than running it.
      name: 'insert_execution',
      text: `WITH bound AS (
         INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
         VALUES ($2, $19, $20, $21, $1, $22) ON CONFLICT DO NOTHING RETURNING execution_id
       ), caps AS (
         SELECT c.scope_id, c.daily_usd FROM spend_caps c, bound WHERE c.scope_id IN ($2, $3)
       ), reserved AS (
         -- No known dollar value under a cap: more than any cap.
         INSERT INTO spend_reserved (scope_id, day, reserved, cap)
         SELECT scope_id, ($22::timestamptz AT TIME ZONE 'UTC')::date, coalesce($13::numeric, 'Infinity'), daily_usd
         FROM caps WHERE $5 IN ('order', 'modify')
         ON CONFLICT (scope_id, day) DO UPDATE
           SET reserved = spend_reserved.reserved + EXCLUDED.reserved, cap = EXCLUDED.cap
         RETURNING scope_id
       ), e AS (
         INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, terms,
           owner, client_ref, notional_usd, fee_estimate, warnings, collateral, build_result, target_id, spend_day, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, 'built', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
           CASE WHEN EXISTS (SELECT 1 FROM reserved) THEN ($22::timestamptz AT TIME ZONE 'UTC')::date END, $22, $22
         FROM bound RETURNING *
       ), audited AS (
         INSERT INTO execution_audit (execution_id, from_status, to_status, event, at) SELECT id, NULL, 'built', 'build', $22 FROM e
       ), told AS (
         INSERT INTO outbox (event, account_id, payload, created_at)
         SELECT 'execution.built', account_id, jsonb_build_object('executionId', id, 'venue', venue, 'status', status), $22 FROM e
       )
       SELECT ${executionColumns} FROM e`,
      values: [
        wanted.id,
        wanted.accountId,
        wanted.keyId,
        wanted.venue,
        wanted.intent,
        wanted.buildVersion,
        wanted.unsigned,
        wanted.unsignedSha256,
        JSON.stringify(wanted.bounds),
        wanted.terms === null ? null : JSON.stringify(wanted.terms),
        wanted.owner,
        wanted.clientRef,
        wanted.notionalUsd,
        wanted.feeEstimate === null ? null : JSON.stringify(wanted.feeEstimate),
        wanted.warnings,
        wanted.collateral === null ? null : JSON.stringify(wanted.collateral),
        wanted.buildResult === null ? null : JSON.stringify(wanted.buildResult),
        wanted.targetId,
        wanted.key.kind,
        wanted.key.key,
        wanted.key.bodySha256,
        wanted.at,
      ],
    })
    return rows[0] === undefined ? { kind: 'taken' } : { kind: 'made', row: rows[0] }
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'spend_cap') return { kind: 'spend_cap' }
    throw error
  }
}
