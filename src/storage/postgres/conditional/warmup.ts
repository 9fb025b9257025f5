// Warms up connections with the statements of a fire, for an order that does not exist. A connection parses and plans a statement on first
// use, which takes many times as long as executing it; since idle connections are closed, a single fire would pay for that each time.

import { insertExecutions, type NewExecution } from '../executions/insertExecutions.ts'
import { moveExecution } from '../executions/moveExecution.ts'
import { findBlocker } from '../executions/reservations.ts'
import { haltOf, lockHalts } from '../halts/halts.ts'
import type { Queryable } from '../pool.ts'
import { Rollback } from '../rollback.ts'
import { beginAttempt, lockFree } from './firing.ts'
import { armConditional, type NewConditional } from './insertArmed.ts'
import { moveConditionals } from './moveConditionals.ts'
import { lockGroup } from './ocoGroups.ts'
import type { ConditionalSteps } from './transitions.ts'
import { type FastPath, readTurns, type TriggerDecision, triggerAndClaim } from './triggerAndClaim.ts'

const unusedId = '00000000-0000-0000-0000-000000000000'

/** The slow path. Within a transaction; finds no row, locks none and writes nothing. */
export async function warmUpQueuedPath(
  client: Queryable,
  steps: Pick<ConditionalSteps, 'trigger' | 'claimFiring'>,
  at: Date,
): Promise<never> {
  await Promise.all([
    readTurns(client, [unusedId]),
    haltOf(client, unusedId, ''),
    lockHalts(client, [unusedId]),
    lockFree(client, [{ account_id: unusedId, oco_group_id: unusedId }]),
    lockGroup(client, unusedId, unusedId, { waits: false }),
    moveConditionals(client, [{ id: unusedId, step: steps.trigger, evidence: {} }], at, { waits: false }),
    moveConditionals(client, [{ id: unusedId, step: steps.claimFiring, lease: { owner: unusedId, ms: 0 } }], at),
    beginAttempt(client, unusedId, { conditionalId: unusedId, lease: { owner: unusedId, epoch: '0' }, attempt: 0 }, at),
    moveExecution(client, { id: unusedId, from: 'built', to: 'submitted', event: 'submit', fills: [], at }),
    findBlocker(client, unusedId, at),
  ])
  throw new Rollback(null)
}

/** An account, its execution and the order behind it that exist in one transaction only. */
export interface WarmupOrder {
  execution: NewExecution
  order: NewConditional
}

/** More than one, so that arming does not take the lock for the last of them. */
const limits = { groupMax: 10, accountMax: 10_000 }

/**
 * The fast path. Within a transaction: creates the order, triggers and claims it like any other, and rolls everything back, with the result
 * in the `Rollback`. No other transaction sees any of it, or waits for it.
 */
export async function warmUpFastPath(
  client: Queryable,
  steps: Pick<ConditionalSteps, 'trigger' | 'claimFiring' | 'replace'>,
  { execution, order }: WarmupOrder,
  decision: TriggerDecision,
  given: FastPath,
): Promise<never> {
  await client.query('INSERT INTO accounts (id, name) VALUES ($1::uuid, $1::uuid::text)', [order.accountId])
  await insertExecutions(client, [execution])
  await armConditional(client, steps, order, limits)
  const made = await triggerAndClaim(client, steps, decision, given)
  // What a COMMIT would check.
  await client.query('SET CONSTRAINTS ALL IMMEDIATE')
  throw new Rollback(made)
}
