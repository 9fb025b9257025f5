// Warms up a connection with the statements of a fire. A connection parses and plans a statement on first use, which takes many times as
// long as executing it; since idle connections are closed, a single fire would pay for that each time.

import type { Claim } from '../executions/claim.ts'
import { insertExecutions, type NewExecution } from '../executions/insertExecutions.ts'
import type { Queryable } from '../pool.ts'
import { Rollback } from '../rollback.ts'
import type { ClaimedTurn } from './claimTriggered.ts'
import type { FiringClaim } from './firing.ts'
import { armConditional, type NewConditional } from './insertArmed.ts'
import type { ConditionalSteps } from './transitions.ts'
import { triggerAndLease } from './trigger.ts'

/** An account, its execution and the order behind it that exist in one transaction only. */
export interface DummyOrder {
  execution: NewExecution
  order: NewConditional
}

export interface WarmupOptions {
  lease: FiringClaim
  /** The claim of the execution. Writes nothing. */
  prepare(turn: ClaimedTurn): Promise<Claim>
}

/** `not_leased`: it was not triggered, since all trading is halted. `not_claimed`: its claim met an obstacle. */
export type WarmupResult = { kind: 'claimed' | 'not_leased' | 'not_claimed' }

/** More than one, so that arming does not take the lock for the last of them. */
const limits = { groupMax: 10, accountMax: 10_000 }

/**
 * Within a transaction: creates the order, triggers, leases and claims it like any other, and rolls everything back, with the
 * `WarmupResult` in the `Rollback`. No other transaction sees any of it, or waits for it.
 */
export async function warmUpFire(
  client: Queryable,
  steps: Pick<ConditionalSteps, 'trigger' | 'claimFiring' | 'replace'>,
  { execution, order }: DummyOrder,
  { lease, prepare }: WarmupOptions,
): Promise<never> {
  await client.query('INSERT INTO accounts (id, name) VALUES ($1::uuid, $1::uuid::text)', [order.accountId])
  await insertExecutions(client, [execution])
  await armConditional(client, steps, order, limits)
  const decision = { id: order.id, evidence: {} }
  const { turns } = await triggerAndLease(client, steps, [decision], { at: lease.at, claim: lease, prepare })
  const [turn] = turns
  if (turn === undefined) throw new Rollback<WarmupResult>({ kind: 'not_leased' })
  if (turn.claimed === null) throw new Rollback<WarmupResult>({ kind: 'not_claimed' })
  // What a COMMIT would check.
  await client.query('SET CONSTRAINTS ALL IMMEDIATE')
  throw new Rollback<WarmupResult>({ kind: 'claimed' })
}
