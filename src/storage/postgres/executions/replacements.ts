// Orders that replace others: which order each replaces, and what keeps it from being submitted.
import type { Queryable } from '../pool.ts'

export interface NewReplacement {
  accountId: string
  key: string
  bodySha256: Buffer
  replacesId: string
  /** The execution of the new order, which is built afterwards. */
  orderId: string
  /** Decimal string. */
  size: string
  at: Date
}

export interface ReplacementRow {
  body_sha256: Buffer
  replaces_id: string
  order_id: string
  /** numeric without trailing zeros, as text. */
  size: string
}

const columns = 'body_sha256, replaces_id, order_id, trim_scale(size)::text AS size'

/** The replacement of this request, written once. Its hash may be another one's: the key is then used. */
export async function insertReplacement(db: Queryable, wanted: NewReplacement): Promise<ReplacementRow> {
  const { accountId, key, bodySha256, replacesId, orderId, size, at } = wanted
  const { rows } = await db.query<ReplacementRow>(
    `INSERT INTO order_replacements (account_id, key, body_sha256, replaces_id, order_id, size, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account_id, key) DO NOTHING RETURNING ${columns}`,
    [accountId, key, bodySha256, replacesId, orderId, size, at],
  )
  return rows[0] ?? (await findReplacement(db, accountId, key))!
}

export async function findReplacement(db: Queryable, accountId: string, key: string): Promise<ReplacementRow | null> {
  const { rows } = await db.query<ReplacementRow>(
    `SELECT ${columns} FROM order_replacements WHERE account_id = $1 AND key = $2`,
    [accountId, key],
  )
  return rows[0] ?? null
}

/** The execution that `orderId` replaces; null: none. It never changes. */
export async function findReplaced(db: Queryable, orderId: string): Promise<string | null> {
  const { rows } = await db.query<{ replaces_id: string }>(
    'SELECT replaces_id FROM order_replacements WHERE order_id = $1',
    [orderId],
  )
  return rows[0]?.replaces_id ?? null
}

/**
 * `replaced_open`: the replaced order has not ended, or what was filled of it is unknown. `replaced_filled`: less is left of it than the new
 * order is for. `replaced_again`: another replacement of it was submitted.
 */
export type ReplacementConflict = 'replaced_open' | 'replaced_filled' | 'replaced_again'

/** Sent, and not rejected. */
const wasSent = `(e.status NOT IN ('built', 'signed', 'failed')
  AND NOT (e.status = 'canceled' AND e.submitted_artifact IS NULL AND e.venue_ref IS NULL))`

/** What keeps order `orderId`, which replaces `replacesId`, from being submitted. Run inside the transaction that claims it. */
export async function replacementConflict(
  db: Queryable,
  { orderId, replacesId }: { orderId: string; replacesId: string },
): Promise<ReplacementConflict | null> {
  // Of two replacements that are claimed at once the second sees the first.
  await db.query('SELECT FROM order_replacements WHERE replaces_id = $1 ORDER BY order_id FOR UPDATE', [replacesId])
  const { rows } = await db.query<{ has_ended: boolean; fits: boolean | null; was_replaced: boolean }>(
    `SELECT o.status IN ('filled', 'failed') OR (o.status IN ('canceled', 'expired') AND o.matched_size IS NOT NULL) AS has_ended,
       o.status <> 'filled'
         AND (o.terms->>'size')::numeric - coalesce(o.matched_size, 0) >= (n.terms->>'size')::numeric AS fits,
       EXISTS (SELECT FROM order_replacements r JOIN executions e ON e.id = r.order_id
         WHERE r.replaces_id = o.id AND r.order_id <> n.id AND ${wasSent}) AS was_replaced
     FROM executions o, executions n WHERE o.id = $1 AND n.id = $2`,
    [replacesId, orderId],
  )
  const { has_ended, fits, was_replaced } = rows[0]!
  if (was_replaced) return 'replaced_again'
  if (!has_ended) return 'replaced_open'
  return fits === true ? null : 'replaced_filled'
}
