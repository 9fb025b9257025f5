// Reads of an account's orders over all venues: an overview by filter, and those of unknown outcome.
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import type { Queryable } from '../pool.ts'
import { type ExecutionRow, executionColumns } from './executionRow.ts'

/** An execution with the conditional order armed last with it. */
export interface OrderRow extends ExecutionRow {
  conditional_id: string | null
  group_id: string | null
}

export interface OverviewRow extends OrderRow {
  status_since: Date
  /** Its modifications, oldest first. */
  modification_ids: string[]
}

export interface OrderFilter {
  accountId: string
  /** Null: any. */
  statuses: readonly ExecutionStatus[] | null
  venue: string | null
  marketId: string | null
  /** A conditional order, or an OCO group. */
  groupId: string | null
  /** Inclusive. */
  since: Date | null
  /** Only those in flight. */
  isOpen: boolean
  /** `seq` of the last row of the previous page. */
  before: string | null
  limit: number
}

/** As in the partial index `executions_living`; `e`: the execution. */
export const inFlight = `e.status IN ('submitted', 'acked') AND NOT (e.intent = 'cancel' AND e.status = 'acked')`

const lastConditional = `LEFT JOIN LATERAL (
    SELECT c.id AS conditional_id, c.oco_group_id AS group_id FROM conditional_orders c
    WHERE c.execution_id = e.id ORDER BY c.seq DESC LIMIT 1
  ) conditional ON true`

const inGroup = `e.id IN (
    SELECT c.execution_id FROM conditional_orders c WHERE c.account_id = $1 AND (c.id = $7::uuid OR c.oco_group_id = $7::uuid)
  )`

/** Orders and modifications, newest first. */
export async function findOrders(db: Queryable, filter: OrderFilter): Promise<OverviewRow[]> {
  const { accountId, statuses, venue, marketId, groupId, since, isOpen, before, limit } = filter
  const { rows } = await db.query<OverviewRow>(
    `SELECT ${executionColumns}, conditional.*, coalesce(reached.at, e.updated_at) AS status_since,
       ARRAY(SELECT m.id FROM executions m WHERE m.target_id = e.id AND m.intent = 'modify' ORDER BY m.seq) AS modification_ids
     FROM (
       SELECT e.* FROM executions e
       WHERE e.account_id = $1 AND e.intent IN ('order', 'modify')
         AND ($2::text[] IS NULL OR e.status = ANY ($2))
         AND ($3::text IS NULL OR e.venue = $3)
         AND ($4::text IS NULL OR coalesce(e.terms->>'marketId', e.summary->'outcome'->>'marketId') = $4)
         AND ($5::timestamptz IS NULL OR e.created_at >= $5)
         AND ($6::bigint IS NULL OR e.seq < $6)
         AND ${groupId === null ? '$7::uuid IS NULL' : inGroup}
         ${isOpen ? `AND ${inFlight}` : ''}
       ORDER BY e.seq DESC LIMIT $8
     ) e ${lastConditional} LEFT JOIN LATERAL (
       SELECT a.at FROM execution_audit a
       WHERE a.execution_id = e.id AND a.from_status IS DISTINCT FROM a.to_status ORDER BY a.id DESC LIMIT 1
     ) reached ON true
     ORDER BY e.seq DESC`,
    [accountId, statuses, venue, marketId, since, before, groupId, limit],
  )
  return rows
}

export interface UnresolvedFilter {
  accountId: string
  venue: string | null
  /** `seq` of the last row of the previous page. */
  before: string | null
  limit: number
}

/** Of any intent: sent without a known outcome, or accepted and not shown by the venue at the last read. Newest first. */
export async function findUnresolved(
  db: Queryable,
  { accountId, venue, before, limit }: UnresolvedFilter,
): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>(
    `SELECT ${executionColumns}, conditional.* FROM (
       SELECT e.* FROM executions e
       WHERE e.account_id = $1 AND ${inFlight} AND (e.status = 'submitted' OR e.missing_since IS NOT NULL)
         AND ($2::text IS NULL OR e.venue = $2) AND ($3::bigint IS NULL OR e.seq < $3)
       ORDER BY e.seq DESC LIMIT $4
     ) e ${lastConditional}
     ORDER BY e.seq DESC`,
    [accountId, venue, before, limit],
  )
  return rows
}

export interface OrderFill {
  /** bigint, as text. */
  id: string
  execution_id: string
  fill: JsonObject
}

/** Fills of these executions, oldest first; of one with more than `most`, the first `most` and one more. */
export async function findFillsOf(
  db: Queryable,
  { executionIds, most }: { executionIds: readonly string[]; most: number },
): Promise<OrderFill[]> {
  const { rows } = await db.query<OrderFill>(
    `SELECT f.id, f.execution_id, f.fill FROM unnest($1::uuid[]) AS e (id), LATERAL (
       SELECT x.id, x.execution_id, x.fill FROM execution_fills x WHERE x.execution_id = e.id ORDER BY x.id LIMIT $2
     ) f ORDER BY f.id`,
    [executionIds, most + 1],
  )
  return rows
}
