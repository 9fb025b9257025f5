// One step of an algorithm whose lease this process holds: it settles the live slice, decides with a live book, does one thing, and sets when
// the next step is due.
//
//   read ─► settle: an order that ended at the venue ends its slice
//        ─► decide ─► slice | build | send | withdraw | wait | end
//        ─► due again
//
// A process that dies leaves everything to the next lease: a slice is decided before it is built, its build has a key of its own, and what was
// sent is seen from the status of its execution.
import { wordsOf } from '#core/refusals'
import type { AlgorithmWait } from '#schemas/algorithms'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'
import type { StoredProgress } from '#storage/postgres/algorithms/progress'
import type { AlgorithmLease } from '#storage/postgres/algorithms/steps'
import { decide } from './machine/decide.ts'
import type { AlgorithmDecision } from './machine/types.ts'
import type { AlgorithmDeps, Caller } from './ports.ts'
import { build, send, startSlice } from './sendSlice.ts'
import { settle } from './settleSlice.ts'
import { liveRowOf, marketOf, planOf, progressOf } from './state.ts'
import type { Step, StepResult } from './step.ts'
import { totalsOf } from './totals.ts'
import { withdraw } from './withdrawSlice.ts'

/** While nothing else is known to happen. */
const pollMs = 1_000
const slowPollMs = 5_000
/** Of one lease: a slice is decided, built and sent. */
const actionsMax = 3

export interface StepOptions {
  /** Whether the deployment refuses to serve that country. Throws a passing refusal if that is not known here. */
  blocks(country: string): boolean
  signal: AbortSignal
}

/** `lost`: another process has taken it over. */
export type StepOutcome = 'stepped' | 'ended' | 'lost'

export async function runStep(deps: AlgorithmDeps, row: AlgorithmRow, options: StepOptions): Promise<StepOutcome> {
  const lease = { id: row.id, epoch: row.lease_epoch }
  let acted: Acted
  try {
    acted = await act(deps, row, lease, options)
  } catch (error) {
    // Without the storage this cannot be written either, and its lease ends.
    deps.log.warn({ algorithm: row.id, err: error }, 'a step of an execution algorithm failed; it is repeated')
    acted = { result: { kind: 'wait', reason: 'refused', pauseMs: slowPollMs, error: wordsOf(error) }, stored: null }
  }
  const { result, stored } = acted
  if (result === 'lost') return 'lost'
  return result.kind === 'ended' ? 'ended' : release(deps, row, lease, { result, stored })
}

interface Acted {
  result: StepResult | 'lost'
  /** As it was read last; null: it may have changed since. */
  stored: StoredProgress | null
}

async function act(
  deps: AlgorithmDeps,
  row: AlgorithmRow,
  lease: AlgorithmLease,
  { blocks, signal }: StepOptions,
): Promise<Acted> {
  const country = row.arm_country
  const caller: Caller = {
    accountId: row.account_id,
    keyId: row.key_id,
    country,
    isBlocked: country !== null && blocks(country),
    signal,
  }
  for (let actions = 1; ; actions++) {
    const step: Step = { row, lease, caller, at: new Date(deps.clock.now()) }
    const stored = await deps.store.readProgress(row.id)
    const settled = await settle(deps, step, liveRowOf(stored))
    if (settled === 'lost') return { result: 'lost', stored: null }
    // Its counts have changed.
    if (settled === 'ended') return { result: { kind: 'again', reason: 'slice_open' }, stored: null }
    const decision = await decideNow(deps, step, stored)
    if (decision.kind === 'wait') return { result: decision, stored }
    const result = await perform(deps, step, stored, decision)
    if (result === 'lost' || result.kind !== 'continue' || actions >= actionsMax) return { result, stored: null }
  }
}

async function decideNow(
  { orders, books }: AlgorithmDeps,
  { row, at }: Step,
  stored: StoredProgress,
): Promise<AlgorithmDecision> {
  const traits = orders.lane(row.account_id, row.venue)
  const instrument = { venue: row.venue, marketId: row.market_id, outcomeId: row.outcome_id }
  // An end needs no book.
  const market = marketOf(row.status === 'ending' ? 'silent' : await books.read(instrument))
  return decide(planOf(row, traits), progressOf(row, stored, traits), market, at.getTime())
}

async function perform(
  deps: AlgorithmDeps,
  step: Step,
  stored: StoredProgress,
  decision: Exclude<AlgorithmDecision, { kind: 'wait' }>,
): Promise<StepResult | 'lost'> {
  const live = liveRowOf(stored)
  switch (decision.kind) {
    case 'slice':
      return startSlice(deps, step, decision.slice)
    case 'build':
      return build(deps, step, live!)
    case 'send':
      return send(deps, step, live!)
    case 'withdraw':
      return withdraw(deps, step, live!, decision)
    case 'end': {
      const { row, lease, at } = step
      const totals = await totalsOf(deps, row, stored)
      const finished = await deps.store.finish(lease, { as: decision.as, lastError: decision.why, ...totals, at })
      return finished ? { kind: 'ended' } : 'lost'
    }
  }
}

async function release(
  deps: AlgorithmDeps,
  row: AlgorithmRow,
  lease: AlgorithmLease,
  { result, stored }: { result: Exclude<StepResult, { kind: 'ended' }>; stored: StoredProgress | null },
): Promise<StepOutcome> {
  const totals = await totalsOf(deps, row, stored ?? (await deps.store.readProgress(row.id)))
  const at = new Date(deps.clock.now())
  const now = at.getTime()
  const written = await deps.store.endStep(lease, {
    waitReason: result.reason,
    lastError: result.kind === 'wait' ? (result.error ?? null) : null,
    ...totals,
    dueAt: new Date(result.kind === 'wait' ? dueAfter(result, now) : now),
    at,
  })
  return written ? 'stepped' : 'lost'
}

const slowReasons: ReadonlySet<AlgorithmWait> = new Set<AlgorithmWait>([
  'fill_unknown',
  'earlier_slice_open',
  'cancel_awaiting_signature',
  'outcome_unknown',
  'halted',
])
/** Nothing but time changes these. */
const timedReasons: ReadonlySet<AlgorithmWait> = new Set<AlgorithmWait>([
  'not_started',
  'next_interval',
  'min_interval',
])

function dueAfter({ reason, until = null, pauseMs }: StepResult & { kind: 'wait' }, now: number): number {
  if (pauseMs !== undefined) return now + pauseMs
  const pollAt = now + (slowReasons.has(reason) ? slowPollMs : pollMs)
  if (until === null) return pollAt
  return Math.max(now, timedReasons.has(reason) ? until : Math.min(until, pollAt))
}
