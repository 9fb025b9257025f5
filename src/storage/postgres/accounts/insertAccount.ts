// Creates an account without a key. Null when the name is taken.
import type { Queryable } from '../pool.ts'
import type { AccountRow } from './accountRow.ts'

export async function insertAccount(db: Queryable, name: string): Promise<AccountRow | null> {
  const { rows } = await db.query<AccountRow>(
    'INSERT INTO accounts (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id, name, created_at',
    [name],
  )
  return rows[0] ?? null
}
