// One market by its venue-native id.
import type { Queryable } from '../pool.ts'

export async function findMarket<Doc>(db: Queryable, venue: string, marketId: string): Promise<Doc | null> {
  if (venue.includes('\0') || marketId.includes('\0')) return null
  const { rows } = await db.query<{ doc: Doc }>('SELECT doc FROM catalog_markets WHERE venue = $1 AND id = $2', [
    venue,
    marketId,
  ])
  return rows[0]?.doc ?? null
}
