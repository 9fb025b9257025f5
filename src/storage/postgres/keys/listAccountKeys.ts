// A page of an account's keys, newest first.
import type { Queryable } from '../pool.ts'
import { type KeyRow, keyColumns } from './keyRow.ts'

export interface AccountKeysQuery {
  accountId: string
  /** The last key of the previous page; null: from the newest. */
  after: string | null
  limit: number
}

/** Null: `after` is not a key of this account. */
export async function listAccountKeys(
  db: Queryable,
  { accountId, after, limit }: AccountKeysQuery,
): Promise<KeyRow[] | null> {
  const { rows } = await db.query<KeyRow>(
    `SELECT ${keyColumns} FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.account_id = $1
       AND ($2::uuid IS NULL OR (k.created_at, k.id) < (SELECT created_at, id FROM api_keys WHERE id = $2 AND account_id = $1))
     ORDER BY k.created_at DESC, k.id DESC LIMIT $3`,
    [accountId, after, limit],
  )
  if (rows.length > 0 || after === null) return rows
  const { rowCount } = await db.query('SELECT 1 FROM api_keys WHERE id = $1 AND account_id = $2', [after, accountId])
  return rowCount === 0 ? null : rows
}
