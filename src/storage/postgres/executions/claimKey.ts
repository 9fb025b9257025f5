// Binds an Idempotency-Key to what is done under it, inside the transaction that does it and, for a submit, before anything is sent.

import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { type ExecutionRow, executionColumns } from './executionRow.ts'

const bind = prepared(
  `INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (account_id, kind, key) DO UPDATE SET outcome = NULL, created_at = excluded.created_at
     WHERE execution_keys.execution_id = excluded.execution_id
       AND execution_keys.outcome @> '{"kind": "refused", "code": "NETWORK_ERROR"}'`,
)

/**
 * False: the key was already bound. A key whose relay sent nothing, or whose request the venue did not process, is bound again to the same
 * execution.
 */
export async function claimKey(
  db: Queryable,
  claim: {
    accountId: string
    kind: 'submit' | 'resolve'
    key: string
    bodySha256: Buffer
    executionId: string
    at: Date
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    bind([claim.accountId, claim.kind, claim.key, claim.bodySha256, claim.executionId, claim.at]),
  )
  return rowCount === 1
}

/** The claim under which a relay was sent: the same key may have been bound again since. */
export interface ClaimedKey {
  accountId: string
  key: string
  claimedAt: Date
}

/** A relay ended without a clear answer: what is known of it, for its owner, while its execution is `submitted`. Null: it no longer is. */
export async function recordUnknown(
  db: Queryable,
  { accountId, key, claimedAt, id, known }: ClaimedKey & { id: string; known: string },
): Promise<ExecutionRow | null> {
  const { rows } = await db.query<ExecutionRow>(
    `WITH used AS (
       UPDATE execution_keys SET outcome = '{"kind": "unknown"}'
       WHERE account_id = $1 AND kind = 'submit' AND key = $2 AND created_at = $5 AND outcome IS NULL
     ), e AS (
       UPDATE executions SET unknown_outcome = $4 WHERE id = $3 AND status = 'submitted' AND updated_at = $5 RETURNING *
     )
     SELECT ${executionColumns} FROM e`,
    [accountId, key, id, known, claimedAt],
  )
  return rows[0] ?? null
}

/** The relay's result, for repeats with the same key. */
export async function recordOutcome(
  db: Queryable,
  { accountId, key, claimedAt, outcome }: ClaimedKey & { outcome: object },
): Promise<void> {
  await db.query(
    `UPDATE execution_keys SET outcome = $3
     WHERE account_id = $1 AND kind = 'submit' AND key = $2 AND created_at = $4 AND outcome IS NULL`,
    [accountId, key, JSON.stringify(outcome), claimedAt],
  )
}
