// How far an algorithm is: its slices with their executions.
import type { Queryable } from '../pool.ts'
import { isLive, type OpenSliceRow, sliceColumns } from './algorithmRow.ts'

export interface StoredProgress {
  /** The live slice and those that are planned, by number. */
  open: OpenSliceRow[]
  last: { stage: number; decided_at: Date; ended_at: Date } | null
  count: number
  /** Decimal string, of all slices. */
  filled: string
  /** What was filled of an ended slice is not known. */
  is_unknown: boolean
  /** An ended slice is open again. */
  is_reopened: boolean
  /** Of the ended slices: what their fills cost or brought, decimal string; null: the average price of one is not known. */
  cash: string | null
}

/** A modification that the venue accepted replaced the order: what was filled of both is not known from it alone. */
const wasModified = `EXISTS (SELECT FROM executions m WHERE m.target_id = e.id AND m.intent = 'modify'
  AND m.status IN ('acked', 'filled', 'expired', 'canceled'))`

const filledOf = 'greatest(coalesce(s.filled_size, 0), coalesce(e.matched_size, 0))'

/** In one snapshot. */
export async function readProgress(db: Queryable, id: string): Promise<StoredProgress> {
  const { rows } = await db.query<Omit<StoredProgress, 'open' | 'last'> & { last: [number, string, string] | null }>(
    `SELECT count(*) FILTER (WHERE s.status <> 'planned')::integer AS count,
       trim_scale(coalesce(sum(${filledOf}), 0))::text AS filled,
       coalesce(bool_or(s.status = 'ended' AND s.filled_size IS NULL AND e.matched_size IS NULL), false) AS is_unknown,
       coalesce(bool_or(s.status = 'ended' AND e.status IN ('submitted', 'acked')), false) AS is_reopened,
       CASE WHEN bool_or(s.status = 'ended' AND ${filledOf} > 0 AND s.average_price IS NULL) THEN NULL
         ELSE trim_scale(coalesce(sum(${filledOf} * s.average_price) FILTER (WHERE s.status = 'ended'), 0))::text END AS cash,
       (SELECT jsonb_build_array(l.stage, l.decided_at, l.ended_at) FROM execution_algorithm_slices l
        WHERE l.algorithm_id = $1 AND l.status = 'ended' ORDER BY l.number DESC LIMIT 1) AS last
     FROM execution_algorithm_slices s LEFT JOIN executions e ON e.id = s.execution_id WHERE s.algorithm_id = $1`,
    [id],
  )
  const { rows: open } = await db.query<OpenSliceRow>(
    `SELECT ${sliceColumns}, e.status AS execution_status, e.error AS execution_error, trim_scale(e.matched_size)::text AS matched_size,
       e.updated_at AS execution_at, e.venue_ref, c.status AS cancel_status, c.error AS cancel_error,
       s.${isLive} AND ${wasModified} AS was_modified
     FROM execution_algorithm_slices s LEFT JOIN executions e ON e.id = s.execution_id LEFT JOIN executions c ON c.id = s.cancel_id
     WHERE s.algorithm_id = $1 AND s.status <> 'ended' ORDER BY s.number`,
    [id],
  )
  const { last, ...totals } = rows[0]!
  if (last === null) return { ...totals, open, last }
  const [stage, decidedAt, endedAt] = last
  return { ...totals, open, last: { stage, decided_at: new Date(decidedAt), ended_at: new Date(endedAt) } }
}
