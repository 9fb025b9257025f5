// Returns triggered orders to `armed`: none of them was sent, and the evidence of their trigger is too old to act on.
import { triggerEvidenceTtlMs } from '#schemas/conditional'
import type { Queryable } from '../pool.ts'
import { isFresh } from './blockedOrders.ts'
import type { ConditionalRow } from './conditionalRow.ts'
import { type FiringLease, isHeld, isLiving } from './firing.ts'
import { moveConditionals } from './moveConditionals.ts'
import type { ConditionalSteps } from './transitions.ts'

/** For the event of an order that goes back because of it. */
export const staleReason = `what triggered it is older than ${triggerEvidenceTtlMs / 1_000} s`

export interface Rearming {
  id: string
  lease: FiringLease
  /** For its event. */
  reason: string
  /** Absent: the previous one stays. */
  lastError?: string | undefined
  at: Date
}

/** Within a transaction: watched again, unless something was sent. False: something was, or the lease was lost. */
export async function rearmFiring(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'rearm'>,
  { id, lease, reason, lastError, at }: Rearming,
): Promise<boolean> {
  // Claiming its execution locks this row first, so what is read after this cannot change before the commit.
  const held = await db.query(`SELECT FROM conditional_orders c WHERE ${isHeld} FOR UPDATE`, [
    id,
    lease.owner,
    lease.epoch,
  ])
  if (held.rowCount !== 1) return false
  const unsent = await db.query(
    `SELECT FROM conditional_orders c JOIN executions e ON e.id = c.execution_id WHERE c.id = $1 AND e.status IN ('built', 'signed')`,
    [id],
  )
  if (unsent.rowCount !== 1) return false
  const move = { id, step: steps.rearm, evidence: { reason }, lastError, epoch: lease.epoch }
  return (await moveConditionals(db, [move], at)).length === 1
}

/**
 * Waits for no lock: those that have been `triggered`, and unclaimed, for longer than evidence is valid. Returns their rows.
 */
export async function rearmStale(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'rearm'>,
  { limit, at }: { limit: number; at: Date },
): Promise<ConditionalRow[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT c.id FROM conditional_orders c WHERE ${isLiving('c')} AND c.status = 'triggered' AND NOT ${isFresh('c', '$1')}
       AND c.expires_at > $1 ORDER BY c.triggered_at, c.id LIMIT $2`,
    [at, limit],
  )
  const moves = rows.map(({ id }) => ({ id, step: steps.rearm, evidence: { reason: staleReason } }))
  return moveConditionals(db, moves, at, { waits: false })
}
