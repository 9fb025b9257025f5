// Grants the credits that a plan includes: once per account and month, when they are first needed, according to the best plan among the active
// keys.
import type { Queryable } from '../pool.ts'
import type { AccountCredits } from './lockAccount.ts'

/** Credits per month by plan; null: unlimited. */
export type Allowances = Readonly<Record<string, number | null>>

/** What the account's active keys include per month at best. */
export async function findAllowance(
  db: Queryable,
  accountId: string,
  allowances: Allowances,
): Promise<{ plan: string; credits: number | null } | null> {
  const { rows } = await db.query<{ plan: string }>(
    'SELECT DISTINCT plan FROM api_keys WHERE account_id = $1 AND (revoked_at IS NULL OR revoked_at > now())',
    [accountId],
  )
  const found = rows.map(({ plan }) => ({ plan, credits: allowances[plan] === undefined ? 0 : allowances[plan] }))
  const worth = ({ credits }: { credits: number | null }): number => credits ?? Number.POSITIVE_INFINITY
  return found.sort((a, b) => worth(b) - worth(a))[0] ?? null
}

/** After `lockAccount`. A month granted before is left alone; a better plan within it adds the difference. */
export async function grantMonthly(
  db: Queryable,
  accountId: string,
  before: AccountCredits,
  { plan, credits, month }: { plan: string; credits: number; month: string },
): Promise<AccountCredits> {
  // A process whose clock is behind grants nothing for a past month.
  if (before.includedMonth !== null && month < before.includedMonth) return before
  const given = before.includedMonth === month ? before.includedCredits : 0
  const missing = credits - given
  if (missing <= 0) return before
  await db.query(
    `WITH account AS (
       UPDATE credit_accounts SET balance = balance + $2::bigint, included_month = $3::date, included_credits = $4::bigint
       WHERE account_id = $1 RETURNING balance
     )
     INSERT INTO credit_ledger (account_id, kind, credits, balance, month, plan)
     SELECT $1, 'included', $2::bigint, balance, $3::date, $5 FROM account`,
    [accountId, missing, month, credits, plan],
  )
  return { ...before, balance: before.balance + missing, includedMonth: month, includedCredits: credits }
}
