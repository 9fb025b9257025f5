// An account's orders at one venue, for the comparison with those that the venue shows.
import type { ExecutionStatus } from '#schemas/executions'
import type { Queryable } from '../pool.ts'
import { inFlight } from './findOrders.ts'

export interface VenueOrderRow {
  id: string
  status: ExecutionStatus
  venue_ref: string | null
  market_id: string | null
  outcome_id: string | null
  updated_at: Date
}

export interface VenueOrdersQuery {
  accountId: string
  venue: string
  /** Of the orders that the venue shows. */
  venueRefs: readonly string[]
}

const columns = `e.id, e.status, e.venue_ref, e.terms->>'marketId' AS market_id, e.terms->>'outcomeId' AS outcome_id, e.updated_at`

/** Replaced at the venue by an order of another id, which belongs to the modification. */
const isReplaced = `EXISTS (
    SELECT 1 FROM executions m WHERE m.target_id = e.id AND m.intent = 'modify' AND m.venue_ref IS NOT NULL AND m.venue_ref <> e.venue_ref
  )`

/** Those that the venue shows, as orders or as what a modification made of them; and orders in flight. */
export async function findVenueOrders(
  db: Queryable,
  { accountId, venue, venueRefs }: VenueOrdersQuery,
): Promise<VenueOrderRow[]> {
  const { rows } = await db.query<VenueOrderRow>(
    `SELECT ${columns} FROM executions e
     WHERE e.account_id = $1 AND e.venue = $2 AND e.venue_ref = ANY ($3) AND e.intent = 'order'
     UNION
     SELECT ${columns} FROM executions e
     WHERE e.account_id = $1 AND ${inFlight} AND e.venue = $2 AND e.intent = 'order' AND NOT ${isReplaced}
     UNION
     SELECT ${columns} FROM executions e
     WHERE e.account_id = $1 AND e.venue = $2 AND e.venue_ref = ANY ($3) AND e.intent = 'modify'
       AND NOT EXISTS (SELECT 1 FROM executions t WHERE t.id = e.target_id AND t.venue_ref = e.venue_ref)`,
    [accountId, venue, venueRefs],
  )
  return rows
}
