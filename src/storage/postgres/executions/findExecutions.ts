// Reads of executions, their keys and their fills, always scoped to the owner.

import type { ExecutionStatus, Intent, JsonObject } from '#schemas/executions'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { type ExecutionRow, executionColumns } from './executionRow.ts'

export type KeyKind = 'build' | 'cancel' | 'modify' | 'submit' | 'resolve'

export interface KeyUse {
  executionId: string
  bodySha256: Buffer
  /** For submits, once known: the relay's result. */
  outcome: JsonObject | null
}

export interface ExecutionFilter {
  accountId: string
  venue: string | null
  status: ExecutionStatus | null
  intent: Intent | null
  /** Inclusive. */
  since: Date | null
  /** `seq` of the last row of the previous page. */
  before: string | null
  limit: number
}

export interface FillRow {
  /** bigint, as text. */
  id: string
  execution_id: string
  venue: string
  /** The venue's id of the fill. */
  venue_key: string
  fill: JsonObject
  filled_at: Date
}

const ownExecution = prepared(`SELECT ${executionColumns} FROM executions e WHERE e.id = $1 AND e.account_id = $2`)

export async function findExecution(db: Queryable, accountId: string, id: string): Promise<ExecutionRow | null> {
  const { rows } = await db.query<ExecutionRow>(ownExecution([id, accountId]))
  return rows[0] ?? null
}

/** The execution to which an order of the venue belongs; null: to none. */
export async function findByVenueRef(
  db: Queryable,
  { accountId, venue, venueRef }: { accountId: string; venue: string; venueRef: string },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM executions WHERE account_id = $1 AND venue = $2 AND venue_ref = $3 AND intent = 'order'`,
    [accountId, venue, venueRef],
  )
  return rows[0]?.id ?? null
}

const useOfKey = prepared(
  `SELECT execution_id AS "executionId", body_sha256 AS "bodySha256", outcome
   FROM execution_keys WHERE account_id = $1 AND kind = $2 AND key = $3`,
)

export async function findKeyUse(db: Queryable, accountId: string, kind: KeyKind, key: string): Promise<KeyUse | null> {
  const { rows } = await db.query<KeyUse>(useOfKey([accountId, kind, key]))
  return rows[0] ?? null
}

/** When the venue first acknowledged a cancellation of order `id`; null: it acknowledged none. */
export async function findCanceledAt(db: Queryable, id: string): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    `SELECT min(updated_at) AS at FROM executions WHERE target_id = $1 AND intent = 'cancel' AND status = 'acked'`,
    [id],
  )
  return rows[0]?.at ?? null
}

/** Newest first. */
export async function listExecutions(db: Queryable, filter: ExecutionFilter): Promise<ExecutionRow[]> {
  const { accountId, venue, status, intent, since, before, limit } = filter
  const { rows } = await db.query<ExecutionRow>(
    `SELECT ${executionColumns} FROM executions e
     WHERE e.account_id = $1
       AND ($2::text IS NULL OR e.venue = $2)
       AND ($3::text IS NULL OR e.status = $3)
       AND ($4::text IS NULL OR e.intent = $4)
       AND ($5::timestamptz IS NULL OR e.created_at >= $5)
       AND ($6::bigint IS NULL OR e.seq < $6)
     ORDER BY e.seq DESC LIMIT $7`,
    [accountId, venue, status, intent, since, before, limit],
  )
  return rows
}

/** Position of a walk over in-flight executions. */
export interface OpenMark {
  updatedAt: Date
  id: string
}

export interface OpenQuery {
  venue: string
  /** Only those not touched since. */
  untouchedSince: Date
  limit: number
  /** `newest`: most recently touched first. Otherwise least recently touched first, after the mark. */
  from: 'newest' | OpenMark | null
}

// An accepted cancellation is final: the order's own outcome is reported on the order. Dated after now: the clock was
// set back since, and waiting until then would be wrong.
const isOpen = `e.venue = $1 AND e.status IN ('submitted', 'acked') AND (e.updated_at <= $2 OR e.updated_at > $2 + interval '1 minute')
  AND NOT (e.intent = 'cancel' AND e.status = 'acked')`

/** In flight at a venue, of every account. */
export async function listOpenExecutions(
  db: Queryable,
  { venue, untouchedSince, limit, from }: OpenQuery,
): Promise<ExecutionRow[]> {
  if (from === 'newest') {
    const { rows } = await db.query<ExecutionRow>(
      `SELECT ${executionColumns} FROM executions e WHERE ${isOpen} ORDER BY e.updated_at DESC, e.id DESC LIMIT $3`,
      [venue, untouchedSince, limit],
    )
    return rows
  }
  const { rows } = await db.query<ExecutionRow>(
    `SELECT ${executionColumns} FROM executions e
     WHERE ${isOpen} AND ($4::timestamptz IS NULL OR (e.updated_at, e.id) > ($4, $5::uuid))
     ORDER BY e.updated_at, e.id LIMIT $3`,
    [venue, untouchedSince, limit, from?.updatedAt ?? null, from?.id ?? null],
  )
  return rows
}

/** Oldest first, after `after`. */
export async function listFills(
  db: Queryable,
  { accountId, venue, after, limit }: { accountId: string; venue: string; after: string | null; limit: number },
): Promise<FillRow[]> {
  const { rows } = await db.query<FillRow>(
    `SELECT id, execution_id, venue, venue_key, fill, filled_at FROM execution_fills
     WHERE account_id = $1 AND venue = $2 AND ($3::bigint IS NULL OR id > $3) ORDER BY id LIMIT $4`,
    [accountId, venue, after, limit],
  )
  return rows
}

export async function listFillsOf(db: Queryable, executionId: string): Promise<FillRow[]> {
  const { rows } = await db.query<FillRow>(
    'SELECT id, execution_id, venue, venue_key, fill, filled_at FROM execution_fills WHERE execution_id = $1 ORDER BY id',
    [executionId],
  )
  return rows
}
