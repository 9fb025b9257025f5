// One run for a hosted order whose lease this process holds: an attempt to fire it, or a check of the outcome of an earlier attempt.
//
//   execution built      ─► attempt ─► accepted ─► fired
//                                   ├► rejected by the venue ─► fire_failed
//                                   ├► refused, nothing sent ─► again later, while attempts and time are left; else fire_failed
//                                   ├► halted ─► armed again: it has to qualify again
//                                   └► no clear answer ─► its owner is notified; later: a check
//   execution built, and another order of the group has won ─► superseded
//   execution built, and what triggered it is old, or nothing is fired from here ─► armed again
//   execution submitted  ─► a check: settled, or later another check. Never a second relay.
//   execution at an end  ─► fired, or fire_failed; superseded, where another order of the group has won
//
// Everything is written under the lease: a process that lost its lease writes nothing.
import { backoffMs } from '#core/backoff'
import { type Clock, lowerBoundNow } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import { isFinal, isHalt, wordsOf } from '#core/refusals'
import { triggerEvidenceTtlMs } from '#schemas/conditional'
import type { JsonObject } from '#schemas/executions'
import type { ClaimedTurn } from '#storage/postgres/conditional/claimTriggered'
import type { FiringRow, SealedArtifact, SubmitLease } from '#storage/postgres/conditional/firing'
import { staleReason } from '#storage/postgres/conditional/rearmStale'
import type { FiringEnd } from '#storage/postgres/conditional/recordResult'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { Claim } from '#storage/postgres/executions/claim'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { ArtifactCipher } from './artifactEncryption.ts'
import { midOf } from './triggerMid.ts'

/**
 * Over its whole life. A trigger is valid for a minute, enough for about eight attempts; then the order is armed again with the remaining
 * attempts. An unavailable venue uses them up only while its book keeps triggering the order.
 */
export const attemptsMax = 20
const backoff = { baseMs: 500, capMs: 60_000 }
/** An unknown outcome is checked again after as long as it has been unknown, within these bounds. */
const lookMinMs = 1_000
const lookMaxMs = 300_000
const reasonMax = 300

export interface FireDeps {
  store: Pick<ConditionalStore, 'readArtifact' | 'findWinner' | 'postpone' | 'rearm' | 'settleFire'>
  executions: FiredExecutions
  /** Null: nothing is fired from here; what was left behind is settled. */
  seal: Pick<ArtifactCipher, 'open'> | null
  clock: Clock
  log: Log
  /** In [0, 1). */
  random(): number
}

/** The executions interface of the fire loop. */
export interface FiredExecutions {
  find(accountId: string, id: string): Promise<ExecutionRow | null>
  /** Begins a submit on behalf of the account: validated and prepared by the lane. Nothing is written or sent yet. */
  begin(attempt: FireAttempt): BegunAttempt
  /** Asks the venue for the status of an execution with an unknown outcome. Null: only its owner can ask. */
  look(row: ExecutionRow): Promise<{ row: ExecutionRow; reason: string | null } | null>
}

export interface FireAttempt {
  /** As read under the lease, or together with it. */
  execution: ExecutionRow
  /** The caller's country as reported by the trusted edge at arm time. */
  country: string | null
  key: string
  body: JsonObject
  fire: SubmitLease
  /** Nothing leaves from then on. */
  until: Date
  /** Decimal string, of the book at the trigger; null: unknown. */
  triggerMid: string | null
}

export interface BegunAttempt {
  /** Once it is prepared. Rejects with the submit's own refusals. */
  claim: Promise<Claim>
  /** One relay. `claimed`: the execution, if its claim is committed already. Throws the submit's refusals; then nothing was sent. */
  submit(claimed: ExecutionRow | null): Promise<ExecutionRow>
  /** For a claim that was committed after its caller had got an error: nothing is sent. */
  takeBack(claimed: ExecutionRow): Promise<void>
}

/** `lost`: another process has it, or another order of its group has won. */
export type FireResult = 'fired' | 'fire_failed' | 'postponed' | 'rearmed' | 'lost'

/** What a run needs. `artifact` null: the lease is lost. `winnerId`: the order of its group that has fired. */
type Needs = Pick<ClaimedTurn, 'execution'> & { artifact: SealedArtifact | null; winnerId?: string | null }

/** Of an order that was leased with its trigger: its attempt, if it was begun before the trigger was committed. */
export interface StartedAttempt {
  attempt: BegunAttempt
  /** Null: the execution still has to be claimed. */
  claimed: ExecutionRow | null
}

/** `needs`: as read together with the lease. */
export async function fire(
  deps: FireDeps,
  held: FiringRow,
  needs?: Needs,
  started: StartedAttempt | null = null,
): Promise<FireResult> {
  // It is `submitted` by now, and only this run may send it.
  if (started !== null && started.claimed !== null) return submit(deps, held, started.attempt, started.claimed)
  const { execution: row, artifact, winnerId = null } = needs ?? (await readNeeds(deps, held))
  if (artifact === null) return 'lost'
  if (row === null) return fail(deps, held, 'the execution no longer exists')
  if (!isUnsent(row)) return row.status === 'submitted' ? lookAt(deps, held, row) : conclude(deps, held, row)
  if (winnerId !== null) return end(deps, held, { outcome: 'superseded' })
  if (held.expires_at.getTime() <= deps.clock.now()) return fail(deps, held, past('expired before it was sent', held))
  if (held.fire_attempts >= attemptsMax) return fail(deps, held, past(`given up after ${attemptsMax} attempts`, held))
  if (deps.seal === null) return rearm(deps, held, { reason: 'nothing is fired from here' })
  if (isStale(deps, held)) return rearm(deps, held, { reason: staleReason })
  let attempt = started?.attempt
  try {
    attempt ??= deps.executions.begin(attemptOf(deps, held, row, artifact))
  } catch (error) {
    return refused(deps, held, held.fire_attempts + 1, error)
  }
  return submit(deps, held, attempt, null)
}

const isStale = ({ clock }: Pick<FireDeps, 'clock'>, { triggered_at }: FiringRow): boolean =>
  triggered_at === null || clock.now() - triggered_at.getTime() >= triggerEvidenceTtlMs

/** Whether an order that was leased with its trigger may begin its attempt: `fire` would begin it, too. */
export const mayBegin = (deps: FireDeps, held: FiringRow, execution: ExecutionRow): boolean =>
  deps.seal !== null &&
  isUnsent(execution) &&
  held.expires_at.getTime() > deps.clock.now() &&
  held.fire_attempts < attemptsMax &&
  !isStale(deps, held)

async function readNeeds(deps: FireDeps, held: FiringRow): Promise<Needs> {
  // Independent reads.
  const [execution, artifact, winnerId] = await Promise.all([
    deps.executions.find(held.account_id, held.execution_id),
    deps.store.readArtifact(held.id, held.lease),
    deps.store.findWinner(held),
  ])
  return { execution, artifact, winnerId }
}

async function submit(
  deps: FireDeps,
  held: FiringRow,
  attempt: BegunAttempt,
  claimed: ExecutionRow | null,
): Promise<FireResult> {
  let row: ExecutionRow
  try {
    row = await attempt.submit(claimed)
  } catch (error) {
    return refused(deps, held, held.fire_attempts + 1, error)
  }
  if (row.status === 'submitted') {
    return wait(deps, held, row, `sent, outcome unknown: ${row.unknown_outcome ?? 'the venue has not answered yet'}`)
  }
  return conclude(deps, held, row)
}

/** The order's next attempt. */
export function attemptOf(
  deps: Pick<FireDeps, 'seal'>,
  held: FiringRow,
  execution: ExecutionRow,
  artifact: SealedArtifact,
): FireAttempt {
  const { id, lease } = held
  const number = held.fire_attempts + 1
  return {
    execution,
    country: held.arm_country,
    key: `cond:${id}:${number}`,
    body: open(deps, held, artifact),
    fire: { conditionalId: id, lease, attempt: number },
    until: held.expires_at,
    triggerMid: midOf(held.trigger_evidence),
  }
}

function open(
  { seal }: Pick<FireDeps, 'seal'>,
  { id, execution_id: executionId }: FiringRow,
  artifact: SealedArtifact,
): JsonObject {
  try {
    if (seal === null) throw new Error('nothing is fired from here')
    return seal.open({ id, executionId }, artifact)
  } catch (cause) {
    throw new Fault('HOSTED_FIRE_UNAVAILABLE', 'the signed artifact cannot be opened with the configured keys', {
      cause,
    })
  }
}

/**
 * The execution shows whether anything was sent after all: the refusal may come from another attempt that has since
 * ended.
 */
async function refused(deps: FireDeps, held: FiringRow, number: number, error: unknown): Promise<FireResult> {
  const { id, account_id: accountId, execution_id: executionId } = held
  const row = await deps.executions.find(accountId, executionId)
  if (row !== null && !isUnsent(row)) {
    return row.status === 'submitted' ? wait(deps, held, row, maybeSent(wordsOf(error))) : conclude(deps, held, row)
  }
  deps.log.warn({ conditionalId: id, executionId, attempt: number, err: error }, 'an attempt to fire was refused')
  const lastError = wordsOf(error)
  if (isHalt(error)) return rearm(deps, held, { reason: 'trading is halted', lastError })
  if (isFinal(error)) return fail(deps, held, lastError)
  const afterMs = backoffMs(number - 1, backoff, deps.random)
  return postponed(deps, held, { afterMs, lastError, attempts: number })
}

/** Nothing was sent; try again later, until its time has passed, which ends it. */
async function postponed(
  { store, clock }: FireDeps,
  { id, lease, expires_at }: FiringRow,
  pause: { afterMs: number; lastError: string | null; attempts?: number },
): Promise<FireResult> {
  const at = new Date(clock.now())
  const leftMs = expires_at.getTime() - at.getTime()
  const afterMs = leftMs > 0 ? Math.min(pause.afterMs, leftMs) : pause.afterMs
  return (await store.postpone({ ...pause, id, lease, afterMs, at })) ? 'postponed' : 'lost'
}

/** Nothing was sent: the order is watched again, with its attempt count kept. */
async function rearm(
  { store, clock }: FireDeps,
  { id, lease }: FiringRow,
  why: { reason: string; lastError?: string },
): Promise<FireResult> {
  return (await store.rearm({ ...why, id, lease, at: new Date(clock.now()) })) ? 'rearmed' : 'lost'
}

async function lookAt(deps: FireDeps, held: FiringRow, row: ExecutionRow): Promise<FireResult> {
  let seen: Awaited<ReturnType<FiredExecutions['look']>>
  try {
    seen = await deps.executions.look(row)
  } catch (error) {
    return wait(deps, held, row, maybeSent(`${answerTo(row)}the venue could not be queried: ${wordsOf(error)}`))
  }
  if (seen === null)
    return wait(
      deps,
      held,
      row,
      maybeSent(`${answerTo(row)}only its owner can ask: refresh the execution, or resolve it`),
    )
  if (seen.row.status !== 'submitted') return conclude(deps, held, seen.row)
  return wait(deps, held, row, maybeSent(seen.reason ?? 'the venue does not report its outcome'))
}

const answerTo = ({ unknown_outcome: known }: ExecutionRow): string => (known === null ? '' : `${known}; `)

/** The process that claimed it may have died before the relay, or got no answer. */
const maybeSent = (reason: string): string => `it may have been sent, outcome unknown: ${reason}`

/** Stays `firing` without a lease: the order may be at the venue, so it is neither fired nor failed. */
async function wait(deps: FireDeps, held: FiringRow, row: ExecutionRow, reason: string): Promise<FireResult> {
  const unknownMs = Math.max(0, lowerBoundNow(deps.clock) - row.updated_at.getTime())
  // Even past its time: that says nothing about what was sent.
  const kept = await deps.store.postpone({
    id: held.id,
    lease: held.lease,
    afterMs: Math.round(Math.min(lookMaxMs, Math.max(lookMinMs, unknownMs)) * (1 + deps.random() / 4)),
    lastError: reason.slice(0, reasonMax),
    isUnknown: true,
    at: new Date(deps.clock.now()),
  })
  return kept ? 'postponed' : 'lost'
}

/** For an execution that was sent and whose outcome is known. */
async function conclude(deps: FireDeps, held: FiringRow, row: ExecutionRow): Promise<FireResult> {
  // A refusal that was recorded late: nothing was sent.
  if (isUnsent(row)) return postponed(deps, held, { afterMs: backoff.baseMs, lastError: null })
  if (!isAccepted(row)) return fail(deps, held, row.error ?? `the execution is ${row.status}`)
  return end(deps, held, {
    outcome: 'fired',
    evidence: { executionStatus: row.status, venueRef: row.venue_ref },
  })
}

const fail = (deps: FireDeps, held: FiringRow, lastError: string): Promise<FireResult> =>
  end(deps, held, { outcome: 'fire_failed', lastError, evidence: { lastError } })

async function end(
  { store, clock }: FireDeps,
  { id, lease }: FiringRow,
  how: Pick<FiringEnd, 'outcome' | 'lastError' | 'evidence'>,
): Promise<FireResult> {
  const ended = await store.settleFire({ ...how, id, lease, at: new Date(clock.now()) })
  return ended?.status === 'fired' || ended?.status === 'fire_failed' ? ended.status : 'lost'
}

const past = (what: string, { last_error: before }: FiringRow): string =>
  (before === null ? what : `${what}; last: ${before}`).slice(0, reasonMax)

const isUnsent = ({ status }: ExecutionRow): boolean => status === 'built' || status === 'signed'

/** End events meaning the order never reached the venue; a predicted reference means nothing then. */
const neverThere: ReadonlySet<string> = new Set(['rejected', 'discard', 'provedUndone', 'resolvedFailed'])

/** The venue accepted it, whatever happened to it later. */
export const isAccepted = ({ status, last_event, venue_ref }: ExecutionRow): boolean => {
  if (status === 'acked' || status === 'filled') return true
  if (neverThere.has(last_event)) return false
  return status === 'failed' ? venue_ref !== null : status === 'canceled' || status === 'expired'
}
