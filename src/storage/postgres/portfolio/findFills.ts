// The stored fills of an account over all venues, and the orders they belong to.
import type { Intent, JsonObject } from '#schemas/executions'
import type { FillRow } from '../executions/findExecutions.ts'
import type { Queryable } from '../pool.ts'

/** The last row of the previous page. */
export interface FillPosition {
  venue: string
  id: string
}

/** By venue, and in the order in which they were stored. */
export async function findFills(
  db: Queryable,
  { accountId, after, limit }: { accountId: string; after: FillPosition | null; limit: number },
): Promise<FillRow[]> {
  const { rows } = await db.query<FillRow>(
    `SELECT id, execution_id, venue, venue_key, fill, filled_at FROM execution_fills
     WHERE account_id = $1 AND (venue, id) > ($2::text, $3::bigint) ORDER BY venue, id LIMIT $4`,
    [accountId, after?.venue ?? '', after?.id ?? '0', limit],
  )
  return rows
}

/** After `seen` at each of its venues: by venue, and in the order in which they were stored. */
export async function findNewFills(
  db: Queryable,
  { accountId, seen, limit }: { accountId: string; seen: readonly FillPosition[]; limit: number },
): Promise<FillRow[]> {
  const { rows } = await db.query<FillRow>(
    `SELECT f.id, f.execution_id, f.venue, f.venue_key, f.fill, f.filled_at
     FROM unnest($2::text[], $3::bigint[]) AS seen(venue, id) CROSS JOIN LATERAL (
       SELECT * FROM execution_fills e WHERE e.account_id = $1 AND e.venue = seen.venue AND e.id > seen.id ORDER BY e.id LIMIT $4
     ) f ORDER BY f.venue, f.id LIMIT $4`,
    [accountId, seen.map(({ venue }) => venue), seen.map(({ id }) => id), limit],
  )
  return rows
}

/** What is needed of an execution to read its fills. */
export interface FilledOrderRow {
  id: string
  venue: string
  intent: Intent
  unsigned: string
  submitted_artifact: JsonObject | null
  bounds: JsonObject
  /** A modification without terms of its own has those of its order. */
  terms: JsonObject | null
  owner: string | null
  summary: JsonObject | null
  venue_ref: string | null
}

export async function findFilledOrders(db: Queryable, ids: readonly string[]): Promise<FilledOrderRow[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<FilledOrderRow>(
    `SELECT e.id, e.venue, e.intent, e.unsigned, e.submitted_artifact, e.bounds, coalesce(e.terms, t.terms) AS terms, e.owner,
       e.summary, e.venue_ref
     FROM executions e LEFT JOIN executions t ON t.id = e.target_id WHERE e.id = ANY($1::uuid[])`,
    [ids],
  )
  return rows
}
