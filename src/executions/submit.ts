// Submit: one relay attempt per key, and never a second order.
//
//   checks ─► prepare (signature) ─► CLAIM: key bound + status `submitted`, committed ─► relay, once ─► outcome recorded
//
// A process that dies after the claim leaves `submitted`: refresh or the reconciler asks the venue. The same key again only ever reads.
import { type Clock, systemClock, type Timer } from '#lib/clock'
import { Fault } from '#lib/fault'
import type { HttpSender } from '#net/http'
import { notServedIn } from '#platform/geofence/geofence'
import type { ErrorCode } from '#schemas/errors'
import type { JsonObject } from '#schemas/executions'
import type { FireRight } from '#storage/postgres/conditional/firing'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { type ChangeConflict, conflictIn } from '#storage/postgres/executions/findFamily'
import type { Move } from '#storage/postgres/executions/moveExecution'
import { type LaneExecution, type Prepared, type RelayOutcome, relayWithinMs } from '#venues/lane'
import { ofOurs } from '#venues/shared/exec/another'
import { refuseOutgrown } from './artifact.ts'
import { refusedBehind } from './behind.ts'
import type { Circuit } from './breaker.ts'
import { changeInDoubt, findOwned, ownedOf } from './derive.ts'
import { endedUnheard } from './fold.ts'
import { halted, tradesAt } from './halts.ts'
import { checkRegion, checkTakesOrders, laneOf, noVerb } from './laneOf.ts'
import { lessens } from './lessens.ts'
import { parseBody } from './parseBody.ts'
import { hashOf } from './persist.ts'
import { isAway, persistently } from './persistently.ts'
import type { ArmedLane, Caller, ExecutionsDeps } from './ports.ts'
import { checkReservation } from './reservations.ts'
import { laneExecutionOf } from './rows.ts'
import { sanitizeReason } from './sanitizeReason.ts'
import { isSigned, withoutSignature } from './signatures.ts'
import { checkTold } from './summary.ts'
import { corrected, type ExecutionEvent, isTerminal, nextStatus } from './transitions.ts'
import { markOf } from './whose.ts'

export interface SubmitRequest {
  venue: string
  executionId: string
  key: string
  body: Readonly<Record<string, unknown>>
  /** The fire loop's: its right to submit what stands behind a conditional order, and the execution as it has just read it. */
  fire?: (FireRight & { execution: ExecutionRow }) | undefined
}

export interface Submitted {
  row: ExecutionRow
  replay: boolean
}

export async function submitExecution(
  deps: ExecutionsDeps,
  caller: Caller,
  request: SubmitRequest,
): Promise<Submitted> {
  if (caller.isBlocked) await refuseUnlessCancel(deps, caller, request)
  // A fire has a key for each attempt: what it led to is found by the claim. Of others the two reads wait for nothing of each other.
  const [before, found] =
    request.fire !== undefined
      ? [null, request.fire.execution]
      : await Promise.all([replayOf(deps, caller, request), deps.store.find(caller.accountId, request.executionId)])
  if (before !== null) return before
  try {
    return await attempt(deps, caller, request, found)
  } catch (error) {
    // A request under the same key may have gone ahead meanwhile: what stands in the way is then its doing, and its answer is ours.
    const replay = error instanceof Fault && overtaken.has(error.code) ? await replayOf(deps, caller, request) : null
    if (replay !== null) return replay
    throw error
  }
}

/** A cancellation is submitted from anywhere. */
async function refuseUnlessCancel(
  { store }: ExecutionsDeps,
  caller: Caller,
  { executionId }: SubmitRequest,
): Promise<void> {
  const row = await store.find(caller.accountId, executionId)
  if (row?.intent !== 'cancel') throw notServedIn(caller.country)
}

const overtaken: ReadonlySet<ErrorCode> = new Set([
  'IDEMPOTENCY_CONFLICT',
  'EXECUTION_TERMINAL',
  'RESERVATION_CONSUMED',
  'CONDITIONAL_ATTEMPT_CONFLICT',
])

async function attempt(
  deps: ExecutionsDeps,
  caller: Caller,
  request: SubmitRequest,
  found: ExecutionRow | null,
): Promise<Submitted> {
  const { store, breaker, clock } = deps
  const { venue, executionId, key } = request
  const { accountId } = caller
  const armed = laneOf(deps, venue)
  const { lane } = armed
  const row = ownedOf(found, venue)
  if (lane.submit === undefined) throw noVerb(lane, 'submit')
  if (row.intent !== 'cancel') checkRegion(armed, caller)
  // What was built while it took them.
  if (row.intent === 'order' || row.intent === 'modify') checkTakesOrders(lane)
  refuseUnlessFresh(row)
  const { reservationId, ...rest } = request.body
  // Integrity first: of a text that was changed nothing else means anything.
  const execution = laneExecutionOf(row, await targetOf(deps, caller, row))
  refuseOutgrown(row, lane)
  lane.checkBounds(execution.unsigned, execution.bounds)
  checkTold(lane, row, execution.unsigned)
  const reservation = await checkReservation(deps, caller, executionId, reservationId)
  const send = parseBody(lane.submit.body, rest)
  const circuit = breaker.of(venue, send)
  if (!lessens(execution)) circuit.check()
  const context = armed.context(caller.signal, accountId)
  const conflict = row.intent === 'modify' ? conflictIn(await store.findFamily(row.id), row.id) : null
  if (conflict !== null) throw changeConflict(conflict)
  const prepared = await lane.submit.prepare(context, execution, send)
  const submittedAs = await markOf(store, lane, accountId, send)
  const mayLeave = leavingNow(clock)
  const claimed = await store.claim({
    accountId,
    key,
    bodySha256: hashOf(venue, executionId),
    reservationId: reservation,
    isChange: row.intent === 'modify',
    tradesAt: tradesAt(row),
    move: {
      ...moveOf(row, 'submit', new Date(clock.now())),
      submittedArtifact: keepsSignature(execution, request)
        ? prepared.submittedArtifact
        : withoutSignature(prepared.submittedArtifact),
      venueRef: prepared.venueRef ?? undefined,
      submittedAs,
    },
    fire: request.fire,
    // Its refusal is for whoever asks under this key next.
    late: (stands) => void record(deps, caller, key, stands, tooLate, circuit).catch(() => undefined),
  })
  if (claimed.kind === 'taken') {
    const replay = await replayOf(deps, caller, request)
    if (replay !== null) return replay
    throw new Error('a submit key is taken by nobody')
  }
  if (claimed.kind === 'behind') throw refusedBehind(claimed.why)
  if (claimed.kind === 'reservation') throw new Fault('RESERVATION_CONSUMED', 'the reservation was used a moment ago')
  if (claimed.kind === 'held')
    throw new Fault('CONDITIONAL_ATTEMPT_CONFLICT', 'another attempt holds the right to submit this execution')
  if (claimed.kind === 'spend_cap')
    throw new Fault(
      'SPEND_CAP_EXCEEDED',
      'built more than ten minutes ago: its room under the daily spend cap was given back, and there is none now',
    )
  if (claimed.kind === 'in_doubt' || claimed.kind === 'outgrown') throw changeConflict(claimed.kind)
  if (claimed.kind === 'moved') throw otherAttempt()
  if (claimed.kind === 'halted') throw halted(claimed.halt)
  const outcome = await relay(armed, claimed.row, { execution, prepared, send, mayLeave })
  return { row: await record(deps, caller, key, claimed.row, outcome, circuit), replay: false }
}

/** What was sealed until it fired is kept in clear afterwards no more than before; nor by what cancels it with the same signature. */
const keepsSignature = ({ intent, target }: LaneExecution, { fire }: SubmitRequest): boolean =>
  fire === undefined &&
  !(intent === 'cancel' && target?.submittedArtifact != null && !isSigned(target.submittedArtifact))

/** The caller was told that the storage did not answer, and then it did. */
const tooLate: RelayOutcome = {
  kind: 'refused',
  reason: 'the storage answered too late; nothing was sent',
  code: 'NETWORK_ERROR',
}

/** So long the caller waits for what the venue said to be written down; then it is told what was sent. */
const recordWithinMs = 5_000

/** What the venue said is not lost with a moment of the storage's, and the caller of an order that was sent is never told that nothing was. */
async function record(
  deps: ExecutionsDeps,
  caller: Caller,
  key: string,
  row: ExecutionRow,
  outcome: RelayOutcome,
  circuit: Circuit,
): Promise<ExecutionRow> {
  const { log } = deps
  const written = persistently(() => settle(deps, caller, key, row, outcome, circuit)).catch((error: unknown) => {
    if (!isAway(error)) throw error
    log.error({ executionId: row.id, venue: row.venue, outcome: outcome.kind, err: error }, 'what a venue said is lost')
    return row
  })
  let timer: Timer | undefined
  const sent = new Promise<ExecutionRow>((resolve) => {
    timer = systemClock.after(recordWithinMs, () => resolve(row))
  })
  try {
    return await Promise.race([written, sent])
  } finally {
    timer?.cancel()
    // Who was told already hears no more of it.
    written.catch(() => undefined)
  }
}

/** From here on nobody may have been told: whatever is thrown is an unknown outcome. The caller may leave; the relay goes on. */
async function relay(
  armed: ArmedLane,
  { account_id, updated_at }: ExecutionRow,
  {
    execution,
    prepared,
    send,
    mayLeave,
  }: { execution: LaneExecution; prepared: Prepared; send: unknown; mayLeave: (claimedAtMs: number) => boolean },
): Promise<RelayOutcome> {
  const context = armed.context(new AbortController().signal, account_id)
  const sender: HttpSender = {
    send: (request) => context.sender.send({ ...request, mayLeave: () => mayLeave(updated_at.getTime()) }),
  }
  try {
    return ofOurs(await armed.lane.submit!.relay({ ...context, sender }, execution, prepared, send), prepared)
  } catch (cause) {
    return { kind: 'unknown', cause }
  }
}

/**
 * Whoever finds this execution later counts on it: what was signed was signed within that time of the claim, also by a process that stood
 * still, on a machine that slept, under a clock that somebody set.
 */
function leavingNow(clock: Clock): (claimedAtMs: number) => boolean {
  const from = clock.monotonic()
  return (claimedAtMs) => {
    const apartMs = Math.abs(clock.now() - claimedAtMs)
    return apartMs <= relayWithinMs && clock.monotonic() - from <= relayWithinMs
  }
}

async function settle(
  deps: ExecutionsDeps,
  { accountId }: Caller,
  key: string,
  row: ExecutionRow,
  outcome: RelayOutcome,
  circuit: Circuit,
): Promise<ExecutionRow> {
  const { store, clock, log } = deps
  const at = new Date(clock.now())
  const recorded = (word: JsonObject) => ({ accountId, key, outcome: word })
  /** A refresh was quicker. */
  const now = async (): Promise<ExecutionRow> => (await store.find(accountId, row.id)) ?? row
  switch (outcome.kind) {
    case 'accepted': {
      circuit.accepted()
      const event = ({ acked: 'accepted', filled: 'acceptedFilled', canceled: 'acceptedCanceled' } as const)[
        outcome.status
      ]
      const move = {
        ...moveOf(row, event, at),
        venueRef: outcome.venueRef ?? undefined,
        matchedSize: outcome.matchedSize,
        fills: outcome.fills.map(({ key: venueKey, fill, filledAt }) => ({
          key: venueKey,
          fill,
          filledAt: new Date(filledAt),
        })),
      }
      const moved = await store.move(move, recorded({ kind: 'accepted' }))
      if (moved !== null) return moved
      if (outcome.matchedSize !== undefined) {
        await store.recordSighting({ id: row.id, at, shown: null, matchedSize: outcome.matchedSize })
      }
      const current = await now()
      // Somebody settled it meanwhile without the venue's word: here it is.
      const better = endedUnheard(current) ? corrected(outcome.status) : null
      if (better === null || nextStatus(current.status, better) === null) return current
      return (await store.move({ ...move, ...moveOf(current, better, at), fills: move.fills, error: null })) ?? now()
    }
    case 'rejected': {
      const error = sanitizeReason(outcome.reason)
      // The reference was only foretold: a rejected order has none.
      const move = { ...moveOf(row, 'rejected', at), error, venueRef: null }
      return (await store.move(move, recorded({ kind: 'rejected', error }))) ?? now()
    }
    case 'refused': {
      const code: ErrorCode = outcome.code ?? 'VENUE_CREDENTIAL_REJECTED'
      const message = code === 'NETWORK_ERROR' ? outcome.reason : sanitizeReason(outcome.reason)
      const move = { ...moveOf(row, 'refused', at), submittedArtifact: null, venueRef: null }
      await store.move(move, recorded({ kind: 'refused', code, message }))
      // A venue that was busy or never reached said nothing about the credentials.
      if (code === 'VENUE_CREDENTIAL_REJECTED' && outcome.local !== true) circuit.refused()
      throw new Fault(code, message, { exchange: row.venue, afterWork: code !== 'NETWORK_ERROR' })
    }
    case 'unknown': {
      log.warn({ executionId: row.id, venue: row.venue, err: outcome.cause }, 'a relay ended without an answer')
      await store.recordOutcome(recorded({ kind: 'unknown' }))
      return row
    }
  }
}

/** What this key led to before: the row as it is now, or the refusal it met. Null: it may be tried. */
async function replayOf({ store }: ExecutionsDeps, caller: Caller, request: SubmitRequest): Promise<Submitted | null> {
  const use = await store.findKeyUse(caller.accountId, 'submit', request.key)
  if (use === null) return null
  if (use.executionId !== request.executionId) {
    throw new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key belongs to the submit of another execution')
  }
  // Nothing was placed, and the caller was told to try again: under this key, too.
  if (use.outcome?.kind === 'refused' && use.outcome.code === 'NETWORK_ERROR') return null
  if (use.outcome?.kind === 'refused') {
    throw new Fault(use.outcome.code as ErrorCode, String(use.outcome.message), { exchange: request.venue })
  }
  const row = await findOwned({ store }, caller, request.venue, request.executionId)
  return { row, replay: true }
}

function refuseUnlessFresh({ status }: ExecutionRow): void {
  if (nextStatus(status, 'submit') !== null) return
  if (isTerminal(status)) throw new Fault('EXECUTION_TERMINAL', `the execution is ${status}`)
  throw otherAttempt()
}

const otherAttempt = (): Fault =>
  new Fault(
    'IDEMPOTENCY_CONFLICT',
    'the execution was submitted under another Idempotency-Key; refresh tells how it stands',
  )

const changeConflict = (kind: ChangeConflict): Fault =>
  kind === 'in_doubt'
    ? changeInDoubt()
    : new Fault('ARTIFACT_VERSION_CONFLICT', 'the venue took another change of this order since; build this one again')

export const moveOf = (row: ExecutionRow, event: ExecutionEvent, at: Date): Move => {
  const to = nextStatus(row.status, event)
  if (to === null) throw new Error(`${row.status} cannot take ${event}`)
  return { id: row.id, from: row.status, to, event, fills: [], at }
}

async function targetOf(
  { store }: { store: Pick<ExecutionsDeps['store'], 'find'> },
  { accountId }: Pick<Caller, 'accountId'>,
  row: ExecutionRow,
) {
  const target = row.target_id === null ? null : await store.find(accountId, row.target_id)
  return target === null ? null : laneExecutionOf(target, null)
}
