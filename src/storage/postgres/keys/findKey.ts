// Looks a key up by its hash.
import type { Queryable } from '../pool.ts'
import { type KeyRow, keyColumns } from './keyRow.ts'

export async function findKeyByHash(db: Queryable, sha256: Buffer): Promise<KeyRow | null> {
  const { rows } = await db.query<KeyRow>(
    `SELECT ${keyColumns} FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.sha256 = $1`,
    [sha256],
  )
  return rows[0] ?? null
}

export async function findKeyById(db: Queryable, id: string): Promise<KeyRow | null> {
  const { rows } = await db.query<KeyRow>(
    `SELECT ${keyColumns} FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id::text = $1`,
    [id],
  )
  return rows[0] ?? null
}
