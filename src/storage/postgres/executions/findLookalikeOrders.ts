// For an order looked up by similarity: which of the venue's orders already belong to other executions, and how many executions are looking for the
// same one.
import type { Queryable } from '../pool.ts'

export interface Rivals {
  /** When it was last sent; null: never. */
  sentAt: Date | null
  /** Those of the given orders that belong to other executions of the account. */
  claimed: string[]
  /** Executions with the identical artifact, sent within `apartMs` of it, whose order is unknown. It is one of them. */
  alike: number
}

export interface RivalsQuery {
  id: string
  refs: readonly string[]
  apartMs: number
  /** Events of the state machine's table that end an order without a report of the venue. */
  unreportedEvents: readonly string[]
}

export async function findLookalikeOrders(
  db: Queryable,
  { id, refs, apartMs, unreportedEvents: unheard }: RivalsQuery,
): Promise<Rivals> {
  const { rows } = await db.query<Rivals>(
    `WITH own AS (SELECT e.*, ${sentAt} AS sent_at FROM executions e WHERE e.id = $1)
     SELECT own.sent_at AS "sentAt",
       ARRAY(SELECT e.venue_ref FROM executions e WHERE e.account_id = own.account_id AND e.venue = own.venue
         AND e.intent = 'order' AND e.venue_ref = ANY($2::text[]) AND e.id <> own.id) AS claimed,
       (SELECT count(*)::integer FROM executions e WHERE e.account_id = own.account_id AND e.venue = own.venue
         AND e.intent = 'order' AND e.venue_ref IS NULL AND e.unsigned_sha256 = own.unsigned_sha256
         AND (e.status = 'submitted' OR e.last_event = ANY($3::text[]))
         AND abs(extract(epoch FROM ${sentAt} - own.sent_at)) * 1000 <= $4) AS alike
     FROM own`,
    [id, refs, unheard, apartMs],
  )
  return rows[0] ?? { sentAt: null, claimed: [], alike: 1 }
}

const sentAt = `(SELECT max(a.at) FROM execution_audit a WHERE a.execution_id = e.id AND a.event = 'submit')`
