// The risk limits of accounts and every change of them. The table is the only source of truth; no process keeps a copy.
import type { OnBreach, RiskLimitKind } from '#schemas/riskLimits'
import { waitForClaims } from '../halts/halts.ts'
import type { Pool, Queryable } from '../pool.ts'

/** What a limit applies to. There is one limit of each kind for it. */
export interface RiskLimitScope {
  accountId: string
  /** Null: all keys of the account together. */
  keyId: string | null
  /** Null: all venues together. */
  venue: string | null
  kind: RiskLimitKind
}

export interface RiskLimitRow {
  /** bigint, as text. */
  id: string
  account_id: string
  key_id: string | null
  venue: string | null
  kind: RiskLimitKind
  /** numeric, as text. */
  value: string
  on_breach: OnBreach
  set_by: string
  set_at: Date
}

/** Of the table, or of a subquery, aliased `l`. */
export const riskLimitColumns = `l.id, l.account_id, l.key_id, l.venue, l.kind, trim_scale(l.value)::text AS value, l.on_breach, l.set_by, l.set_at`

export interface RiskLimitChange extends RiskLimitScope {
  /** Decimal string. */
  value: string
  onBreach: OnBreach
  /** The key's id, or the operator's name. */
  by: string
  at: Date
}

/**
 * Sets or replaces a limit. Resolves once every claim that did not see it has ended: it applies to all later ones. Throws EXEC_UNAVAILABLE
 * while one has not, though the limit is in force.
 */
export async function setRiskLimit(pool: Pool, change: RiskLimitChange): Promise<RiskLimitRow> {
  const { accountId, keyId, venue, kind, value, onBreach, by, at } = change
  const { rows } = await pool.query<RiskLimitRow>(
    `WITH previous AS (
       SELECT value FROM risk_limits WHERE ${isScope}
     ), l AS (
       INSERT INTO risk_limits (account_id, key_id, venue, kind, value, on_breach, set_by, set_at)
       VALUES ($1::uuid, $2::uuid, $3::text, $4::text, $5::numeric, $6::text, $7::text, $8::timestamptz)
       ON CONFLICT (account_id, key_id, venue, kind) DO UPDATE
         SET value = EXCLUDED.value, on_breach = EXCLUDED.on_breach, set_by = EXCLUDED.set_by, set_at = EXCLUDED.set_at
       RETURNING *
     ), audited AS (
       INSERT INTO risk_limit_audit (action, account_id, key_id, venue, kind, value, on_breach, previous_value, changed_by, at)
       SELECT 'set', l.account_id, l.key_id, l.venue, l.kind, l.value, l.on_breach, (SELECT value FROM previous), l.set_by, l.set_at FROM l
     )
     SELECT ${riskLimitColumns} FROM l`,
    [accountId, keyId, venue, kind, value, onBreach, by, at],
  )
  await waitForClaims(pool, accountId, 'the limit is in force, but a submit that began before it has not ended yet')
  return rows[0]!
}

/** False if there was none. */
export async function removeRiskLimit(
  db: Queryable,
  { accountId, keyId, venue, kind, by, at }: RiskLimitScope & { by: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH removed AS (DELETE FROM risk_limits WHERE ${isScope} RETURNING *)
     INSERT INTO risk_limit_audit (action, account_id, key_id, venue, kind, previous_value, changed_by, at)
     SELECT 'remove', account_id, key_id, venue, kind, value, $5::text, $6::timestamptz FROM removed`,
    [accountId, keyId, venue, kind, by, at],
  )
  return rowCount === 1
}

const isScope = `account_id = $1::uuid AND key_id IS NOT DISTINCT FROM $2::uuid AND venue IS NOT DISTINCT FROM $3::text AND kind = $4::text`

/** With the account's name; by name, then as they were set. `accountId` null: of all accounts. */
export async function listRiskLimits(
  db: Queryable,
  accountId: string | null,
): Promise<(RiskLimitRow & { account: string })[]> {
  const { rows } = await db.query<RiskLimitRow & { account: string }>(
    `SELECT ${riskLimitColumns}, a.name AS account FROM risk_limits l JOIN accounts a ON a.id = l.account_id
     WHERE $1::uuid IS NULL OR l.account_id = $1 ORDER BY a.name, l.id`,
    [accountId],
  )
  return rows
}

export interface RiskLimitAuditRow {
  /** bigint, as text. */
  id: string
  action: 'set' | 'remove'
  account_id: string
  account: string
  key_id: string | null
  venue: string | null
  kind: RiskLimitKind
  value: string | null
  on_breach: OnBreach | null
  previous_value: string | null
  changed_by: string
  at: Date
}

/** Newest first. `accountId` null: of all accounts. */
export async function listRiskLimitAudit(
  db: Queryable,
  { accountId, limit }: { accountId: string | null; limit: number },
): Promise<RiskLimitAuditRow[]> {
  const { rows } = await db.query<RiskLimitAuditRow>(
    `SELECT x.id, x.action, x.account_id, a.name AS account, x.key_id, x.venue, x.kind, trim_scale(x.value)::text AS value, x.on_breach,
       trim_scale(x.previous_value)::text AS previous_value, x.changed_by, x.at
     FROM risk_limit_audit x JOIN accounts a ON a.id = x.account_id
     WHERE $1::uuid IS NULL OR x.account_id = $1 ORDER BY x.id DESC LIMIT $2`,
    [accountId, limit],
  )
  return rows
}
