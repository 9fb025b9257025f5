// The ledger for operators: manual grants, and the entries, newest first.
import type { Queryable } from '../pool.ts'
import { lockAccount } from './lockAccount.ts'

export interface LedgerEntry {
  id: string
  account: string
  kind: 'included' | 'grant' | 'usage'
  credits: number
  /** After this entry. */
  balance: number
  /** `YYYY-MM` for included credits. */
  month: string | null
  plan: string | null
  reason: string | null
  saidBy: string | null
  at: Date
}

interface Row {
  id: string
  account: string
  kind: LedgerEntry['kind']
  credits: string
  balance: string
  month: string | null
  plan: string | null
  reason: string | null
  said_by: string | null
  at: Date
}

/** Within a transaction. A negative grant takes back; null if fewer than that are free. Returns the balance. */
export async function insertGrant(
  db: Queryable,
  { accountId, credits, reason, saidBy }: { accountId: string; credits: number; reason: string; saidBy: string },
): Promise<number | null> {
  const { balance, held } = await lockAccount(db, accountId)
  if (balance - held + credits < 0) return null
  await db.query(
    `WITH account AS (
       UPDATE credit_accounts SET balance = balance + $2::bigint WHERE account_id = $1 RETURNING balance
     )
     INSERT INTO credit_ledger (account_id, kind, credits, balance, reason, said_by)
     SELECT $1, 'grant', $2::bigint, balance, $3, $4 FROM account`,
    [accountId, credits, reason, saidBy],
  )
  return balance + credits
}

export async function listLedger(
  db: Queryable,
  { accountId, limit }: { accountId: string | null; limit: number },
): Promise<LedgerEntry[]> {
  const { rows } = await db.query<Row>(
    `SELECT l.id, a.name AS account, l.kind, l.credits, l.balance, to_char(l.month, 'YYYY-MM') AS month, l.plan, l.reason, l.said_by, l.at
     FROM credit_ledger l JOIN accounts a ON a.id = l.account_id
     WHERE $1::uuid IS NULL OR l.account_id = $1
     ORDER BY l.id DESC LIMIT $2`,
    [accountId, limit],
  )
  return rows.map(({ said_by, credits, balance, ...row }) => ({
    ...row,
    credits: Number(credits),
    balance: Number(balance),
    saidBy: said_by,
  }))
}
