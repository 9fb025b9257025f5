// Endpoints as their owners see them. Everything is asked by its owner.
import type { Queryable } from '../pool.ts'
import type { EndpointRow, NewEndpoint } from './rows.ts'

const columns = 'id, url, events, active, created_at'

/** Within a transaction: holds the account, so that two of its callers are counted one after the other. */
export async function lockAccount(db: Queryable, accountId: string): Promise<void> {
  await db.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId])
}

/** Null at the cap. Call behind `lockAccount`: a statement that waited has an old view of this table. */
export async function insertEndpoint(
  db: Queryable,
  { id, accountId, url, events, secretSealed, createdAt }: NewEndpoint,
  endpointsMax: number,
): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>(
    `INSERT INTO webhook_endpoints (id, account_id, url, events, secret_sealed, created_at)
     SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $2) < $7
     RETURNING ${columns}`,
    [id, accountId, url, events, secretSealed, createdAt, endpointsMax],
  )
  return rows[0] ?? null
}

/** Newest first. */
export async function listEndpoints(db: Queryable, accountId: string): Promise<EndpointRow[]> {
  const { rows } = await db.query<EndpointRow>(
    `SELECT ${columns} FROM webhook_endpoints WHERE account_id = $1 ORDER BY seq DESC`,
    [accountId],
  )
  return rows
}

export async function hasEndpoint(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const { rows } = await db.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 AND account_id = $2', [id, accountId])
  return rows.length > 0
}

/** Its deliveries go with it, in the same statement. */
export async function deleteEndpoint(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM webhook_endpoints WHERE id = $1 AND account_id = $2', [
    id,
    accountId,
  ])
  return rowCount === 1
}
