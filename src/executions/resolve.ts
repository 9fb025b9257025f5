// Resolve: the owner states the outcome of an order that was never answered and that no venue rule settles. The venue is asked first, if
// possible: what it shows overrides any statement. The audit log keeps the reason, and whether the venue was asked.
import { z } from 'zod'
import { earliestNow } from '#lib/clock'
import { Fault } from '#lib/fault'
import { plainLine } from '#schemas/text'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { relayWithinMs } from '#venues/lane'
import { contradiction, refuseAgainstFills } from './absence.ts'
import { findOwned } from './derive.ts'
import { settlingMs } from './fold.ts'
import { laneOf } from './laneOf.ts'
import { parseBody } from './parseBody.ts'
import { findReplay, hashOf, type Persisted } from './persist.ts'
import type { ArmedLane, Caller, ExecutionsDeps } from './ports.ts'
import { readFamily } from './readFamily.ts'
import { askVenue, canBeAsked, look } from './refresh.ts'
import { isTerminal, moveOf } from './transitions.ts'

/** `failed`: it never reached the venue. `canceled`: it did, with no fills beyond those reported. `filled`: it filled completely. */
export const resolveOutcomes = ['failed', 'canceled', 'filled'] as const

const reasonLengthMax = 300
/** The body may also carry what refresh takes: then the venue is asked. */
export const ResolveBody = z
  .looseObject({
    outcome: z.enum(resolveOutcomes),
    reason: plainLine(reasonLengthMax),
  })
  .meta({ examples: [{ outcome: 'failed', reason: 'the venue says so by mail' }] })
export type ResolveBody = z.infer<typeof ResolveBody>

const events = { failed: 'resolvedFailed', canceled: 'resolvedCanceled', filled: 'resolvedFilled' } as const

export async function resolveExecution(
  deps: ExecutionsDeps,
  caller: Caller,
  { venue, executionId, key, body }: { venue: string; executionId: string; key: string; body: ResolveBody },
): Promise<Persisted> {
  const armed = laneOf(deps, venue)
  const { outcome, reason, ...credentials } = body
  const bodySha256 = hashOf(venue, executionId, outcome, reason)
  const request = { kind: 'resolve', key, bodySha256 } as const
  const replay = await findReplay(deps, caller, request)
  if (replay !== null) return replay
  const row = await findOwned(deps, caller, venue, executionId)
  refuseUnlessInDoubt(row)
  if (row.intent === 'cancel' && outcome !== 'failed') {
    throw new Fault(
      'VALIDATION_ERROR',
      'outcome: a cancel whose order ended is settled by refresh; otherwise it failed',
    )
  }
  refuseWhileOnItsWay(row, earliestNow(deps.clock))
  refuseAgainstFills(row, outcome === 'filled')
  const asked = await askIfPossible(deps, caller, armed, { row, outcome }, credentials)
  const result = await deps.store.resolve({
    accountId: caller.accountId,
    key,
    bodySha256,
    move: {
      ...moveOf(row, events[outcome], new Date(deps.clock.now())),
      error: outcome === 'failed' ? `resolved by its owner: ${reason}` : undefined,
      // Only the owner's word for it: it must not free room for another order.
      keepsRoom: !asked,
      detail: { reason, keyId: caller.keyId, venueAsked: asked },
    },
  })
  if (result.kind === 'resolved') return { row: result.row, replay: false }
  const quicker = await findReplay(deps, caller, request)
  if (quicker !== null) return quicker
  refuseUnlessInDoubt(await findOwned(deps, caller, venue, executionId))
  throw new Error('a resolution found nothing to resolve')
}

/**
 * False: the venue could not be asked with the given credentials, or not as the submitting account. Throws when the venue shows the outcome.
 */
async function askIfPossible(
  deps: ExecutionsDeps,
  caller: Caller,
  armed: ArmedLane,
  { row, outcome }: { row: ExecutionRow; outcome: ResolveBody['outcome'] },
  given: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { refresh } = armed.lane
  const isGiven = Object.keys(given).length > 0
  if (refresh === undefined || !canBeAsked(row) || (!refresh.credentialFree && !isGiven)) {
    if (isGiven)
      throw new Fault('VALIDATION_ERROR', 'the venue cannot be asked about this execution: give outcome and reason')
    return false
  }
  const credentials = parseBody(refresh.body, given)
  const asked = await askVenue(deps, row, credentials, () => look(deps, caller, armed, row, credentials))
  const { read, isBlind } = asked
  const refusal = contradiction(read, outcome === 'filled')
  if (refusal === null) return !isBlind
  // Record what it shows: otherwise the same statement, made without credentials, would contradict it.
  if (read.status !== null) {
    await askVenue(deps, row, credentials, () => readFamily(deps, caller, armed, row, credentials))
  }
  throw refusal
}

/**
 * A sent order may leave for this long, and may not be shown for this long after: earlier, neither its owner nor a look that shows nothing can know.
 */
function refuseWhileOnItsWay({ updated_at }: ExecutionRow, nowMs: number): void {
  const knownFromMs = updated_at.getTime() + relayWithinMs + settlingMs
  if (nowMs >= knownFromMs) return
  throw new Fault(
    'IDEMPOTENCY_CONFLICT',
    `it was sent a moment ago and may still arrive, or may not be shown yet: it can be resolved from ${new Date(knownFromMs).toISOString()} on`,
  )
}

function refuseUnlessInDoubt({ status }: ExecutionRow): void {
  if (status === 'submitted') return
  if (isTerminal(status)) throw new Fault('EXECUTION_TERMINAL', `the execution is ${status}`)
  throw new Fault(
    'IDEMPOTENCY_CONFLICT',
    `the execution is ${status}: only one whose outcome is unknown can be resolved`,
  )
}
