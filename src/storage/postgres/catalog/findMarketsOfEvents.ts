// The markets inside a page of events, in the venue's order.
import type { Queryable } from '../pool.ts'

export async function findMarketsOfEvents<Doc>(
  db: Queryable,
  events: readonly { venue: string; id: string }[],
): Promise<{ venue: string; event_id: string; doc: Doc }[]> {
  if (events.length === 0) return []
  const { rows } = await db.query<{ venue: string; event_id: string; doc: Doc }>(
    `SELECT m.venue, m.event_id, m.doc
     FROM unnest($1::text[], $2::text[]) AS e(venue, id)
     JOIN catalog_markets m ON m.venue = e.venue AND m.event_id = e.id
     ORDER BY m.venue, m.event_id, m.position, m.id`,
    [events.map((event) => event.venue), events.map((event) => event.id)],
  )
  return rows
}
