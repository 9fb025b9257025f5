// Issues a key to an account, which is created with its first key.
import type { Queryable } from '../pool.ts'
import { type KeyRow, keyColumns } from './keyRow.ts'

export interface NewKey {
  accountName: string
  sha256: Buffer
  prefix: string
  plan: string
  scopes: readonly string[]
}

export async function insertKey(db: Queryable, key: NewKey): Promise<KeyRow> {
  const { rows } = await db.query<KeyRow>(
    `WITH account AS (
       -- The empty update makes a name that exists already come back as well.
       INSERT INTO accounts (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name RETURNING id, name
     ), k AS (
       INSERT INTO api_keys (account_id, sha256, prefix, plan, scopes) SELECT id, $2, $3, $4, $5 FROM account RETURNING *
     )
     SELECT ${keyColumns} FROM k JOIN account a ON a.id = k.account_id`,
    [key.accountName, key.sha256, key.prefix, key.plan, key.scopes],
  )
  return rows[0]!
}
