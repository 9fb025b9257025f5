// Checks an execution that is to wait for a price, as its submit will be checked: what could not be submitted then is not armed now.
import { Fault } from '#core/fault'
import { Secret } from '#core/secret'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { LaneExecution } from '#venues/lane'
import { rejectOverLimit } from './artifact.ts'
import { findOwned } from './cancelOrModify.ts'
import { checkRegion, checkTakesOrders, laneOf, unsupportedOperation } from './findLane.ts'
import { parseBody } from './parseBody.ts'
import type { Caller, ConditionalAdapter, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'
import { canFireHosted } from './signatures.ts'
import { summaryOf, verifySummary } from './summary.ts'
import { isTerminal, nextStatus } from './transitions.ts'

export interface ConditionalTarget {
  executionId: string
  venue: string
  marketId: string
  outcomeId: string
  side: 'buy' | 'sell'
  /** Epoch ms: end of validity, by the artifact itself or by a venue rule; null when it does not expire. */
  goodUntilMs: number | null
}

/** `signed`: in hosted mode, the body of its submit. */
export async function validateConditional(
  deps: ExecutionsDeps,
  caller: Caller,
  executionId: string,
  signed: JsonObject | null,
): Promise<ConditionalTarget> {
  const row = await findOwned(deps, caller, null, executionId)
  if (row.intent !== 'order')
    throw new Fault('VALIDATION_ERROR', `executionId: a ${row.intent} cannot wait for a price; build an order`)
  const armed = laneOf(deps, row.venue, row.account_id)
  const { lane } = armed
  if (lane.submit === undefined) throw unsupportedOperation(lane, 'submit')
  refuseUnlessBuilt(row)
  checkRegion(armed, caller)
  checkTakesOrders(lane)
  const execution = laneExecutionOf(row, null)
  rejectOverLimit(row, lane)
  lane.checkBounds(execution.unsigned, execution.bounds)
  verifySummary(lane, row, execution.unsigned)
  const { terms } = execution
  if (terms === null) throw new Fault('VALIDATION_ERROR', 'executionId: it does not say what it trades; build it again')
  const ends = [endOf(deps, row), lane.submit.acceptsUntil?.(execution) ?? null]
  if (signed !== null) {
    await checkSigned(armed, caller, execution, signed)
    ends.push(lane.submit.lateBound?.(execution, deps.clock.now())?.untilMs ?? null)
  }
  const known = ends.filter((end) => end !== null)
  const goodUntilMs = known.length === 0 ? null : Math.min(...known)
  if (goodUntilMs !== null && goodUntilMs <= deps.clock.now())
    throw new Fault('VALIDATION_ERROR', 'executionId: it has expired; build it again')
  const { marketId, outcomeId, isBuy } = terms
  return { executionId, venue: row.venue, marketId, outcomeId, side: isBuy ? 'buy' : 'sell', goodUntilMs }
}

function refuseUnlessBuilt({ status }: ExecutionRow): void {
  if (nextStatus(status, 'submit') !== null) return
  if (isTerminal(status)) throw new Fault('EXECUTION_TERMINAL', `the execution is ${status}`)
  throw new Fault('CONDITIONAL_ATTEMPT_CONFLICT', `the execution is ${status}: only an unsent order can be armed`)
}

function endOf({ knownLanes }: ExecutionsDeps, row: ExecutionRow): number | null {
  const expiresAt = summaryOf(knownLanes, row)?.expiresAt ?? null
  return expiresAt === null ? null : Date.parse(expiresAt)
}

async function checkSigned(
  armed: ConditionalAdapter,
  caller: Caller,
  execution: LaneExecution,
  signed: JsonObject,
): Promise<void> {
  const { lane } = armed
  const refusal = new Fault(
    'HOSTED_FIRE_NOT_ELIGIBLE',
    `${lane.slug} needs credentials with every order, and none are stored here: arm it in client mode`,
    { exchange: lane.slug },
  )
  if (!canFireHosted(lane)) throw refusal
  if ('transactionHash' in signed)
    throw new Fault('VALIDATION_ERROR', 'signedArtifact: a transaction that was already sent cannot wait for a price')
  const send = parseBody(lane.submit!.body, signed)
  if (Object.values(send as object).some((value) => value instanceof Secret)) throw refusal
  await lane.submit!.prepare(armed.context(caller.signal, caller.accountId), execution, send)
}
