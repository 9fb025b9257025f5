// Armed orders that trigger together, in a separate transaction that waits for no order's lock.
import type { JsonObject } from '#schemas/executions'
import type { Claim } from '../executions/claim.ts'
import { lockHalts } from '../halts/halts.ts'
import type { Queryable } from '../pool.ts'
import { insertOutboxEvents } from '../webhooks/insertOutboxEvents.ts'
import { type ClaimedTurn, claimTriggered, claimWithTrigger } from './claimTriggered.ts'
import type { ConditionalRow } from './conditionalRow.ts'
import type { FiringClaim } from './firing.ts'
import { type MovedOrders, updateConditionals } from './moveConditionals.ts'
import type { ConditionalSteps } from './transitions.ts'

export interface TriggerDecision {
  id: string
  /** Book time, reference, samples, spread, size, source sequence: the evidence of the decision. */
  evidence: JsonObject
}

/** Those that moved. Orders that are halted, or being halted, stay armed; so do locked ones. */
export async function triggerOrders(
  db: Queryable,
  { trigger: step }: Pick<ConditionalSteps, 'trigger'>,
  decisions: readonly TriggerDecision[],
  at: Date,
): Promise<MovedOrders> {
  const free = await lockHalts(
    db,
    decisions.map(({ id }) => id),
  )
  const moves = decisions.filter(({ id }) => free.has(id)).map(({ id, evidence }) => ({ id, step, evidence }))
  return updateConditionals(db, moves, at, { waits: false })
}

export interface TriggerOptions {
  at: Date
  /** Null: this process currently fires nothing. */
  claim: FiringClaim | null
  /** The claim of an order that was leased alone. Null: it is not claimed here. Writes nothing, and is brief: the order is locked meanwhile. */
  prepare?: ((turn: ClaimedTurn) => Promise<Claim | null>) | undefined
}

/** With their webhook events. `turns`: those of them that were leased, under `claim`; one of them alone is claimed as well, if it is prepared. */
export async function triggerAndLease(
  db: Queryable,
  steps: Pick<ConditionalSteps, 'trigger' | 'claimFiring'>,
  decisions: readonly TriggerDecision[],
  { at, claim, prepare }: TriggerOptions,
): Promise<{ rows: ConditionalRow[]; turns: ClaimedTurn[] }> {
  const { rows, webhookEvents } = await triggerOrders(db, steps, decisions, at)
  // Pipelined, and the webhook events first: if they cannot be stored, the statements behind them fail too.
  const [, turns] = await Promise.all([
    webhookEvents.length === 0 ? null : insertOutboxEvents(db, webhookEvents, at),
    claim === null ? [] : claimTriggered(db, steps, rows, claim),
  ])
  const [turn] = turns
  if (turn !== undefined && turns.length === 1 && prepare !== undefined) {
    const prepared = await prepare(turn)
    if (prepared !== null) turn.claimed = await claimWithTrigger(db, prepared)
  }
  return { rows, turns }
}
