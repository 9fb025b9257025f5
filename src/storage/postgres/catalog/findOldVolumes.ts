// Markets whose daily volume is outdated, because their venue has not reported them since.
import type { Queryable } from '../pool.ts'

export interface OldVolume<Doc> {
  event_id: string | null
  position: number
  doc: Doc
}

/** `reportedBefore`: epoch ms. Least recently reported first. */
export async function findOldVolumes<Doc>(
  db: Queryable,
  venue: string,
  reportedBefore: number,
  limit: number,
): Promise<OldVolume<Doc>[]> {
  const { rows } = await db.query<OldVolume<Doc>>(
    `SELECT m.event_id, m.position, m.doc FROM catalog_markets m
     JOIN catalog_marks k ON k.kind = 'm' AND k.venue = m.venue AND k.id = m.id
     WHERE m.venue = $1 AND m.volume_rank < 'Infinity' AND k.as_of < $2 ORDER BY k.as_of, m.id LIMIT $3`,
    [venue, reportedBefore, limit],
  )
  return rows
}

export async function findEventDocs<Doc>(db: Queryable, venue: string, ids: readonly string[]): Promise<Doc[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<{ doc: Doc }>(
    'SELECT doc FROM catalog_events WHERE venue = $1 AND id = ANY($2::text[]) ORDER BY id',
    [venue, ids],
  )
  return rows.map(({ doc }) => doc)
}
