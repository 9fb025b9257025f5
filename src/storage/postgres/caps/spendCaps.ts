// Daily dollar caps of accounts and keys, and how much of them today's builds hold. Executions enforce them; here they are set and read.
import { unsentReservationMs } from '../executions/spendReservations.ts'
import type { Queryable } from '../pool.ts'

export interface CapRow {
  scope: 'account' | 'key'
  /** Of the account or the key. */
  scopeId: string
  account: string
  /** First characters of a key; null for an account. */
  prefix: string | null
  /** Decimal strings of USD. */
  dailyUsd: string
  reservedUsd: string
}

export async function upsertCap(db: Queryable, scopeId: string, dailyUsd: string): Promise<void> {
  await db.query(
    `INSERT INTO spend_caps (scope_id, daily_usd) VALUES ($1, $2::numeric)
     ON CONFLICT (scope_id) DO UPDATE SET daily_usd = EXCLUDED.daily_usd`,
    [scopeId, dailyUsd],
  )
}

/** False if there was none. */
export async function deleteCap(db: Queryable, scopeId: string): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM spend_caps WHERE scope_id = $1', [scopeId])
  return (rowCount ?? 0) > 0
}

/** For the UTC day of `now` (epoch ms). Accounts before keys, by name. `scopeIds` null: all. */
export async function listCaps(db: Queryable, scopeIds: readonly string[] | null, now: number): Promise<CapRow[]> {
  const { rows } = await db.query<CapRow>(
    `SELECT CASE WHEN k.id IS NULL THEN 'account' ELSE 'key' END AS scope, c.scope_id AS "scopeId", coalesce(a.name, ka.name) AS account,
       k.prefix, trim_scale(c.daily_usd)::text AS "dailyUsd", trim_scale(greatest(0, coalesce(r.reserved, 0) - coalesce(unsent.usd, 0)))::text AS "reservedUsd"
     FROM spend_caps c
     LEFT JOIN accounts a ON a.id = c.scope_id
     LEFT JOIN api_keys k ON k.id = c.scope_id
     LEFT JOIN accounts ka ON ka.id = k.account_id
     LEFT JOIN spend_reserved r ON r.scope_id = c.scope_id AND r.day = ($2::timestamptz AT TIME ZONE 'UTC')::date
     -- Held by builds that were not sent in time, so it is released on demand.
     LEFT JOIN LATERAL (
       SELECT sum(held_usd) AS usd FROM executions e
       WHERE e.status IN ('built', 'signed') AND e.spend_day = r.day AND e.updated_at <= $3
         AND e.account_id = coalesce(a.id, ka.id) AND c.scope_id IN (e.account_id, e.key_id)
     ) unsent ON true
     WHERE $1::uuid[] IS NULL OR c.scope_id = ANY($1)
     ORDER BY scope, account, k.created_at`,
    [scopeIds, new Date(now), new Date(now - unsentReservationMs)],
  )
  return rows
}
