// Runs a fire's statements without an order. A connection parses and plans a statement the first time it sees it, which takes many times as long as
// the answer; an order that fires alone would pay for that each time, since idle connections are closed.

import { moveExecution } from '../executions/moveExecution.ts'
import { findHindrance } from '../executions/reservations.ts'
import { haltOf, holdHalts } from '../halts/halts.ts'
import { inTransaction, type Pool, type Queryable } from '../pool.ts'
import { Undo } from '../undo.ts'
import { beginAttempt, lockFree } from './firing.ts'
import { readTurns } from './firstTurn.ts'
import { lockGroup } from './groups.ts'
import { moveConditionals, passToFiring } from './moveConditionals.ts'
import type { ConditionalSteps } from './steps.ts'

const nobody = '00000000-0000-0000-0000-000000000000'

/** Finds no row, locks none and writes nothing. */
export async function rehearseFire(pool: Pool, steps: Pick<ConditionalSteps, 'trigger' | 'claimFiring'>, at: Date) {
  const ask = async (client: Queryable): Promise<never> => {
    await Promise.all([
      readTurns(client, [nobody]),
      haltOf(client, nobody, ''),
      holdHalts(client, [nobody]),
      lockFree(client, [{ account_id: nobody, oco_group_id: nobody }]),
      lockGroup(client, nobody, nobody, { waits: false }),
      // For the longer way and the direct one.
      moveConditionals(client, [{ id: nobody, step: steps.trigger, evidence: {} }], at, { waits: false }),
      moveConditionals(client, [{ id: nobody, step: steps.claimFiring, lease: { owner: nobody, ms: 0 } }], at),
      passToFiring(client, steps, {
        id: nobody,
        executionId: nobody,
        evidence: {},
        lease: { owner: nobody, ms: 0 },
        epoch: '0',
        attempt: 0,
        at,
        attemptAt: at,
      }),
      beginAttempt(client, nobody, { conditionalId: nobody, lease: { owner: nobody, epoch: '0' }, attempt: 0 }, at),
      moveExecution(client, { id: nobody, from: 'built', to: 'submitted', event: 'submit', fills: [], at }),
      findHindrance(client, nobody, at),
    ])
    throw new Undo(null)
  }
  await inTransaction(pool, ask, { statementTimeoutMs: 1_500 }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error
  })
}
