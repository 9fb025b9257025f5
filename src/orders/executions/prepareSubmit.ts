// Everything in a submit before its claim: checks, and the lane's preparation. Nothing is written or sent.
import { Fault } from '#core/fault'
import { blockedCountries } from '#platform/geofence/geofence'
import type { SubmitLease } from '#storage/postgres/conditional/firing'
import type { Claim } from '#storage/postgres/executions/claim'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { type ChangeConflict, conflictIn } from '#storage/postgres/executions/findOrderChain'
import type { ExecutionAdapter, LaneExecution } from '#venues/lane'
import { rejectOverLimit } from './artifact.ts'
import { ownedOf, pendingChange } from './cancelOrModify.ts'
import { checkRegion, checkTakesOrders, laneFor, laneOf, unsupportedOperation } from './findLane.ts'
import { tradesAt } from './halts.ts'
import { isRiskReducing } from './isRiskReducing.ts'
import { fingerprintOf } from './lookupAccount.ts'
import { parseBody } from './parseBody.ts'
import { hashOf } from './persist.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { checkReservation } from './reservations.ts'
import { laneExecutionOf } from './rows.ts'
import { record, relay, sendDeadlineCheck, timedOutOutcome } from './sendToVenue.ts'
import { isSigned, withoutSignature } from './signatures.ts'
import { verifySummary } from './summary.ts'
import { isTerminal, moveOf, nextStatus } from './transitions.ts'

export interface SubmitRequest {
  venue: string
  executionId: string
  key: string
  body: Readonly<Record<string, unknown>>
  /** For the fire loop: its right to submit what is behind a conditional order, the execution as just read, and when the order expires. */
  fire?: (SubmitLease & { execution: ExecutionRow; until: Date }) | undefined
}

/** A submit with only its claim and relay left to do. */
export interface ReadySubmit {
  claim: Claim
  /**
   * Relays what was claimed, once. Throws if the venue rejected the credentials before looking at it; then nothing was
   * placed.
   */
  send(claimed: ExecutionRow): Promise<ExecutionRow>
  /** For a claim that committed too late: it is not relayed. */
  takeBack(claimed: ExecutionRow): Promise<void>
}

/** A cancellation may be submitted from anywhere. */
export async function rejectIfHalted(
  { store }: ExecutionsDeps,
  caller: Caller,
  { executionId }: SubmitRequest,
): Promise<void> {
  if (!caller.isBlocked) return
  const row = await store.find(caller.accountId, executionId)
  if (row?.intent !== 'cancel') throw blockedCountries(caller.country)
}

export async function prepareSubmit(
  deps: ExecutionsDeps,
  caller: Caller,
  request: SubmitRequest,
  found: ExecutionRow | null,
): Promise<ReadySubmit> {
  const { store, breaker, clock } = deps
  const { venue, executionId, key } = request
  const { accountId } = caller
  const whole = laneOf(deps, venue)
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
  const send = parseBody(lane.submit.body, rest)
  const circuit = breaker.of(venue, send)
  if (!isRiskReducing(execution)) circuit.check()
  const context = armed.context(caller.signal, accountId)
  const conflict = row.intent === 'modify' ? conflictIn(await store.findFamily(row.id), row.id) : null
  if (conflict !== null) throw changeConflict(conflict)
  const prepared = await lane.submit.prepare(context, execution, send)
  // Other bytes would be another order.
  if (isResend && (prepared.venueRef === null || prepared.venueRef !== row.venue_ref)) throw otherExecution()
  const submittedAs = await fingerprintOf(store, lane, accountId, send)
  const mayLeave = sendDeadlineCheck(clock, request.fire?.until)
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
    },
    async send(claimed) {
      const begun = clock.monotonic()
      const outcome = await relay(armed, claimed, { execution, prepared, send, mayLeave })
      deps.relays?.observe(venue, outcome.kind, clock.monotonic() - begun)
      return record(deps, caller, key, claimed, outcome, { circuit, isResend })
    },
    async takeBack(claimed) {
      // The next call with this key gets its refusal.
      await record(deps, caller, key, claimed, timedOutOutcome, { circuit, isResend }).catch(() => undefined)
    },
  }
}

/** A signature sealed until the fire is not stored in clear afterwards either; nor by a cancel with the same signature. */
const keepsSignature = ({ intent, target }: LaneExecution, { fire }: SubmitRequest): boolean =>
  fire === undefined &&
  !(intent === 'cancel' && target?.submittedArtifact != null && !isSigned(target.submittedArtifact))

/**
 * False: it was not sent yet. True: it was, with an unknown outcome, at a venue that takes the same bytes only once. Otherwise it throws.
 */
function isSentAgain({ status, ...row }: ExecutionRow, { submit }: ExecutionAdapter, { fire }: SubmitRequest): boolean {
  if (nextStatus(status, 'submit') !== null) return false
  const isKnown = nextStatus(status, 'resubmit') !== null && row.venue_ref !== null && fire === undefined
  if (isKnown && submit?.takesSameBytesOnce?.(laneExecutionOf({ status, ...row }, null)) === true) return true
  if (isTerminal(status)) throw new Fault('EXECUTION_TERMINAL', `the execution is ${status}`)
  throw otherExecution()
}

export const otherExecution = (): Fault =>
  new Fault(
    'IDEMPOTENCY_CONFLICT',
    'the execution was submitted under another Idempotency-Key; refresh reports its status',
  )

export const changeConflict = (kind: ChangeConflict): Fault =>
  kind === 'in_doubt'
    ? pendingChange()
    : new Fault(
        'ARTIFACT_VERSION_CONFLICT',
        'the venue has since accepted another change to this order; build this one again',
      )

async function targetOf(
  { store }: { store: Pick<ExecutionsDeps['store'], 'find'> },
  { accountId }: Pick<Caller, 'accountId'>,
  row: ExecutionRow,
) {
  const target = row.target_id === null ? null : await store.find(accountId, row.target_id)
  return target === null ? null : laneExecutionOf(target, null)
}
