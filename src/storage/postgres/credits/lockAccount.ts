// Locks an account's credits until the transaction ends. Every change of them goes through here, so changes are serialized.
import type { Queryable } from '../pool.ts'

export interface AccountCredits {
  /** The sum of the ledger. */
  balance: number
  /** Part of it that leases set aside. */
  held: number
  /** `YYYY-MM-01`: the last month whose included credits were granted; null if there was none. */
  includedMonth: string | null
  /** Amount granted for that month so far. */
  includedCredits: number
}

const columns = `balance, held, to_char(included_month, 'YYYY-MM-DD') AS included_month, included_credits`

interface Row {
  balance: string
  held: string
  included_month: string | null
  included_credits: string
}

/** Creates the row of an account that never had credits. */
export async function lockAccount(db: Queryable, accountId: string): Promise<AccountCredits> {
  const held = await db.query<Row>(`SELECT ${columns} FROM credit_accounts WHERE account_id = $1 FOR UPDATE`, [
    accountId,
  ])
  if (held.rows[0] !== undefined) return creditsOf(held.rows[0])
  await db.query('INSERT INTO credit_accounts (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [accountId])
  const { rows } = await db.query<Row>(`SELECT ${columns} FROM credit_accounts WHERE account_id = $1 FOR UPDATE`, [
    accountId,
  ])
  return creditsOf(rows[0]!)
}

/** Always in the same order, so that two transactions never deadlock. */
export async function lockAccounts(db: Queryable, accountIds: readonly string[]): Promise<void> {
  await db.query('SELECT 1 FROM credit_accounts WHERE account_id = ANY($1::uuid[]) ORDER BY account_id FOR UPDATE', [
    accountIds,
  ])
}

const creditsOf = (row: Row): AccountCredits => ({
  balance: Number(row.balance),
  held: Number(row.held),
  includedMonth: row.included_month,
  includedCredits: Number(row.included_credits),
})
