// Paper accounts: one per live account, made with its first paper key.
import { randomUUID } from 'node:crypto'
import { isPaperAccount, paperAccountIdOf } from '#schemas/paper'
import type { AccountRow } from '../accounts/accountRow.ts'
import { findAccountByName } from '../accounts/findAccount.ts'
import type { Queryable } from '../pool.ts'

export interface PaperAccountRow {
  account_id: string
  live_account_id: string
  resets: number
  created_at: Date
}

/** Names have at most 200 characters. */
const nameMax = 150
/** A concurrent call may have made it. */
const triesMax = 3

/** The paper account of the live account of this name, both made if they do not exist. A paper account's own name finds that account. */
export async function ensurePaperAccount(db: Queryable, name: string): Promise<Pick<AccountRow, 'id' | 'name'>> {
  const known = await findAccountByName(db, name)
  if (known !== null && isPaperAccount(known.id)) return known
  for (let left = triesMax; ; left--) {
    try {
      return await insertOrFind(db, name)
    } catch (error) {
      if ((error as { code?: unknown }).code !== '23505' || left === 1) throw error
    }
  }
}

async function insertOrFind(db: Queryable, name: string): Promise<Pick<AccountRow, 'id' | 'name'>> {
  const id = paperAccountIdOf(randomUUID())
  const { rows } = await db.query<Pick<AccountRow, 'id' | 'name'>>(
    `WITH live AS (
       INSERT INTO accounts (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name RETURNING id
     ), known AS (
       SELECT p.account_id FROM paper_accounts p JOIN live ON live.id = p.live_account_id
     ), made AS (
       INSERT INTO accounts (id, name) SELECT $2::uuid, $3 FROM live WHERE NOT EXISTS (SELECT FROM known) RETURNING id, name
     ), linked AS (
       INSERT INTO paper_accounts (account_id, live_account_id) SELECT made.id, live.id FROM made, live
     )
     SELECT id, name FROM made
     UNION ALL SELECT a.id, a.name FROM accounts a JOIN known ON known.account_id = a.id`,
    [name, id, `${name.slice(0, nameMax)} (paper ${id.slice(0, 8)})`],
  )
  return rows[0]!
}

export async function findPaperAccount(db: Queryable, accountId: string): Promise<PaperAccountRow | null> {
  const { rows } = await db.query<PaperAccountRow>(
    'SELECT account_id, live_account_id, resets, created_at FROM paper_accounts WHERE account_id = $1',
    [accountId],
  )
  return rows[0] ?? null
}

/**
 * The first statement of every transaction on these accounts, before any of their executions: such transactions follow each other. Throws
 * for an account that is missing.
 */
export async function lockPaperAccounts(db: Queryable, accountIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(accountIds)]
  const { rowCount } = await db.query(
    'SELECT 1 FROM paper_accounts WHERE account_id = ANY($1::uuid[]) ORDER BY account_id FOR UPDATE',
    [wanted],
  )
  if (rowCount !== wanted.length) throw new Error('a paper account is missing')
}

export async function countReset(db: Queryable, accountId: string): Promise<void> {
  await db.query('UPDATE paper_accounts SET resets = resets + 1 WHERE account_id = $1', [accountId])
}
