// Unended markets that have not been reported lately: trading ones first, then least recently reported.
import type { Queryable } from '../pool.ts'

export interface UnseenQuery {
  venue: string
  /** Markets that trade and were last reported before this, epoch ms. */
  activeBefore: number
  /** The same for those that do not trade and have no result yet. */
  otherBefore: number
  /** Excluded. */
  except: readonly string[]
  limit: number
}

export async function findUnseenMarkets<Doc>(
  db: Queryable,
  { venue, activeBefore, otherBefore, except, limit }: UnseenQuery,
): Promise<Doc[]> {
  const { rows } = await db.query<{ doc: Doc }>(
    `SELECT m.doc FROM catalog_markets m
     JOIN catalog_marks k ON k.kind = 'm' AND k.venue = m.venue AND k.id = m.id
     WHERE m.venue = $1 AND m.doc->>'status' NOT IN ('resolved', 'archived')
       AND k.as_of < CASE WHEN m.active THEN $2::float8 ELSE $3::float8 END AND m.id <> ALL($4::text[])
     ORDER BY m.active DESC, k.as_of, m.id LIMIT $5`,
    [venue, activeBefore, otherBefore, except, limit],
  )
  return rows.map((row) => row.doc)
}
