// How the firing of a hosted order ends, and what happens to the rest of its group once one has fired.
import type { JsonObject } from '#schemas/executions'
import type { Queryable } from '../pool.ts'
import type { ConditionalRow } from './conditionalRow.ts'
import type { FiringLease } from './firing.ts'
import { type ConditionalMove, moveConditionals } from './moveConditionals.ts'
import { lockWithGroup } from './ocoGroups.ts'
import type { ConditionalSteps } from './transitions.ts'

export interface FiringEnd {
  id: string
  lease: FiringLease
  /** `superseded`: nothing was sent, and another order of its group has fired. */
  outcome: 'fired' | 'fire_failed' | 'superseded'
  lastError?: string | undefined
  evidence?: JsonObject | null
  at: Date
}

/** While this order was being sent, its owner reported another one of the group as fired, and the venue accepted this one, too. */
const wonByAnother = 'the venue accepted it, but another order of its group had been reported as fired'

/**
 * Within a transaction. If fired, the others of its group are superseded in the same statement; if another one has fired, it is superseded
 * itself, even if the venue accepted it. Null: the lease was lost.
 */
export async function settleFiring(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'fire' | 'failFire' | 'loseToFire' | 'loseWhileFiring'>,
  { id, lease, outcome, lastError, evidence = null, at }: FiringEnd,
): Promise<ConditionalRow | null> {
  const locked = await lockWithGroup(db, { id, accountId: null })
  if (locked === null) return null
  const { own, others, winnerId } = locked
  if (own.status !== 'firing' || own.lease_owner !== lease.owner || own.lease_epoch !== lease.epoch) return null
  const ends = { id, evidence, lastError, epoch: lease.epoch }
  const moves: ConditionalMove[] = []
  if (outcome === 'fire_failed') moves.push({ ...ends, step: steps.failFire })
  else if (winnerId !== null) {
    const finalError = outcome === 'fired' ? wonByAnother : lastError
    const lost = { ...evidence, firedInstead: winnerId }
    moves.push({ ...ends, step: steps.loseWhileFiring, evidence: lost, lastError: finalError })
  } else if (outcome === 'fired') moves.push({ ...ends, step: steps.fire }, ...losers(others, id, steps.loseToFire))
  const rows = await moveConditionals(db, moves, at)
  return rows.find((row) => row.id === id) ?? null
}

/**
 * Under the locks of its group, whose winner is now known: the holder of one of these releases it without sending, and the next holder
 * finds the outcome.
 */
export async function recallFiring(db: Queryable, others: readonly ConditionalRow[], at: Date): Promise<void> {
  const ids = others.filter(({ status }) => status === 'firing').map(({ id }) => id)
  if (ids.length === 0) return
  await db.query(
    `UPDATE conditional_orders SET lease_owner = NULL, lease_epoch = lease_epoch + 1, leased_until = NULL, retry_at = NULL, updated_at = greatest(updated_at, $2),
       changed_in = pg_current_xact_id() WHERE id = ANY ($1::uuid[]) AND status = 'firing'`,
    [ids, at],
  )
}

/** The rest of a group once one has fired. A `firing` one is not included: `recallFiring`. */
export const losers = (
  others: readonly ConditionalRow[],
  winnerId: string,
  step: ConditionalSteps['loseToFire'],
): ConditionalMove[] =>
  others
    .filter(({ status }) => step.from.includes(status))
    .map((other) => ({ id: other.id, step, evidence: { firedInstead: winnerId } }))
