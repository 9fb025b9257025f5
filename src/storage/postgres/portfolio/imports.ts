// What owners entered in their portfolios. Rows are never changed.
import type { Queryable } from '../pool.ts'

export interface ImportRow {
  /** bigint, as text. */
  id: string
  kind: 'position' | 'transfer'
  venue: string
  ref: string
  currency: string | null
  market_id: string | null
  outcome_id: string | null
  /** numeric, as text. */
  size: string | null
  /** numeric, as text. */
  cost: string | null
  /** numeric, as text. */
  cash: string | null
  at: Date
  created_at: Date
}

export interface NewImport extends Omit<ImportRow, 'id'> {
  accountId: string
  keyId: string
  idempotencyKey: string
  bodySha256: Buffer
}

const columns = 'id, kind, venue, ref, currency, market_id, outcome_id, size, cost, cash, at, created_at'

/** Null: its key or its ref is taken. */
export async function insertImport(db: Queryable, entry: NewImport): Promise<ImportRow | null> {
  const { rows } = await db.query<ImportRow>(
    `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, market_id, outcome_id,
       size, cost, cash, at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [
      entry.accountId,
      entry.keyId,
      entry.idempotencyKey,
      entry.bodySha256,
      entry.kind,
      entry.venue,
      entry.ref,
      entry.currency,
      entry.market_id,
      entry.outcome_id,
      entry.size,
      entry.cost,
      entry.cash,
      entry.at,
      entry.created_at,
    ],
  )
  return rows[0] ?? null
}

/** `bodySha256`: of the request that used the key. */
export async function findImportByKey(
  db: Queryable,
  accountId: string,
  key: string,
): Promise<{ row: ImportRow; bodySha256: Buffer } | null> {
  const { rows } = await db.query<ImportRow & { body_sha256: Buffer }>(
    `SELECT ${columns}, body_sha256 FROM portfolio_imports WHERE account_id = $1 AND idempotency_key = $2`,
    [accountId, key],
  )
  const [found] = rows
  if (found === undefined) return null
  const { body_sha256: bodySha256, ...row } = found
  return { row, bodySha256 }
}

export async function findImportByRef(
  db: Queryable,
  { accountId, venue, ref }: { accountId: string; venue: string; ref: string },
): Promise<ImportRow | null> {
  const { rows } = await db.query<ImportRow>(
    `SELECT ${columns} FROM portfolio_imports WHERE account_id = $1 AND venue = $2 AND ref = $3`,
    [accountId, venue, ref],
  )
  return rows[0] ?? null
}

/** Oldest first, after `after`. */
export async function listImports(
  db: Queryable,
  { accountId, after, limit }: { accountId: string; after: string | null; limit: number },
): Promise<ImportRow[]> {
  const { rows } = await db.query<ImportRow>(
    `SELECT ${columns} FROM portfolio_imports WHERE account_id = $1 AND id > $2::bigint ORDER BY id LIMIT $3`,
    [accountId, after ?? '0', limit],
  )
  return rows
}
