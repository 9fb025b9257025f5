// Resolve: the owner states the outcome of an order in flight that neither the venue nor a rule of the venue settles. The venue is read
// first, if possible: what it shows overrides any statement. The audit log keeps the reason, and whether the venue was read.
import { z } from 'zod'
import { hashOf } from '#core/canonicalJson'
import { lowerBoundNow } from '#core/clock'
import { compareDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import { singleLineText } from '#schemas/text'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { Move } from '#storage/postgres/executions/moveExecution'
import { type Observation, type ReadingLane, relayWithinMs } from '#venues/lane'
import { settlingMs } from './applyUpdate.ts'
import { findOwned, ownedOf } from './cancelOrModify.ts'
import { laneFor, laneOf, readingLaneOf } from './findLane.ts'
import { contradiction, isBelowFilled, rejectBelowFilled } from './notFoundPolicy.ts'
import { parseBody } from './parseBody.ts'
import { findReplay, type Persisted } from './persist.ts'
import type { Caller, ConditionalPreview, ExecutionsDeps } from './ports.ts'
import { readOrderChain } from './readOrderChain.ts'
import { isQueryable, queryVenue, withCredentials } from './refresh.ts'
import { isTerminal, moveOf } from './transitions.ts'

/** `failed`: it never reached the venue. `canceled`: it did, with no fills beyond those reported. `filled`: it filled completely. */
export const resolveOutcomes = ['failed', 'canceled', 'filled'] as const

const reasonLengthMax = 300
/** The body may also carry the fields of refresh: then the venue is read. */
export const ResolveBody = z
  .looseObject({
    outcome: z.enum(resolveOutcomes),
    reason: singleLineText(reasonLengthMax),
  })
  .meta({ examples: [{ outcome: 'failed', reason: 'the venue says so by mail' }] })
export type ResolveBody = z.infer<typeof ResolveBody>

const events = { failed: 'resolvedFailed', canceled: 'resolvedCanceled', filled: 'resolvedFilled' } as const

export async function resolveExecution(
  deps: ExecutionsDeps,
  caller: Caller,
  { venue, executionId, key, body }: { venue: string; executionId: string; key: string; body: ResolveBody },
): Promise<Persisted> {
  // A lane that is not armed any more leaves its executions resolvable.
  const armed = readingLaneOf(deps, venue, caller.accountId)
  const { outcome, reason, ...credentials } = body
  const bodySha256 = hashOf(venue, executionId, outcome, reason)
  const request = { kind: 'resolve', key, bodySha256 } as const
  const replay = await findReplay(deps, caller, request)
  if (replay !== null) return replay
  const found = await deps.store.find(caller.accountId, executionId)
  if (found === null && armed === undefined) laneOf(deps, venue, caller.accountId)
  const row = ownedOf(found, venue)
  refuseUnlessInFlight(row)
  refuseOtherOutcomes(row, outcome)
  refuseWhileOnItsWay(row, lowerBoundNow(deps.clock))
  rejectBelowFilled(row, outcome)
  const read = await queryIfPossible(deps, caller, armed, { row, outcome }, credentials)
  const wasQueried = read !== null && !read.isBlind
  const result = await deps.store.resolve({
    accountId: caller.accountId,
    key,
    bodySha256,
    move: {
      ...moveOf(row, events[outcome], new Date(deps.clock.now())),
      error: outcome === 'failed' ? `resolved by its owner: ${reason}` : undefined,
      fills: row.intent === 'order' ? await provenFills(deps, row, read) : [],
      // Known only from the owner's statement: it must not free its share of the cap for another order.
      keepsReservation: !wasQueried || read.shown === true || row.status === 'acked',
      detail: { reason, keyId: caller.keyId, venueAsked: wasQueried },
    },
  })
  if (result.kind === 'resolved') return { row: result.row, replay: false }
  const quicker = await findReplay(deps, caller, request)
  if (quicker !== null) return quicker
  refuseUnlessInFlight(await findOwned(deps, caller, venue, executionId))
  throw new Error('a resolution found nothing to resolve')
}

/** What the venue shows. Null: it could not be read with the given credentials. Throws when it contradicts the statement. */
async function queryIfPossible(
  deps: ExecutionsDeps,
  caller: Caller,
  whole: ConditionalPreview | undefined,
  { row, outcome }: { row: ExecutionRow; outcome: ResolveBody['outcome'] },
  given: Readonly<Record<string, unknown>>,
): Promise<(Observation & { isBlind: boolean }) | null> {
  const armed = whole && { ...whole, lane: laneFor<ReadingLane>(whole.lane, row.intent) }
  const refresh = armed?.lane.refresh
  const isGiven = Object.keys(given).length > 0
  if (armed === undefined || refresh === undefined || !isQueryable(row) || (!refresh.credentialFree && !isGiven)) {
    if (isGiven)
      throw new Fault(
        'VALIDATION_ERROR',
        'the venue cannot be queried about this execution: give only outcome and reason',
      )
    return null
  }
  const credentials = parseBody(refresh.body, given)
  const queried = await withCredentials(deps, row, credentials, () => queryVenue(deps, caller, armed, row, credentials))
  const { read, isBlind } = queried
  const refusal = contradiction(row, read, outcome, lowerBoundNow(deps.clock))
  if (refusal === null) return { ...read, isBlind }
  // Record what it shows: otherwise the same statement, made without credentials, would contradict it.
  if (read.status !== null) {
    await withCredentials(deps, row, credentials, () => readOrderChain(deps, caller, armed, row, credentials))
  }
  throw refusal
}

/**
 * Fills that the venue has shown and that are not on the tape yet, since the status had not changed. Where only their sum is known, it is one
 * fill.
 */
async function provenFills(
  { store, clock }: Pick<ExecutionsDeps, 'store' | 'clock'>,
  row: ExecutionRow,
  read: Observation | null,
): Promise<Move['fills']> {
  if (read !== null && read.fills.length > 0) {
    return read.fills.map(({ key, fill, filledAt }) => ({ key, fill, filledAt: new Date(filledAt) }))
  }
  const { matched_size: matched } = (await store.find(row.account_id, row.id)) ?? row
  const isNone = matched === null || compareDecimals(matched, '0') <= 0
  if (isNone || (await store.listFillsOf(row.id)).length > 0) return []
  const fill = { aggregate: true, size: matched, price: null, reason: 'the venue reported this much as filled' }
  return [{ key: `${row.venue_ref ?? row.id}:sum`, fill, filledAt: new Date(clock.now()) }]
}

/**
 * A sent order may leave for this long, and may not be shown for this long after: earlier, neither its owner nor a read that shows nothing
 * can know. An order that was accepted a moment ago may not be shown yet either.
 */
export const resolvableFromMs = ({ status, updated_at }: Pick<ExecutionRow, 'status' | 'updated_at'>): number =>
  updated_at.getTime() + settlingMs + (status === 'submitted' ? relayWithinMs : 0)

function refuseWhileOnItsWay(row: ExecutionRow, nowMs: number): void {
  const knownFromMs = resolvableFromMs(row)
  if (nowMs >= knownFromMs) return
  throw new Fault(
    'IDEMPOTENCY_CONFLICT',
    `it was sent a moment ago and may still arrive, or may not be shown yet: it can be resolved from ${new Date(knownFromMs).toISOString()} on`,
  )
}

function refuseUnlessInFlight({ status }: ExecutionRow): void {
  if (status === 'submitted' || status === 'acked') return
  if (isTerminal(status)) throw new Fault('EXECUTION_TERMINAL', `the execution is ${status}`)
  throw new Fault('IDEMPOTENCY_CONFLICT', `the execution is ${status}: it was not sent; discard it instead`)
}

function refuseOtherOutcomes(row: ExecutionRow, outcome: ResolveBody['outcome']): void {
  const refusal = otherOutcomeRefusal(row, outcome)
  if (refusal !== null) throw refusal
}

function otherOutcomeRefusal({ intent, status }: StatedRow, outcome: ResolveBody['outcome']): Fault | null {
  if (intent === 'cancel' && outcome !== 'failed') {
    return new Fault(
      'VALIDATION_ERROR',
      'outcome: a cancel whose order ended is settled by refresh; otherwise it failed',
    )
  }
  if (status === 'acked' && outcome === 'failed' && (intent === 'order' || intent === 'modify')) {
    return new Fault('IDEMPOTENCY_CONFLICT', 'the venue accepted it: it was canceled or filled')
  }
  return null
}

type StatedRow = Pick<ExecutionRow, 'intent' | 'status'>

/** The outcomes that the owner of an execution in flight may state, as far as the stored row shows. */
export const resolvableOutcomes = (row: StatedRow & Pick<ExecutionRow, 'matched_size'>): ResolveBody['outcome'][] =>
  resolveOutcomes.filter((outcome) => otherOutcomeRefusal(row, outcome) === null && !isBelowFilled(row, outcome))
