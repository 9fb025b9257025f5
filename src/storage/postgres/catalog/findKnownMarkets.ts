// Which of these market ids the catalog has.
import type { Queryable } from '../pool.ts'

export async function findKnownMarkets(
  db: Queryable,
  venue: string,
  marketIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const validIds = marketIds.filter((id) => !id.includes('\0'))
  if (validIds.length === 0) return new Set()
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM catalog_markets WHERE venue = $1 AND id = ANY($2::text[])',
    [venue, validIds],
  )
  return new Set(rows.map(({ id }) => id))
}
