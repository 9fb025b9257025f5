// How many active markets the catalog has, and where a venue's list of them, most active first, is cut off.
import type { Queryable } from '../pool.ts'

/** The last market of a venue's list that is still taken. */
export interface Cutoff {
  /** Its `volume_rank`: minus its volume, or infinity if that is unknown. */
  rank: number
  id: string
}

/** By venue; venues without any are left out. */
export async function countActiveMarkets(db: Queryable, venues: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ venue: string; count: number }>(
    'SELECT venue, count(*)::int AS count FROM catalog_markets WHERE active AND venue = ANY($1) GROUP BY venue',
    [venues],
  )
  return new Map(rows.map(({ venue, count }) => [venue, count]))
}

export async function countMarketsUpTo(db: Queryable, venue: string, { rank, id }: Cutoff): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM catalog_markets WHERE venue = $1 AND active AND (volume_rank, id) <= ($2, $3)',
    [venue, rank, id],
  )
  return rows[0]!.count
}

/** The `count`th most active market of a venue; null if it has fewer. */
export async function findCutoff(db: Queryable, venue: string, count: number): Promise<Cutoff | null> {
  const { rows } = await db.query<Cutoff>(
    `SELECT volume_rank AS rank, id FROM catalog_markets WHERE venue = $1 AND active
     ORDER BY volume_rank, id OFFSET $2 LIMIT 1`,
    [venue, count - 1],
  )
  return rows[0] ?? null
}
