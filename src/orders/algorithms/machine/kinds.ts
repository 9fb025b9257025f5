// The rules of each kind of algorithm: which slice comes next, and when the live one is over.
import { floorTo, remainingOf, waitFor } from './amounts.ts'
import { followedPrice, isTakeable, ownSideOf } from './prices.ts'
import type {
  AlgorithmDecision,
  AlgorithmPlan,
  AlgorithmProgress,
  KindParameters,
  LiveSlice,
  MarketView,
  WantedSlice,
} from './types.ts'

type Wait = AlgorithmDecision & { kind: 'wait' }

export interface KindRules {
  /** Called without a live slice. */
  next(progress: AlgorithmProgress, market: MarketView, now: number): WantedSlice | Wait
  /** The live slice is withdrawn for another one. */
  isOver(live: LiveSlice, progress: AlgorithmProgress, market: MarketView, now: number): boolean
}

type Of<Kind extends KindParameters['kind']> = Extract<KindParameters, { kind: Kind }>

export function kindRules(plan: AlgorithmPlan): KindRules {
  const { parameters } = plan
  switch (parameters.kind) {
    case 'twap':
      return twap(plan, parameters)
    case 'iceberg':
      return iceberg(plan, parameters)
    case 'peg':
      return peg(plan, parameters)
    case 'passive_then_aggressive':
      return passiveThenAggressive(plan, parameters)
  }
}

/**
 * One slice per interval. Each brings the filled size up to the straight line from start to end, so that what was not filled before is made up
 * for. With signed slices each has its size.
 */
function twap(plan: AlgorithmPlan, { slices, durationMs, style }: Of<'twap'>): KindRules {
  const intervalAt = (now: number): number =>
    Math.min(slices - 1, Math.floor(((now - plan.startsAt) * slices) / durationMs))
  const startOf = (interval: number): number =>
    interval >= slices ? plan.expiresAt : plan.startsAt + Math.ceil((interval * durationMs) / slices)
  return {
    next(progress, market, now) {
      const stage = intervalAt(now)
      const untilNext = waitFor('next_interval', startOf(stage + 1))
      if (progress.last !== null && progress.last.stage >= stage) return untilNext
      if (!market.isLive) return waitFor('book_not_live')
      const takes = style === 'take'
      if (takes && !isTakeable(plan, market)) return waitFor('price_beyond_limit', startOf(stage + 1))
      const planned = progress.planned?.find(({ number }) => number >= stage)
      if (planned !== undefined) return { planned: planned.number, ...termsOf(planned), takes, stage }
      if (progress.planned !== null) return untilNext
      const due = stage === slices - 1 ? plan.size : Math.floor((plan.size / slices) * (stage + 1))
      const size = floorTo(Math.max(0, due - progress.filled), plan.sizeStep)
      if (size < plan.minSliceSize) return untilNext
      return { planned: null, price: plan.limitPrice, size, takes, stage }
    },
    isOver: (live, _progress, _market, now) => live.stage < intervalAt(now),
  }
}

/** Only a part of the size is shown; the next part is sent when it has been filled. */
function iceberg(plan: AlgorithmPlan, { displaySize }: Of<'iceberg'>): KindRules {
  return {
    next(progress, market) {
      if (!market.isLive) return waitFor('book_not_live')
      const planned = progress.planned?.[0]
      const rests = { takes: false, stage: progress.count }
      if (planned !== undefined) return { planned: planned.number, ...termsOf(planned), ...rests }
      const size = Math.min(displaySize ?? plan.size, remainingOf(plan, progress))
      return { planned: null, price: plan.limitPrice, size, ...rests }
    },
    isOver: () => false,
  }
}

/** Rests at the best bid or ask, and follows it. */
function peg(plan: AlgorithmPlan, { to, intervalMs, displaySize }: Of<'peg'>): KindRules {
  return followed(plan, { to, intervalMs, displaySize, endsAt: plan.expiresAt })
}

/** Follows the best price of its own side first; then takes up to the limit. */
function passiveThenAggressive(
  plan: AlgorithmPlan,
  { passiveMs, intervalMs }: Of<'passive_then_aggressive'>,
): KindRules {
  const takesAt = plan.startsAt + passiveMs
  const passive = followed(plan, { to: ownSideOf(plan), intervalMs, displaySize: null, endsAt: takesAt })
  const isPassive = (now: number): boolean => now < takesAt
  return {
    next(progress, market, now) {
      if (isPassive(now)) return passive.next(progress, market, now)
      if (!market.isLive) return waitFor('book_not_live')
      if (!isTakeable(plan, market)) return waitFor('price_beyond_limit')
      const pauseUntil = progress.last?.stage === 1 ? progress.last.decidedAt + intervalMs : now
      if (now < pauseUntil) return waitFor('min_interval', Math.min(pauseUntil, plan.expiresAt))
      const size = remainingOf(plan, progress)
      return { planned: null, price: plan.limitPrice, size, takes: plan.takesAtOnce, stage: 1 }
    },
    isOver(live, progress, market, now) {
      if (isPassive(now)) return passive.isOver(live, progress, market, now)
      return live.stage === 0
    },
  }
}

interface Followed {
  to: 'bid' | 'ask'
  intervalMs: number
  displaySize: number | null
  /** From then on it is followed no more. */
  endsAt: number
}

function followed(plan: AlgorithmPlan, { to, intervalMs, displaySize, endsAt }: Followed): KindRules {
  return {
    next(progress, market, now) {
      const pauseUntil = progress.last === null ? now : progress.last.decidedAt + intervalMs
      if (now < pauseUntil) return waitFor('min_interval', Math.min(pauseUntil, endsAt))
      if (!market.isLive) return waitFor('book_not_live')
      const price = followedPrice(plan, to, market, null)
      if (price === null) return waitFor('no_price_to_follow')
      const remaining = remainingOf(plan, progress)
      const size = displaySize === null ? remaining : Math.min(displaySize, remaining)
      return { planned: null, price, size, takes: false, stage: 0 }
    },
    isOver(live, _progress, market, now) {
      // An offered slice keeps its price until it is submitted or its time is over.
      if (live.state === 'offered' || !market.isLive || now < live.decidedAt + intervalMs) return false
      const price = followedPrice(plan, to, market, live)
      return price !== null && price !== live.price
    },
  }
}

const termsOf = ({ price, size }: { price: number; size: number }) => ({ price, size })
