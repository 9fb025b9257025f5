// Endpoints as their owners see and change them. Every statement is scoped to the owner, and every change is recorded with the key that made it.
import type { Queryable } from '../pool.ts'
import type { EndpointRow, NewEndpoint } from './rows.ts'

const columns = 'id, url, events, active, created_at'

/** Who changes what, when. */
export interface EndpointChange {
  accountId: string
  id: string
  keyId: string
  at: Date
}

type Action = 'created' | 'deleted' | 'paused' | 'resumed' | 'rotated'

/** Within a transaction: locks the account, so that concurrent callers are counted one after the other. */
export async function lockAccount(db: Queryable, accountId: string): Promise<void> {
  await db.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId])
}

/** Null at the cap. Call after `lockAccount`: a statement that waited has an outdated snapshot of this table. */
export const insertEndpoint = (
  db: Queryable,
  { id, accountId, keyId, url, events, secretSealed, createdAt }: NewEndpoint,
  endpointsMax: number,
): Promise<EndpointRow | null> =>
  change(
    db,
    'created',
    { accountId, id, keyId, at: createdAt },
    `INSERT INTO webhook_endpoints (id, account_id, url, events, secret_sealed, created_at)
     SELECT $1, $2, $6, $7, $8, $4 WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $2) < $9`,
    [url, events, secretSealed, endpointsMax],
  )

/** Newest first. */
export async function listEndpoints(db: Queryable, accountId: string): Promise<EndpointRow[]> {
  const { rows } = await db.query<EndpointRow>(
    `SELECT ${columns} FROM webhook_endpoints WHERE account_id = $1 ORDER BY seq DESC`,
    [accountId],
  )
  return rows
}

export async function findEndpoint(db: Queryable, accountId: string, id: string): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>(
    `SELECT ${columns} FROM webhook_endpoints WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  )
  return rows[0] ?? null
}

/** Its deliveries are deleted in the same statement. */
export async function deleteEndpoint(db: Queryable, request: EndpointChange): Promise<boolean> {
  const deleted = await change(
    db,
    'deleted',
    request,
    'DELETE FROM webhook_endpoints WHERE id = $1 AND account_id = $2',
  )
  return deleted !== null
}

/**
 * Null: it is so already, or there is none. A resumed queue is due immediately, whether or not it is empty: deliveries queued concurrently
 * are not in the snapshot of a statement that waited.
 */
export const setActive = (db: Queryable, request: EndpointChange, active: boolean): Promise<EndpointRow | null> =>
  change(
    db,
    active ? 'resumed' : 'paused',
    request,
    `UPDATE webhook_endpoints SET active = $6, revision = revision + 1, paused_count = CASE WHEN $6 THEN NULL ELSE queued_count END,
       due_at = CASE WHEN $6 THEN $4::timestamptz END
     WHERE id = $1 AND account_id = $2 AND active <> $6`,
    [active],
  )

/**
 * The previous secret signs along with the new one until `until`; when there are more than `oldMax` previous ones, the
 * oldest is dropped.
 */
export const rotateSecret = (
  db: Queryable,
  request: EndpointChange,
  { secretSealed, until, oldMax }: { secretSealed: Buffer; until: Date; oldMax: number },
): Promise<EndpointRow | null> =>
  change(
    db,
    'rotated',
    request,
    `UPDATE webhook_endpoints SET revision = revision + 1, secret_sealed = $6,
       old_secrets_sealed = (array_prepend(secret_sealed, old_secrets_sealed))[1:$8],
       old_secrets_until = (array_prepend($7::timestamptz, old_secrets_until))[1:$8]
     WHERE id = $1 AND account_id = $2`,
    [secretSealed, until, oldMax],
  )

/** `statement` gets $1 id, $2 account, $3 key, $4 time and $5 action, and `more` from $6 on. Null: it changed nothing. */
async function change(
  db: Queryable,
  action: Action,
  { accountId, id, keyId, at }: EndpointChange,
  statement: string,
  more: readonly unknown[] = [],
): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>(
    `WITH changed AS (${statement} RETURNING ${columns}, account_id), written AS (
       INSERT INTO webhook_audit (action, endpoint_id, account_id, key_id, at) SELECT $5, id, account_id, $3, $4 FROM changed
     )
     SELECT ${columns} FROM changed`,
    [id, accountId, keyId, at, action, ...more],
  )
  return rows[0] ?? null
}
