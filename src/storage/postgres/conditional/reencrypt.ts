// Rotation of the keys that seal artifacts.
import type { Queryable } from '../pool.ts'
import type { SealedArtifact } from './firing.ts'

export interface SealedRow extends SealedArtifact {
  id: string
  executionId: string
}

/** Artifacts under any key other than this one, ordered by order id, after `after`. */
export async function listSealedOtherwise(
  db: Queryable,
  { keyId, after, limit }: { keyId: string; after: string | null; limit: number },
): Promise<SealedRow[]> {
  const { rows } = await db.query<SealedRow>(
    `SELECT id, execution_id AS "executionId", sealed, seal_key_id AS "keyId", artifact_sha256 AS sha256 FROM conditional_orders
     WHERE sealed IS NOT NULL AND seal_key_id <> $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [keyId, after, limit],
  )
  return rows
}

/** Number of artifacts under each key. */
export async function countSealedUnder(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ keyId: string; n: number }>(
    'SELECT seal_key_id AS "keyId", count(*)::integer AS n FROM conditional_orders WHERE sealed IS NOT NULL GROUP BY seal_key_id',
  )
  return new Map(rows.map(({ keyId, n }) => [keyId, n]))
}

/** False: the order has ended, and its artifact with it, or it was resealed concurrently. */
export async function reencrypt(
  db: Queryable,
  { id, from, to }: { id: string; from: string; to: { sealed: Buffer; keyId: string } },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE conditional_orders SET sealed = $3, seal_key_id = $4 WHERE id = $1 AND seal_key_id = $2 AND sealed IS NOT NULL',
    [id, from, to.sealed, to.keyId],
  )
  return rowCount === 1
}
