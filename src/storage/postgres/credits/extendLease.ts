// Renews the lease of a process that got credits of the same account recently: one statement, where taking a first lease is a transaction that
// also checks plans and months.
import type { Queryable } from '../pool.ts'

export interface Extension {
  credits: number
  /** Including everything set aside. */
  balance: number
  /** Not held by any process, after this. */
  available: number
}

/** Null if the process or the account's credits do not exist (any more): use `takeLease`. */
export async function extendLease(
  db: Queryable,
  { holderId, accountId, wish }: { holderId: string; accountId: string; wish: number },
): Promise<Extension | null> {
  const { rows } = await db.query<{ credits: string; balance: string; held: string }>({
    name: 'extend_credit_lease',
    // The locks make the conditions apply to the current rows, not to the statement's snapshot.
    text: `WITH holder AS (
       SELECT id FROM credit_holders WHERE id = $1 AND expires_at > clock_timestamp() FOR KEY SHARE
     ), account AS (
       SELECT c.account_id, c.balance, c.held, least($3::bigint, c.balance - c.held) AS credits
       FROM credit_accounts c WHERE c.account_id = $2 AND EXISTS (SELECT 1 FROM holder) FOR UPDATE
     ), lease AS (
       INSERT INTO credit_leases AS l (holder_id, account_id, credits)
       SELECT $1, account_id, credits FROM account WHERE credits > 0
       ON CONFLICT (holder_id, account_id) DO UPDATE SET credits = l.credits + EXCLUDED.credits
     ), taken AS (
       UPDATE credit_accounts c SET held = c.held + a.credits
       FROM account a WHERE c.account_id = a.account_id AND a.credits > 0
     )
     SELECT balance, held, credits FROM account`,
    values: [holderId, accountId, wish],
  })
  const row = rows[0]
  if (row === undefined) return null
  const credits = Number(row.credits)
  const balance = Number(row.balance)
  return { credits, balance, available: balance - Number(row.held) - credits }
}
