// Expiry of orders. An order with an attempt in progress stays until its outcome is known; one that the venue accepted has fired, even if that was
// never reported.
import type { JsonObject } from '#schemas/executions'
import type { Queryable } from '../pool.ts'
import type { ConditionalRow } from './conditionalRow.ts'
import { type ConditionalMove, moveConditionals } from './moveConditionals.ts'
import { isAccepted, isOutstanding, lockWithGroup } from './ocoGroups.ts'
import { losers, recallFiring } from './recordResult.ts'
import type { ConditionalSteps } from './transitions.ts'

export interface Overdue {
  id: string
  /** As text, without rounding. */
  expiresAt: string
  /** Triggered in client mode, and its order is at the venue. */
  accepted: boolean
}

const accepted = `(c.status = 'triggered' AND c.fire_mode = 'client' AND ${isAccepted('c.execution_id')})`
/** Submitting an order's execution waits for the order's lock. */
const isOver = (at: string): string => `c.status IN ('armed', 'triggered') AND c.expires_at <= ${at}
  AND (c.status = 'armed' OR NOT ${isOutstanding('c.execution_id', at)})`

export interface Expiries {
  /** Those ended by it. */
  ended: ConditionalRow[]
  /** The next page starts after it; null: there is none. */
  next: Overdue | null
}

/** By expiry, after `after`: skipped orders block nothing. */
export async function findOverdue(
  db: Queryable,
  { limit, at, after }: { limit: number; at: Date; after: Overdue | null },
): Promise<Overdue[]> {
  const { rows } = await db.query<Overdue>(
    `SELECT c.id, c.expires_at::text AS "expiresAt", ${accepted} AS accepted FROM conditional_orders c
     WHERE ${isOver('$1')} AND ($3::timestamptz IS NULL OR (c.expires_at, c.id) > ($3, $4::uuid)) ORDER BY c.expires_at, c.id LIMIT $2`,
    [at, limit, after?.expiresAt ?? null, after?.id ?? null],
  )
  return rows
}

/** Within a transaction: waits for no lock, and rechecks what it locked. */
export async function expireOrders(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'expire'>,
  { ids, at }: { ids: readonly string[]; at: Date },
): Promise<ConditionalRow[]> {
  const { rows: locked } = await db.query<{ id: string }>(
    'SELECT id FROM conditional_orders WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE SKIP LOCKED',
    [ids],
  )
  const { rows } = await db.query<{ id: string }>(
    `SELECT c.id FROM conditional_orders c WHERE c.id = ANY ($2::uuid[]) AND ${isOver('$1')} AND NOT ${accepted}`,
    [at, locked.map(({ id }) => id)],
  )
  return moveConditionals(
    db,
    rows.map(({ id }) => ({ id, step: steps.expire })),
    at,
  )
}

/**
 * Within a transaction. Null: it has ended meanwhile. Fails immediately, as `isHeldElsewhere` detects, if the order or its group is
 * locked.
 */
export async function expireAccepted(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'expireFired' | 'loseToExpiry'>,
  { id, at }: { id: string; at: Date },
): Promise<ConditionalRow | null> {
  const locked = await lockWithGroup(db, { id, accountId: null }, { waits: false })
  if (locked === null || locked.own.status !== 'triggered') return null
  const { rows } = await db.query<{ evidence: JsonObject }>(
    `SELECT jsonb_build_object('executionStatus', status, 'venueRef', venue_ref) AS evidence FROM executions WHERE id = $1`,
    [locked.own.execution_id],
  )
  const moves: ConditionalMove[] = [
    { id, step: steps.expireFired, evidence: rows[0]!.evidence },
    ...losers(locked.others, id, steps.loseToExpiry),
  ]
  await recallFiring(db, locked.others, at)
  return (await moveConditionals(db, moves, at)).find((row) => row.id === id) ?? null
}
