// Executions, idempotency keys, spend reservations, audit and outbox in one statement: all or nothing, in one round trip and one commit, for any
// number of builds.
import { executionBuilt } from '#schemas/webhookEvents/executionBuilt'
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
  /** Dollars to reserve under the caps; null: of unknown value, more than any cap. */
  roomUsd: string | null
  feeEstimate: object | null
  warnings: readonly string[]
  collateral: object | null
  buildResult: object | null
  summary: object | null
  targetId: string | null
  key: { kind: 'build' | 'cancel' | 'modify'; key: string; bodySha256: Buffer }
  at: Date
}

/** Inserted rows, by id. A missing one found its key taken and wrote nothing. Throws for all when one violates a constraint. */
export async function insertExecutions(
  db: Queryable,
  wanted: readonly NewExecution[],
): Promise<ReadonlyMap<string, ExecutionRow>> {
  const { rows } = await db.query<ExecutionRow>({
    // Planned once per connection: planning costs more than running it.
    name: 'insert_executions',
    text: statement,
    values: [JSON.stringify(wanted.map(recordOf))],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

const recordOf = ({ key, unsignedSha256, ...columns }: NewExecution) => ({
  ...columns,
  unsignedSha256: unsignedSha256.toString('hex'),
  kind: key.kind,
  key: key.key,
  bodySha256: key.bodySha256.toString('hex'),
  ...executionBuilt({ executionId: columns.id, venue: columns.venue }),
})

// Keys and caps are always locked in the same order, so that two statements never deadlock.
const statement = `WITH wanted AS (
    SELECT *, (at AT TIME ZONE 'UTC')::date AS day FROM json_to_recordset($1::json) AS w (
      id uuid, "accountId" uuid, "keyId" uuid, venue text, intent text, "buildVersion" integer, unsigned text, "unsignedSha256" text,
      bounds jsonb, terms jsonb, owner text, "clientRef" text, "notionalUsd" numeric, "roomUsd" numeric, "feeEstimate" jsonb, warnings text[],
      collateral jsonb, "buildResult" jsonb, summary jsonb, "targetId" uuid, at timestamptz, kind text, key text, "bodySha256" text,
      event text, payload jsonb)
  ), bound AS (
    INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
    SELECT "accountId", kind, key, decode("bodySha256", 'hex'), id, at FROM wanted ORDER BY "accountId", kind, key
    ON CONFLICT DO NOTHING RETURNING execution_id
  ), made AS (
    SELECT wanted.* FROM wanted JOIN bound ON bound.execution_id = wanted.id
  ), reserved AS (
    -- No known dollar value under a cap: more than any cap.
    INSERT INTO spend_reserved (scope_id, day, reserved, cap)
    SELECT c.scope_id, m.day, sum(coalesce(m."roomUsd", 'Infinity')), c.daily_usd
    FROM made m JOIN spend_caps c ON c.scope_id IN (m."accountId", m."keyId") WHERE m."roomUsd" IS DISTINCT FROM 0
    GROUP BY c.scope_id, m.day, c.daily_usd ORDER BY c.scope_id, m.day
    ON CONFLICT (scope_id, day) DO UPDATE SET reserved = spend_reserved.reserved + EXCLUDED.reserved, cap = EXCLUDED.cap
    RETURNING scope_id, day
  ), e AS (
    INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, terms,
      owner, client_ref, notional_usd, fee_estimate, warnings, collateral, build_result, summary, target_id, spend_day, held_usd,
      created_at, updated_at)
    SELECT id, "accountId", "keyId", venue, intent, 'built', "buildVersion", unsigned, decode("unsignedSha256", 'hex'), bounds, terms,
      owner, "clientRef", "notionalUsd", "feeEstimate", warnings, collateral, "buildResult", summary, "targetId",
      room.day, CASE WHEN room.day IS NULL THEN 0 ELSE "roomUsd" END, at, at
    FROM made LEFT JOIN LATERAL (
      SELECT r.day FROM reserved r
      WHERE r.scope_id IN (made."accountId", made."keyId") AND r.day = made.day AND made."roomUsd" IS DISTINCT FROM 0 LIMIT 1
    ) room ON true RETURNING *
  ), audited AS (
    INSERT INTO execution_audit (execution_id, from_status, to_status, event, at)
    SELECT id, NULL, 'built', 'build', created_at FROM e
  ), outbox_event AS (
    INSERT INTO outbox (event, account_id, payload, created_at)
    SELECT event, "accountId", payload, at FROM made
  )
  SELECT ${executionColumns} FROM e`
