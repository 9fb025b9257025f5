// Submit: one relay attempt per key, and never a second order.
//
//   checks ─► prepare (signature) ─► CLAIM: key bound + status `submitted`, committed ─► relay, once ─► outcome recorded
//
// A process that dies after the claim leaves `submitted`: refresh or the reconciler asks the venue. Repeating the key only ever reads.
import { Fault } from '#core/fault'
import type { ErrorCode } from '#schemas/errors'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { findOwned } from './cancelOrModify.ts'
import { rejectIfConditional } from './conditionalGuard.ts'
import { halted } from './halts.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import {
  changeConflict,
  otherExecution,
  prepareSubmit,
  type ReadySubmit,
  rejectIfHalted,
  type SubmitRequest,
} from './prepareSubmit.ts'

export interface Submitted {
  row: ExecutionRow
  replay: boolean
}

export async function submitExecution(
  deps: ExecutionsDeps,
  caller: Caller,
  request: SubmitRequest,
): Promise<Submitted> {
  await rejectIfHalted(deps, caller, request)
  // A fire has its own key per attempt: the claim finds what it led to. For others the two reads are independent.
  const [before, found] =
    request.fire !== undefined
      ? [null, request.fire.execution]
      : await Promise.all([replayOf(deps, caller, request), deps.store.find(caller.accountId, request.executionId)])
  if (before !== null) return before
  try {
    return await attempt(deps, caller, request, found)
  } catch (error) {
    // A request with the same key may have gone ahead meanwhile: it caused the obstacle, and its answer is ours.
    const replay = error instanceof Fault && overtaken.has(error.code) ? await replayOf(deps, caller, request) : null
    if (replay !== null) return replay
    throw error
  }
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
  const ready = await prepareSubmit(deps, caller, request, found)
  const claimed = await deps.store.claim({ ...ready.claim, late: (claimedRow) => void ready.takeBack(claimedRow) })
  if (claimed.kind === 'taken') {
    const replay = await replayOf(deps, caller, request)
    if (replay !== null) return replay
    throw new Error('a submit key is taken, but its execution is missing')
  }
  if (claimed.kind === 'behind') throw rejectIfConditional(claimed.why)
  if (claimed.kind === 'reservation') throw new Fault('RESERVATION_CONSUMED', 'the reservation was used a moment ago')
  if (claimed.kind === 'held')
    throw new Fault('CONDITIONAL_ATTEMPT_CONFLICT', 'another attempt holds the right to submit this execution')
  if (claimed.kind === 'spend_cap')
    throw new Fault(
      'SPEND_CAP_EXCEEDED',
      'built more than ten minutes ago: the amount it held under the daily spend cap was released, and the cap has no room for it now',
    )
  if (claimed.kind === 'in_doubt' || claimed.kind === 'outgrown') throw changeConflict(claimed.kind)
  if (claimed.kind === 'moved') throw (await twinOf(deps, caller, request, ready)) ?? otherExecution()
  if (claimed.kind === 'halted') throw halted(claimed.halt)
  return { row: await ready.send(claimed.row), replay: false }
}

/** Two executions whose signed bytes are the same are one order at the venue. Null: the refusal has another reason. */
async function twinOf(
  { store }: ExecutionsDeps,
  { accountId }: Caller,
  { venue, executionId }: SubmitRequest,
  { claim }: ReadySubmit,
): Promise<Fault | null> {
  const { venueRef } = claim.move
  if (venueRef == null) return null
  const twin = await store.findByVenueRef({ accountId, venue, venueRef })
  if (twin === null || twin === executionId) return null
  return new Fault(
    'IDEMPOTENCY_CONFLICT',
    `execution ${twin} was submitted with the same signed bytes, which are a single order at the venue (${venueRef}): follow execution ${twin}, or build and sign a new order`,
  )
}

/** What this key led to before: the row as it is now, or its refusal. Null: it may be tried. */
async function replayOf({ store }: ExecutionsDeps, caller: Caller, request: SubmitRequest): Promise<Submitted | null> {
  const use = await store.findKeyUse(caller.accountId, 'submit', request.key)
  if (use === null) return null
  if (use.executionId !== request.executionId) {
    throw new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key belongs to the submit of another execution')
  }
  // Nothing was placed, and the caller was answered to retry: with this key, too.
  if (use.outcome?.kind === 'refused' && use.outcome.code === 'NETWORK_ERROR') return null
  if (use.outcome?.kind === 'refused') {
    throw new Fault(use.outcome.code as ErrorCode, String(use.outcome.message), { exchange: request.venue })
  }
  const row = await findOwned({ store }, caller, request.venue, request.executionId)
  return { row, replay: true }
}
