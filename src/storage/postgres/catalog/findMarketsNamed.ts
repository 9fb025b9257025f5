// Markets by a name other than an outcome's, in bulk.
import type { Queryable } from '../pool.ts'

export interface NamedMarketRow<Doc> {
  venue: string
  /** The name as requested. */
  outcomeId: string
  by: 'id' | 'slug' | 'event'
  doc: Doc
}

/** At most one per name: the market of that id, else of that slug, else the first of the event of that id. */
export async function findMarketsNamed<Doc>(
  db: Queryable,
  requested: readonly { venue: string; outcomeId: string }[],
): Promise<NamedMarketRow<Doc>[]> {
  const keys = requested.filter(({ venue, outcomeId }) => !venue.includes('\0') && !outcomeId.includes('\0'))
  if (keys.length === 0) return []
  const { rows } = await db.query<NamedMarketRow<Doc>>(
    `SELECT asked.venue, asked.name AS "outcomeId", hit.by, hit.doc
     FROM unnest($1::text[], $2::text[]) AS asked (venue, name)
     CROSS JOIN LATERAL (
       (SELECT 1 AS rank, 'id' AS by, m.doc FROM catalog_markets m WHERE m.venue = asked.venue AND m.id = asked.name)
       UNION ALL
       (SELECT 2, 'slug', m.doc FROM catalog_markets m WHERE m.slug = asked.name AND m.venue = asked.venue ORDER BY m.id LIMIT 1)
       UNION ALL
       (SELECT 3, 'event', m.doc FROM catalog_markets m WHERE m.venue = asked.venue AND m.event_id = asked.name ORDER BY m.position, m.id LIMIT 1)
       ORDER BY rank LIMIT 1
     ) hit`,
    [keys.map(({ venue }) => venue), keys.map(({ outcomeId }) => outcomeId)],
  )
  return rows
}
