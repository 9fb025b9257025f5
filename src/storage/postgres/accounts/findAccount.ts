// An account by its name or its id.
import type { Queryable } from '../pool.ts'
import type { AccountRow } from './accountRow.ts'

export async function findAccountByName(db: Queryable, name: string): Promise<AccountRow | null> {
  const { rows } = await db.query<AccountRow>('SELECT id, name, created_at FROM accounts WHERE name = $1', [name])
  return rows[0] ?? null
}

export async function findAccountById(db: Queryable, id: string): Promise<AccountRow | null> {
  const { rows } = await db.query<AccountRow>('SELECT id, name, created_at FROM accounts WHERE id::text = $1', [id])
  return rows[0] ?? null
}
