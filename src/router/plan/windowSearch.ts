// The best split of one size, by bounds: a venue's size costs at least so much more than the relaxation, and together these may not exceed what is
// still to be gained. Few sizes of each venue are left, and their combinations are examined one venue after another.
import { ceilTo, floorTo, isOrderSize } from './offer.ts'
import type { Prepared, Use } from './prepared.ts'
import type { Relaxed } from './relaxation.ts'
import type { Split } from './rounding.ts'
import type { Work } from './work.ts'

/** Costs are whole micros; sums of bounds are not, by far less than this. */
export const tolerance = 0.01
const firstWindow = 64
const growth = 16

export type Search = { kind: 'done'; split: Split | null } | { kind: 'unfinished' }

export interface SearchTask {
  prepared: readonly Prepared[]
  uses: readonly Use[]
  relaxed: Relaxed
  total: number
  /** Only splits that cost less. */
  limit: number
}

export function searchWindow(task: SearchTask, work: Work): Search {
  const { relaxed, limit } = task
  /** Whole micros: the next better split costs at least one less. */
  const most = limit - 1 - relaxed.bound + tolerance
  if (most < 0) return { kind: 'done', split: null }
  for (let window = Math.min(firstWindow, most); ; ) {
    const sizes = task.prepared.map((_, index) => sizesWithin(task, index, window))
    const found = combine(task, sizes, window, work)
    if (found.kind === 'unfinished' || found.split !== null || window >= most) return found
    // With every size in it only their sums are still too expensive.
    window = sizes.every(({ isWhole }) => isWhole) ? most : Math.min(window * growth, most)
  }
}

interface Candidates {
  ranges: { from: number; to: number }[]
  withZero: boolean
  count: number
  /** Nothing was left out. */
  isWhole: boolean
}

function sizesWithin({ prepared, uses, relaxed }: SearchTask, index: number, window: number): Candidates {
  const { curve, low } = prepared[index]!
  const use = uses[index]!
  const { slope } = relaxed
  const base = relaxed.reduced[index]!
  const most = window + tolerance
  const withZero = use !== 'used' && -base <= most
  const found: Candidates = { ranges: [], withZero, count: withZero ? 1 : 0, isWhole: use === 'used' || withZero }
  if (use === 'unused') return found
  const { ranges, step } = curve
  for (let i = 0; i < ranges.length; i++) {
    const { from, to } = ranges[i]!
    const a = low.from[i]! - slope * from - base
    const b = low.to[i]! - slope * to - base
    if (a > most && b > most) {
      found.isWhole = false
      continue
    }
    // One step more on each side: the crossing is computed in doubles.
    const first = a <= most ? from : Math.max(from, floorTo(from + ((a - most) / (a - b)) * (to - from), step))
    const last = b <= most ? to : Math.min(to, ceilTo(from + ((most - a) / (b - a)) * (to - from), step))
    if (first > from || last < to) found.isWhole = false
    found.ranges.push({ from: first, to: last })
    found.count += (last - first) / step + 1
  }
  return found
}

interface Extra {
  size: number
  /** Cost above the relaxation. */
  extra: number
}

/** Partial splits, by position: one for each sum, the cheapest. */
interface Partials {
  sums: number[]
  extras: number[]
  /** Position of the partial split that it extends, and the size that was added. */
  parents: number[]
  added: number[]
}

function combine(task: SearchTask, candidates: readonly Candidates[], window: number, work: Work): Search {
  const { prepared, total } = task
  // The venue with most sizes takes what the others leave: its sizes are not listed.
  const order = candidates.map((_, index) => index).sort((a, b) => candidates[a]!.count - candidates[b]!.count)
  const last = order.pop()
  if (last === undefined) return { kind: 'done', split: null }
  const listed = order.reduce((sum, index) => sum + candidates[index]!.count, 0)
  if (listed > work.steps) return { kind: 'unfinished' }
  work.steps -= listed
  const bounds = order.map((index) => boundsOf(candidates[index]!))
  const lastBounds = boundsOf(candidates[last]!)
  if (lastBounds === null || bounds.includes(null)) return { kind: 'done', split: null }
  const stages: Partials[] = [{ sums: [0], extras: [0], parents: [-1], added: [0] }]
  for (const [stage, index] of order.entries()) {
    const rest = [...bounds.slice(stage + 1), lastBounds]
    const least = rest.reduce((sum, each) => sum + each!.least, 0)
    const most = rest.reduce((sum, each) => sum + each!.most, 0)
    const extras = extrasOf(task, index, candidates[index]!, window)
    const next = extend(stages.at(-1)!, extras, { from: total - most, to: total - least, window, work })
    if (next === null) return { kind: 'unfinished' }
    stages.push(next)
  }
  const ends = stages.at(-1)!
  let best = -1
  let bestExtra = window + tolerance
  for (let at = 0; at < ends.sums.length; at++) {
    const extra = extraOf(task, last, total - ends.sums[at]!)
    if (extra === null || ends.extras[at]! + extra >= bestExtra) continue
    best = at
    bestExtra = ends.extras[at]! + extra
  }
  if (work.steps < ends.sums.length) return { kind: 'unfinished' }
  work.steps -= ends.sums.length
  if (best < 0) return { kind: 'done', split: null }
  const sizes = new Array<number>(prepared.length).fill(0)
  sizes[last] = total - ends.sums[best]!
  for (let stage = stages.length - 1, at = best; stage > 0; stage--) {
    sizes[order[stage - 1]!] = stages[stage]!.added[at]!
    at = stages[stage]!.parents[at]!
  }
  const cost = prepared.reduce((sum, { curve }, index) => sum + curve.cost(sizes[index]!), 0)
  return { kind: 'done', split: { sizes, cost } }
}

/** Null: nothing is left. */
function boundsOf({ ranges, withZero }: Candidates): { least: number; most: number } | null {
  const last = ranges.at(-1)
  if (last === undefined) return withZero ? { least: 0, most: 0 } : null
  return { least: withZero ? 0 : ranges[0]!.from, most: last.to }
}

/** Ascending by what they cost above the relaxation. */
function extrasOf(task: SearchTask, index: number, { ranges, withZero }: Candidates, window: number): Extra[] {
  const { curve } = task.prepared[index]!
  const { slope, reduced } = task.relaxed
  const base = reduced[index]!
  const found: Extra[] = withZero ? [{ size: 0, extra: -base }] : []
  for (const { from, to } of ranges)
    for (let size = from; size <= to; size += curve.step) {
      const extra = curve.cost(size) - slope * size - base
      if (extra <= window + tolerance) found.push({ size, extra })
    }
  return found.sort((a, b) => a.extra - b.extra)
}

/** Null: not an allowed size. */
function extraOf({ prepared, uses, relaxed }: SearchTask, index: number, size: number): number | null {
  const { curve } = prepared[index]!
  const use = uses[index]!
  if (size === 0) return use === 'used' ? null : -relaxed.reduced[index]!
  if (use === 'unused' || !isOrderSize(curve, size)) return null
  return curve.cost(size) - relaxed.slope * size - relaxed.reduced[index]!
}

/** Null: too much work. `from` to `to`: sums that the remaining venues can complete. */
function extend(
  before: Partials,
  extras: readonly Extra[],
  { from, to, window, work }: { from: number; to: number; window: number; work: Work },
): Partials | null {
  const after: Partials = { sums: [], extras: [], parents: [], added: [] }
  const atSum = new Map<number, number>()
  for (let parent = 0; parent < before.sums.length; parent++) {
    const left = window + tolerance - before.extras[parent]!
    for (const { size, extra } of extras) {
      if (extra > left) break
      if (--work.steps < 0) return null
      const sum = before.sums[parent]! + size
      if (sum < from || sum > to) continue
      const total = before.extras[parent]! + extra
      const known = atSum.get(sum)
      if (known === undefined) {
        atSum.set(sum, after.sums.length)
        after.sums.push(sum)
        after.extras.push(total)
        after.parents.push(parent)
        after.added.push(size)
      } else if (total < after.extras[known]!) {
        after.extras[known] = total
        after.parents[known] = parent
        after.added[known] = size
      }
    }
  }
  return after
}
