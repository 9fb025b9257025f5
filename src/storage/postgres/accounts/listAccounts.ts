// All accounts with their active keys and their credits, oldest first.
import type { Queryable } from '../pool.ts'
import type { AccountRow } from './accountRow.ts'

export interface AccountSummary extends AccountRow {
  live_keys: number
  /** Of the active keys, unordered. */
  plans: string[]
  /** Null if the account never had credits. */
  balance: number | null
  held: number | null
}

export async function listAccounts(db: Queryable, name: string | null = null): Promise<AccountSummary[]> {
  const { rows } = await db.query<Omit<AccountSummary, 'balance' | 'held'> & Record<'balance' | 'held', string | null>>(
    `SELECT a.id, a.name, a.created_at, c.balance, c.held,
       count(k.id)::int AS live_keys, coalesce(array_agg(DISTINCT k.plan) FILTER (WHERE k.plan IS NOT NULL), '{}') AS plans
     FROM accounts a
     LEFT JOIN api_keys k ON k.account_id = a.id AND (k.revoked_at IS NULL OR k.revoked_at > now())
     LEFT JOIN credit_accounts c ON c.account_id = a.id
     WHERE $1::text IS NULL OR a.name = $1
     GROUP BY a.id, c.balance, c.held ORDER BY a.created_at, a.id`,
    [name],
  )
  const orNull = (text: string | null): number | null => (text === null ? null : Number(text))
  return rows.map((row) => ({ ...row, balance: orNull(row.balance), held: orNull(row.held) }))
}
