// Binds an Idempotency-Key to what is done under it, inside the transaction that does it.
import type { Queryable } from '../pool.ts'

/** False: the key was already bound. */
export async function bindKey(
  db: Queryable,
  use: {
    accountId: string
    kind: 'arm' | 'cancel'
    key: string
    bodySha256: Buffer
    conditionalId: string
    at: Date
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO conditional_keys (account_id, kind, key, body_sha256, conditional_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [use.accountId, use.kind, use.key, use.bodySha256, use.conditionalId, use.at],
  )
  return rowCount === 1
}
