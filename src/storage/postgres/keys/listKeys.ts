// The keys of an account, or of all, oldest first.
import type { Queryable } from '../pool.ts'
import { type KeyRow, keyColumns } from './keyRow.ts'

export async function listKeys(db: Queryable, accountName: string | null): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(
    `SELECT ${keyColumns} FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE $1::text IS NULL OR a.name = $1 ORDER BY k.created_at, k.id`,
    [accountName],
  )
  return rows
}
