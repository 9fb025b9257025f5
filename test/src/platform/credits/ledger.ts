// Invariants of the ledger, checked whenever a test reads it.
import { expect } from 'vitest'
import type { Pool } from '#storage/postgres/pool'

export interface Books {
  balance: number
  held: number
  granted: number
  usage: number
}

/** The state of the ledger; fails where it is inconsistent. */
export async function booksOf(pool: Pool, accountId: string, label = ''): Promise<Books> {
  const { rows } = await pool.query(
    `SELECT c.balance, c.held,
       (SELECT coalesce(sum(credits), 0) FROM credit_ledger l WHERE l.account_id = c.account_id) AS ledger,
       (SELECT balance FROM credit_ledger l WHERE l.account_id = c.account_id ORDER BY id DESC LIMIT 1) AS last,
       (SELECT coalesce(sum(credits), 0) FROM credit_ledger l WHERE l.account_id = c.account_id AND kind <> 'usage') AS granted,
       (SELECT coalesce(sum(credits), 0) FROM credit_leases l WHERE l.account_id = c.account_id) AS leases,
       (SELECT coalesce(sum(credits), 0) FROM credit_usage u WHERE u.account_id = c.account_id) AS usage
     FROM credit_accounts c WHERE c.account_id = $1`,
    [accountId],
  )
  const row = Object.fromEntries(Object.entries(rows[0]).map(([name, value]) => [name, Number(value)])) as Record<
    string,
    number
  >
  expect({ sum: row.ledger, last: row.last }, `the ledger adds up to the balance ${label}`).toEqual({
    sum: row.balance,
    last: row.balance,
  })
  expect(row.leases, `held credits equal the sum of the leases ${label}`).toBe(row.held)
  return { balance: row.balance!, held: row.held!, granted: row.granted!, usage: row.usage! }
}
