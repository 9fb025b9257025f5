// Submit, from top to bottom: one relay attempt per key, and never a second order.
//
//   validate ─► prepare (signature) ─► CLAIM: key bound, reservation used, status `submitted`, committed ─► send, once ─► record the outcome
//
// A process that dies after the claim leaves `submitted`: refresh or the reconciler asks the venue. Repeating the key only ever reads.
import { hashOf } from '#core/canonicalJson'
import { Fault } from '#core/fault'
import type { HttpSender } from '#net/http'
import type { Claim } from '#storage/postgres/executions/claim'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { conflictIn } from '#storage/postgres/executions/findOrderChain'
import type { ExecutionAdapter, LaneExecution, Prepared, RelayOutcome } from '#venues/lane'
import { isOwnOrder } from '#venues/shared/exec/checkOrderId'
import { rejectOverLimit } from './artifact.ts'
import type { Circuit } from './breaker.ts'
import { ownedOf } from './cancelOrModify.ts'
import { rejectIfConditional } from './conditionalGuard.ts'
import { checkRegion, checkTakesOrders, laneFor, laneOf, unsupportedOperation } from './findLane.ts'
import { halted, tradesAt } from './halts.ts'
import { isRiskReducing } from './isRiskReducing.ts'
import { fingerprintOf } from './lookupAccount.ts'
import { parseBody } from './parseBody.ts'
import type { Caller, ConditionalAdapter, ExecutionsDeps, RiskSubject } from './ports.ts'
import { recordOutcome, timedOutOutcome } from './recordOutcome.ts'
import { checkReservation } from './reservations.ts'
import { claimWithinLimits, riskSubjectOf } from './riskLimits.ts'
import { laneExecutionOf } from './rows.ts'
import { sendDeadlineCheck } from './sendDeadline.ts'
import { withoutSignature } from './signatures.ts'
import {
  changeConflict,
  isSentAgain,
  keepsSignature,
  otherExecution,
  rejectIfBlocked,
  replacementRefusal,
  targetOf,
} from './submitChecks.ts'
import { findSubmitReplay, isOvertaken, twinOf } from './submitReplay.ts'
import type { SubmitRequest, Submitted } from './submitRequest.ts'
import { verifySummary } from './summary.ts'
import { moveOf } from './transitions.ts'

/** A submit with only its claim and its relay left to do. */
export interface PreparedSubmit {
  claim: Claim
  armed: ConditionalAdapter
  execution: LaneExecution
  prepared: Prepared
  /** The parsed body. */
  send: unknown
  mayLeave(claimedAtMs: number): boolean
  circuit: Circuit
  /** An earlier copy of the same bytes may have arrived: a refusal of this one does not end the execution. */
  isResend: boolean
  /** What the account's limits are compared with; null: none applies. */
  risk: RiskSubject | null
}

/** The attempt of a conditional order, begun while its trigger was being committed. */
export interface BegunSubmit {
  prepared: Promise<PreparedSubmit>
  /** The execution as claimed in the same transaction; null: it still has to be claimed. */
  claimed: ExecutionRow | null
}

export async function submitExecution(
  deps: ExecutionsDeps,
  caller: Caller,
  request: SubmitRequest,
  begun: BegunSubmit | null = null,
): Promise<Submitted> {
  const { store } = deps
  // A submit that was begun has been checked, and may be claimed already.
  if (begun === null) await rejectIfBlocked(deps, caller, request)
  // A fire has its own key per attempt: the claim finds what it led to. For others the two reads are independent.
  const [before, found] =
    request.fire !== undefined
      ? [null, request.fire.execution]
      : await Promise.all([findSubmitReplay(deps, caller, request), store.find(caller.accountId, request.executionId)])
  if (before !== null) return before
  try {
    const prepared = await (begun?.prepared ?? prepareSubmit(deps, caller, request, found))
    const claimed = begun?.claimed ?? (await claim(deps, caller, request, prepared))
    if ('replay' in claimed) return claimed
    return { row: await send(deps, caller, prepared, claimed), replay: false }
  } catch (error) {
    // A request with the same key may have gone ahead meanwhile: it caused the obstacle, and its answer is ours.
    const replay = isOvertaken(error) ? await findSubmitReplay(deps, caller, request) : null
    if (replay !== null) return replay
    throw error
  }
}

/** Validates the request, and lets the lane prepare what it will send. Nothing is written or sent. */
export async function prepareSubmit(
  deps: ExecutionsDeps,
  caller: Caller,
  request: SubmitRequest,
  found: ExecutionRow | null,
): Promise<PreparedSubmit> {
  const { store, breaker, clock } = deps
  const { venue, executionId, key } = request
  const { accountId } = caller
  const whole = laneOf(deps, venue, accountId)
  const row = ownedOf(found, venue)
  const lane = laneFor(whole.lane, row.intent)
  const armed = { ...whole, lane }
  if (lane.submit === undefined) throw unsupportedOperation(lane, 'submit')
  if (row.intent !== 'cancel') checkRegion(armed, caller)
  // The lane may have stopped taking orders since the build.
  if (row.intent === 'order' || row.intent === 'modify') checkTakesOrders(lane)
  const isResend = isSentAgain(row, lane, request)
  const { reservationId, ...rest } = request.body
  // Integrity first: nothing else means anything on a tampered text.
  const execution = laneExecutionOf(row, await targetOf(deps, caller, row))
  rejectOverLimit(row, lane)
  lane.checkBounds(execution.unsigned, execution.bounds)
  verifySummary(lane, row, execution.unsigned)
  const reservation = await checkReservation(deps, caller, executionId, reservationId)
  const parsed = parseBody(lane.submit.body, rest)
  const circuit = breaker.of(venue, parsed)
  if (!isRiskReducing(execution)) circuit.check()
  const conflict = row.intent === 'modify' ? conflictIn(await store.findFamily(row.id), row.id) : null
  if (conflict !== null) throw changeConflict(conflict)
  const prepared = await lane.submit.prepare(armed.context(caller.signal, accountId), execution, parsed)
  // Other bytes would be another order.
  if (isResend && (prepared.venueRef === null || prepared.venueRef !== row.venue_ref)) throw otherExecution()
  const submittedAs = await fingerprintOf(store, lane, accountId, parsed)
  const mayLeave = sendDeadlineCheck(clock, request.fire?.until)
  // The first copy counts.
  const risk = isResend ? null : riskSubjectOf(riskFactsOf(lane, row, execution, request))
  return {
    claim: {
      accountId,
      key,
      bodySha256: hashOf(venue, executionId),
      reservationId: reservation,
      isChange: row.intent === 'modify',
      tradesAt: tradesAt(row),
      move: {
        ...moveOf(row, isResend ? 'resubmit' : 'submit', new Date(clock.now())),
        submittedArtifact: keepsSignature(execution, request)
          ? prepared.submittedArtifact
          : withoutSignature(prepared.submittedArtifact),
        venueRef: prepared.venueRef ?? undefined,
        submittedAs,
      },
      fire: request.fire,
      risk: risk === null ? undefined : deps.risk?.checkOf(risk, null),
    },
    armed,
    execution,
    prepared,
    send: parsed,
    mayLeave,
    circuit,
    isResend,
    risk,
  }
}

const riskFactsOf = (
  lane: Pick<ExecutionAdapter, 'modify'>,
  row: ExecutionRow,
  execution: LaneExecution,
  { fire }: SubmitRequest,
) => ({
  id: row.id,
  accountId: row.account_id,
  // That of the build: the key of its submit may be another one.
  keyId: row.key_id,
  venue: row.venue,
  intent: row.intent,
  targetId: row.target_id,
  keptRef: lane.modify?.replaces === true ? null : (execution.target?.venueRef ?? null),
  terms: execution.terms,
  notionalUsd: row.notional_usd,
  onlyReduces: isRiskReducing(execution),
  ...(fire === undefined ? {} : { triggerMid: fire.triggerMid }),
})

/** The row as claimed, or what an earlier request with this key led to. Throws the obstacle. */
async function claim(
  deps: ExecutionsDeps,
  caller: Caller,
  request: SubmitRequest,
  submit: PreparedSubmit,
): Promise<ExecutionRow | Submitted> {
  const late = (row: ExecutionRow): void => void takeBack(deps, caller, submit, row)
  const claimed = await claimWithinLimits(deps, submit.risk, (risk) =>
    deps.store.claim({ ...submit.claim, risk, late }),
  )
  switch (claimed.kind) {
    case 'claimed':
      return claimed.row
    case 'taken': {
      const replay = await findSubmitReplay(deps, caller, request)
      if (replay !== null) return replay
      throw new Error('a submit key is taken, but its execution is missing')
    }
    case 'behind':
      throw rejectIfConditional(claimed.why)
    case 'reservation':
      throw new Fault('RESERVATION_CONSUMED', 'the reservation was used a moment ago')
    case 'held':
      throw new Fault('CONDITIONAL_ATTEMPT_CONFLICT', 'another attempt holds the right to submit this execution')
    case 'spend_cap':
      throw new Fault(
        'SPEND_CAP_EXCEEDED',
        'built more than ten minutes ago: the amount it held under the daily spend cap was released, and the cap has no room for it now',
      )
    case 'in_doubt':
    case 'outgrown':
      throw changeConflict(claimed.kind)
    case 'replaced_open':
    case 'replaced_filled':
    case 'replaced_again':
      throw replacementRefusal(claimed.kind)
    case 'moved':
      throw (await twinOf(deps, caller, request, submit.claim)) ?? otherExecution()
    case 'halted':
      throw halted(claimed.halt)
  }
}

/** Sends what was claimed, once, and records the outcome. Throws if the venue rejected the credentials before looking at it: nothing was placed. */
async function send(
  deps: ExecutionsDeps,
  caller: Caller,
  submit: PreparedSubmit,
  claimed: ExecutionRow,
): Promise<ExecutionRow> {
  const { clock, relays } = deps
  const startedAt = clock.monotonic()
  const outcome = await relay(submit, claimed)
  relays?.observe(claimed.venue, outcome.kind, clock.monotonic() - startedAt)
  return recordOutcome(deps, caller, { key: submit.claim.key, row: claimed, outcome, ...submit })
}

/**
 * From here on the order may have been sent: anything thrown is an unknown outcome. The caller may disconnect; the relay continues.
 */
async function relay(
  { armed, execution, prepared, send: parsed, mayLeave }: PreparedSubmit,
  { account_id, updated_at }: ExecutionRow,
): Promise<RelayOutcome> {
  const context = armed.context(new AbortController().signal, account_id)
  const sender: HttpSender = {
    send: (request) => context.sender.send({ ...request, mayLeave: () => mayLeave(updated_at.getTime()) }),
  }
  try {
    return isOwnOrder(await armed.lane.submit!.relay({ ...context, sender }, execution, prepared, parsed), prepared)
  } catch (cause) {
    return { kind: 'unknown', cause }
  }
}

/** For a claim that committed after its caller had got an error: it is not sent. The next call with this key gets its refusal. */
export async function takeBack(
  deps: ExecutionsDeps,
  caller: Caller,
  submit: PreparedSubmit,
  row: ExecutionRow,
): Promise<void> {
  await recordOutcome(deps, caller, { key: submit.claim.key, row, outcome: timedOutOutcome, ...submit }).catch(
    () => undefined,
  )
}
