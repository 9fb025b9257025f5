// Armed orders that trigger together, in a separate transaction that waits for no lock.
import { lockHalts } from '../halts/halts.ts'
import type { Queryable } from '../pool.ts'
import type { ConditionalRow } from './conditionalRow.ts'
import { moveConditionals } from './moveConditionals.ts'
import type { ConditionalSteps } from './transitions.ts'
import type { TriggerDecision } from './triggerAndClaim.ts'

/** Those that moved. Orders that are halted, or being halted, stay armed; so do locked ones. */
export async function triggerOrders(
  db: Queryable,
  { trigger: step }: Pick<ConditionalSteps, 'trigger'>,
  decisions: readonly TriggerDecision[],
  at: Date,
): Promise<ConditionalRow[]> {
  const free = await lockHalts(
    db,
    decisions.map(({ id }) => id),
  )
  const moves = decisions.filter(({ id }) => free.has(id)).map(({ id, evidence }) => ({ id, step, evidence }))
  return moveConditionals(db, moves, at, { waits: false })
}
