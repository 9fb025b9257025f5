// Cancel and modify: a new execution that acts on another. The target itself is not touched; it follows the venue at its next refresh. What
// is cancelled or modified is the order as the venue has it, after the last modification it accepted.
import { hashOf } from '#core/canonicalJson'
import { Fault } from '#core/fault'
import { type ExecutionStatus, isContractIntent } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { type FamilyMember, isOutcomeUnknown, isReplaced, latestOf } from '#storage/postgres/executions/findOrderChain'
import { rejectReplayOverLimit } from './artifact.ts'
import { rejectIfConditional } from './conditionalGuard.ts'
import { checkRegion, checkTakesOrders, laneOf, unsupportedOperation } from './findLane.ts'
import { parseBody } from './parseBody.ts'
import { findReplay, type Persisted, persist } from './persist.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'
import { summaryOfDerived } from './summary.ts'

/** States in which it is pointless. A cancel of a filled order is left to the venue: the fill may have been reverted. */
const ended: Readonly<Record<'cancel' | 'modify', readonly ExecutionStatus[]>> = {
  cancel: ['failed', 'canceled', 'expired'],
  modify: ['failed', 'canceled', 'expired', 'filled'],
}

export async function deriveExecution(
  deps: ExecutionsDeps,
  caller: Caller,
  intent: 'cancel' | 'modify',
  { venue, executionId, key, body }: { venue: string; executionId: string; key: string; body: unknown },
): Promise<Persisted> {
  const armed = laneOf(deps, venue, caller.accountId)
  const { lane } = armed
  const request = { kind: intent, key, bodySha256: hashOf(venue, executionId, body ?? {}) } as const
  const replay = await findReplay(deps, caller, request)
  if (replay !== null) {
    rejectReplayOverLimit(replay.row, lane)
    return replay
  }
  const row = await findOwned(deps, caller, venue, executionId)
  checkTakesOrders(lane)
  const verb = lane[intent]
  if (verb === undefined) throw unsupportedOperation(lane, intent)
  const family = await deps.store.findFamily(row.id)
  // A modification that replaced this order at the venue is acted on instead, whatever this row's status.
  if (ended[intent].includes(row.status) && !isReplaced(family, row.id)) {
    throw new Fault('EXECUTION_TERMINAL', `the execution is ${row.status}: there is nothing left to ${intent}`)
  }
  if (row.intent === 'cancel' || isContractIntent(row.intent)) {
    throw new Fault('VALIDATION_ERROR', `a ${row.intent} has no ${intent}`)
  }
  const order = latestFor(family, row, intent)
  if (order.venue_ref === null) throw await notThere(deps, row, intent)
  if (intent !== 'cancel') checkRegion(armed, caller)
  const parsed = parseBody(verb.body, body ?? {})
  const built = await verb.build(armed.context(caller.signal, caller.accountId), laneExecutionOf(order, null), parsed)
  lane.checkBounds(built.unsigned, built.bounds)
  const summary = summaryOfDerived(lane, intent, built, order)
  return persist(deps, caller, request, { lane, intent, built, summary, targetId: row.id })
}

/**
 * Throws EXECUTION_TERMINAL when the modification that replaced the order has ended, CLAIM_GENERATION_UNDETERMINED while the outcome of one
 * is unknown.
 */
function latestFor(family: readonly FamilyMember[], row: ExecutionRow, intent: 'cancel' | 'modify'): ExecutionRow {
  const latest = latestOf(family) ?? row
  if (ended[intent].includes(latest.status)) {
    throw new Fault('EXECUTION_TERMINAL', `the order is ${latest.status} after its last change`)
  }
  // Cancelling is always allowed.
  if (intent === 'modify' && family.some(isOutcomeUnknown)) throw pendingChange()
  return latest
}

export const pendingChange = (): Fault =>
  new Fault(
    'CLAIM_GENERATION_UNDETERMINED',
    'another change to this order was sent and its outcome is unknown: refresh that one first',
  )

/** An execution behind a conditional order can be changed once that order is cancelled; building a cancel of it is pointless either way. */
async function notThere({ store }: Pick<ExecutionsDeps, 'store'>, row: ExecutionRow, intent: 'cancel' | 'modify') {
  const why = intent === 'modify' ? await store.findBehind(row.id) : null
  return why === null ? noVenueOrder() : rejectIfConditional(why)
}

export const noVenueOrder = (): Fault => new Fault('VALIDATION_ERROR', 'the execution has no venue order id yet')

/** Executions of other accounts or venues are not found at this path. */
export async function findOwned(
  { store }: Pick<ExecutionsDeps, 'store'>,
  { accountId }: Pick<Caller, 'accountId'>,
  venue: string | null,
  executionId: string,
) {
  return ownedOf(await store.find(accountId, executionId), venue)
}

/** Filters a found row by account and venue. */
export function ownedOf(row: ExecutionRow | null, venue: string | null): ExecutionRow {
  if (row !== null && (venue === null || row.venue === venue)) return row
  throw new Fault('EXECUTION_NOT_FOUND', 'no such execution')
}
