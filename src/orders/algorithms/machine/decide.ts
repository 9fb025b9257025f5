// The next step of an algorithm: pure, from its plan, its progress, the book and the time. One slice is live at a time, and the next one is only
// decided once the venue has confirmed the end of the one before and reported what was filled of it.
import type { AlgorithmEnd } from '#schemas/algorithms'
import { floorTo, remainingOf, waitFor } from './amounts.ts'
import { kindRules } from './kinds.ts'
import type {
  AlgorithmDecision,
  AlgorithmPlan,
  AlgorithmProgress,
  LiveSlice,
  MarketView,
  WantedSlice,
} from './types.ts'

/** In a row; then the algorithm has failed. */
export const failuresMax = 5
export const unsignedMax = 20
export const slicesMax = 5_000

export function decide(
  plan: AlgorithmPlan,
  progress: AlgorithmProgress,
  market: MarketView,
  now: number,
): AlgorithmDecision {
  const { live } = progress
  const end = progress.endsAs === null ? endOf(plan, progress, now) : { as: progress.endsAs, why: null }
  if (live !== null) return decideLive(plan, progress, live, { market, now, isEnding: end !== null })
  // The end is final, and what is open counts as live.
  if (progress.hasReopened) return waitFor('earlier_slice_open')
  if (end !== null) return { kind: 'end', ...end }
  if (now < plan.startsAt) return waitFor('not_started', plan.startsAt)
  if (progress.retryAt !== null && now < progress.retryAt) return waitFor('refused', progress.retryAt)
  const next = kindRules(plan).next(progress, market, now)
  return 'reason' in next ? next : bounded(plan, progress, next)
}

/** Null: it goes on. */
function endOf(
  plan: AlgorithmPlan,
  progress: AlgorithmProgress,
  now: number,
): { as: AlgorithmEnd; why: string | null } | null {
  const { live, planned, failures, unsigned, count } = progress
  if (live === null && remainingOf(plan, progress) < plan.minSliceSize) return { as: 'completed', why: null }
  if (now >= plan.expiresAt) return { as: 'expired', why: null }
  if (live !== null) return null
  if (planned !== null && planned.length === 0) return { as: 'expired', why: 'all signed slices were used' }
  if (failures >= failuresMax) return { as: 'failed', why: `${failures} slices in a row failed` }
  if (unsigned >= unsignedMax) return { as: 'failed', why: `${unsigned} slices in a row were not signed in time` }
  if (count >= slicesMax) return { as: 'failed', why: `it had ${slicesMax} slices` }
  return null
}

interface Moment {
  market: MarketView
  now: number
  isEnding: boolean
}

function decideLive(
  plan: AlgorithmPlan,
  progress: AlgorithmProgress,
  live: LiveSlice,
  { market, now, isEnding }: Moment,
): AlgorithmDecision {
  if (live.isFillUnknown) return waitFor('fill_unknown')
  if (live.cancel === 'awaiting_signature') return waitFor('cancel_awaiting_signature')
  if (live.cancel === 'sent') return waitFor('cancel_unconfirmed')
  const isLate = live.state === 'offered' && live.signBy !== null && now >= live.signBy
  if (isLate) return { kind: 'withdraw', isUnsigned: true }
  const isOver = isEnding || kindRules(plan).isOver(live, progress, market, now)
  // An order without the venue's id cannot be canceled; its outcome comes first.
  if (live.state === 'sent' && live.isOutcomeUnknown) return waitFor('outcome_unknown')
  // One that takes is never resting.
  if (isOver && !(live.state === 'sent' && live.takes)) return { kind: 'withdraw', isUnsigned: false }
  switch (live.state) {
    case 'decided':
      return { kind: 'build' }
    case 'ready':
      // The book may have become stale since it was decided.
      if (!market.isLive) return waitFor('book_not_live')
      return { kind: 'send' }
    case 'offered':
      return waitFor('awaiting_signature', live.signBy)
    case 'sent':
      return waitFor('slice_open')
  }
}

/** Never more than what is left, whatever the rules of its kind yield. */
function bounded(plan: AlgorithmPlan, progress: AlgorithmProgress, wanted: WantedSlice): AlgorithmDecision {
  const size =
    wanted.planned === null
      ? floorTo(Math.min(wanted.size, remainingOf(plan, progress)), plan.sizeStep)
      : // Its size is signed.
        wanted.size
  if (size > remainingOf(plan, progress) || size <= 0)
    return { kind: 'end', as: 'completed', why: 'what is left is smaller than a slice' }
  return { kind: 'slice', slice: { ...wanted, size } }
}
