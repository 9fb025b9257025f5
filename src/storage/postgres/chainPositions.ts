// How far a venue's chain was read, across restarts and owners.
import type { Queryable } from './pool.ts'

export interface StoredCursor<Block> {
  begun: number
  settled: number
  next: number
  recent: Block[]
}

/** Null: never read, or a different chain was. */
export async function findChainPosition<Block>(
  db: Queryable,
  venue: string,
  chainId: number,
): Promise<StoredCursor<Block> | null> {
  const { rows } = await db.query<StoredCursor<Block>>(
    'SELECT begun_block::float8 AS begun, settled_block::float8 AS settled, next_block::float8 AS next, recent FROM chain_positions WHERE venue = $1 AND chain_id = $2',
    [venue, chainId],
  )
  return rows[0] ?? null
}

/** `epoch`: of the owner that read this far; a later owner's position is kept. */
export async function writeChainPosition<Block>(
  db: Queryable,
  place: { venue: string; chainId: number; epoch: number },
  { begun, settled, next, recent }: StoredCursor<Block>,
): Promise<void> {
  await db.query(
    `INSERT INTO chain_positions AS p (venue, chain_id, epoch, begun_block, settled_block, next_block, recent, written_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now())
     ON CONFLICT (venue) DO UPDATE SET chain_id = $2, epoch = $3, begun_block = $4, settled_block = $5, next_block = $6, recent = $7, written_at = now() WHERE p.epoch <= $3`,
    [place.venue, place.chainId, place.epoch, begun, settled, next, JSON.stringify(recent)],
  )
}
