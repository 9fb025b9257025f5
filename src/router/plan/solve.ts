// The best split for a request. First as much as possible of what was requested, then at the least cost:
//   size    the largest size up to the requested one, and the cheapest split of it
//   amount  of a purchase: the largest size that the amount pays for; of a sale: the smallest one that brings it; then the cheapest split
import { exactSplit } from './exactSplit.ts'
import { type CostCurve, largestOf, orderAtMost } from './offer.ts'
import { gridOf, type Prepared, prepare, sizeBound } from './prepared.ts'
import { reachFor, relax, sizeBringing } from './relaxation.ts'
import { type Split, sumOf } from './rounding.ts'
import { splitTable } from './table.ts'
import { polished, roundedNear, roundedUpTo } from './unproven.ts'
import { newWork, tableStepsMax, type Work } from './work.ts'

export type Wanted =
  /** Units. */
  | { by: 'size'; units: number }
  /** Micros. */
  | { by: 'amount'; micros: number }

export interface Solution extends Split {
  /** No other split fills more, or as much at less cost. */
  isProven: boolean
  /** How much less a split of the same size could cost at most, micros; 0 if proven. */
  gap: number
}

const nothing: Solution = { sizes: [], cost: 0, isProven: true, gap: 0 }

export interface SolveOptions {
  isBuy: boolean
  work?: Work
  /** For tests: which of both searches is used. */
  search?: 'table' | 'bounds'
}

export function solve(curves: readonly CostCurve[], wanted: Wanted, options: SolveOptions): Solution {
  const { isBuy, work = newWork(), search } = options
  if (curves.length === 0) return nothing
  const most = curves.reduce((sum, curve) => sum + largestOf(curve), 0)
  const total = Math.min(most, wanted.by === 'size' ? wanted.units : Number.POSITIVE_INFINITY)
  if (search !== 'bounds') {
    const steps = search === 'table' ? Number.POSITIVE_INFINITY : tableStepsMax
    const found = fromTable(curves, { wanted, total, isBuy, steps })
    if (found !== null) return found
  }
  const prepared = curves.map(prepare)
  const found =
    wanted.by === 'size'
      ? bySize(prepared, total, work)
      : isBuy
        ? bySpending(prepared, wanted.micros, work)
        : byProceeds(prepared, wanted.micros, work)
  return found.isProven ? found : atLeastSingle(prepared, wanted, { isBuy, solution: found })
}

function fromTable(
  curves: readonly CostCurve[],
  { wanted, total, isBuy, steps }: { wanted: Wanted; total: number; isBuy: boolean; steps: number },
): Solution | null {
  const table = splitTable(curves, total, gridOf(curves), steps)
  if (table === null) return null
  const { costs } = table
  const take = (index: number): Solution => ({ sizes: table.split(index), cost: costs[index]!, isProven: true, gap: 0 })
  const last = costs.findLastIndex((cost) => cost < Number.POSITIVE_INFINITY)
  if (wanted.by === 'size') return take(last)
  if (isBuy) return take(costs.findLastIndex((cost) => cost <= wanted.micros))
  const bringing = costs.findIndex((cost) => -cost >= wanted.micros)
  return take(bringing < 0 ? last : bringing)
}

function bySize(prepared: readonly Prepared[], wanted: number, work: Work): Solution {
  const curves = prepared.map(({ curve }) => curve)
  const grid = gridOf(curves)
  const most = sizeBound(curves, wanted)
  const found = firstExact(prepared, { from: most, step: -grid, end: grid, limit: Number.POSITIVE_INFINITY }, work)
  return found ?? { ...roundedUpTo(prepared, most), isProven: false, gap: 0 }
}

function bySpending(prepared: readonly Prepared[], micros: number, work: Work): Solution {
  const curves = prepared.map(({ curve }) => curve)
  const grid = gridOf(curves)
  const hulls = prepared.map(({ free }) => free)
  const sizes = { from: sizeBound(curves, reachFor(hulls, micros)), step: -grid, end: grid }
  const found = firstExact(prepared, { ...sizes, limit: micros + 1 }, work)
  if (found !== null) return found
  const rounded = roundedNear(prepared, { ...sizes, passes: ({ cost }) => cost <= micros })
  return { ...(rounded ?? nothingOf(prepared)), isProven: false, gap: 0 }
}

function byProceeds(prepared: readonly Prepared[], micros: number, work: Work): Solution {
  const curves = prepared.map(({ curve }) => curve)
  const grid = gridOf(curves)
  const hulls = prepared.map(({ free }) => free)
  const end = sizeBound(curves, Number.POSITIVE_INFINITY)
  const least = sizeBringing(hulls, -micros)
  if (least !== null) {
    const sizes = { from: Math.ceil(least / grid) * grid, step: grid, end }
    const found = firstExact(prepared, { ...sizes, limit: 1 - micros }, work)
    if (found !== null && found.cost < 0) return found
    const rounded = found === null ? roundedNear(prepared, { ...sizes, passes: ({ cost }) => -cost >= micros }) : null
    if (rounded !== null) return { ...rounded, isProven: false, gap: 0 }
  }
  // All of it brings less.
  const all = bySize(prepared, end, { ...newWork(work.steps), nodes: Math.max(0, work.nodes) })
  return { ...all, isProven: all.isProven && work.steps > 0 && work.sizes > 0 }
}

interface Sizes {
  from: number
  step: number
  end: number
  /** Only splits that cost less. */
  limit: number
}

/** The first size that has a split; nothing, if it is proven that none has. Null: the work ended before. */
function firstExact(prepared: readonly Prepared[], { from, step, end, limit }: Sizes, work: Work): Solution | null {
  const isBehind = (total: number): boolean => (step < 0 ? total < end : total > end)
  for (let total = from; !isBehind(total); total += step) {
    if (--work.sizes < 0) return null
    const { split, bound, isProven } = exactSplit(prepared, total, work, limit)
    if (split !== null) return { ...split, isProven, gap: isProven ? 0 : gapOf(split, bound) }
    if (!isProven) return null
  }
  return nothingOf(prepared)
}

const nothingOf = (prepared: readonly Prepared[]): Solution => ({
  sizes: prepared.map(() => 0),
  cost: 0,
  isProven: true,
  gap: 0,
})
const gapOf = ({ cost }: Split, bound: number): number => Math.max(0, Math.floor(cost - bound))

/** The best of one venue alone, units; 0: none. More never costs less, or brings less. */
export function singleSize(curve: CostCurve, wanted: Wanted, isBuy: boolean): number {
  if (wanted.by === 'size') return orderAtMost(curve, wanted.units)
  const { micros } = wanted
  /** Of a purchase: it is paid for. Of a sale: it brings too little. */
  const isBelow = (units: number): boolean => (isBuy ? curve.cost(units) <= micros : -curve.cost(units) < micros)
  const { ranges, step } = curve
  const inside = lastBelow(ranges.length, (index) => isBelow(ranges[index]!.from))
  if (inside < 0) return isBuy ? 0 : ranges[0]!.from
  const { from, to } = ranges[inside]!
  const last = from + lastBelow((to - from) / step + 1, (count) => isBelow(from + count * step)) * step
  if (isBuy) return last
  return last < to ? last + step : (ranges[inside + 1]?.from ?? last)
}

/** The last of `count` that passes, where those after it do not; -1: the first does not. */
function lastBelow(count: number, passes: (index: number) => boolean): number {
  let [good, bad] = [-1, count]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (passes(middle)) good = middle
    else bad = middle
  }
  return good
}

/** An unproven split is never worse than the best venue alone. */
function atLeastSingle(
  prepared: readonly Prepared[],
  wanted: Wanted,
  { isBuy, solution }: { isBuy: boolean; solution: Solution },
): Solution {
  const curves = prepared.map(({ curve }) => curve)
  const better = polished(prepared, solution)
  let best: Solution = { ...solution, ...better }
  for (const [index, curve] of curves.entries()) {
    const units = singleSize(curve, wanted, isBuy)
    if (units === 0) continue
    const sizes = curves.map((_, at) => (at === index ? units : 0))
    const single: Solution = { sizes, cost: curve.cost(units), isProven: false, gap: 0 }
    if (isBetter(single, best, wanted, isBuy)) best = single
  }
  const relaxed = relax(
    prepared.map(({ free }) => free),
    sumOf(best.sizes),
  )
  return { ...best, gap: relaxed === null ? 0 : gapOf(best, relaxed.bound) }
}

function isBetter(a: Split, b: Split, wanted: Wanted, isBuy: boolean): boolean {
  const [more, less] = [sumOf(a.sizes), sumOf(b.sizes)]
  if (wanted.by === 'amount' && !isBuy) {
    const [reachesA, reachesB] = [-a.cost >= wanted.micros, -b.cost >= wanted.micros]
    if (reachesA !== reachesB) return reachesA
    if (reachesA) return more < less || (more === less && a.cost < b.cost)
  }
  return more > less || (more === less && a.cost < b.cost)
}
