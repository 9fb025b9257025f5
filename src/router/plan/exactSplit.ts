// The cheapest split of exactly one size, with a proof: branch and bound. The relaxation divides a venue below its smallest order: it is then either
// used with at least that, or left out. Where it does not, the few sizes that can still be better are searched.
import type { CostCurve } from './offer.ts'
import { hullFor, type Prepared, type Use } from './prepared.ts'
import { type Relaxed, relax } from './relaxation.ts'
import { roundSplit, type Split } from './rounding.ts'
import { searchWindow, tolerance } from './windowSearch.ts'
import type { Work } from './work.ts'

export interface ExactSplit {
  /** The best that was found; null: none. */
  split: Split | null
  /** No split of this size costs less, micros. */
  bound: number
  /** Nothing better exists; without a split: none below the limit exists. */
  isProven: boolean
}

interface Node {
  uses: Use[]
  relaxed: Relaxed
}

/** `limit`: only splits that cost less. */
export function exactSplit(
  prepared: readonly Prepared[],
  total: number,
  work: Work,
  limit = Number.POSITIVE_INFINITY,
): ExactSplit {
  const curves: CostCurve[] = prepared.map(({ curve }) => curve)
  let best: Split | null = null
  let upper = limit
  const take = (split: Split | null): void => {
    if (split === null || split.cost >= upper) return
    best = split
    upper = split.cost
  }
  const open: Node[] = []
  const push = (uses: Use[]): void => {
    const relaxed = relax(
      prepared.map((each, index) => hullFor(each, uses[index]!)),
      total,
    )
    if (relaxed === null || isClosed(relaxed.bound, upper)) return
    take(roundSplit(curves, relaxed.sizes, total, work))
    if (!isClosed(relaxed.bound, upper)) open.push({ uses, relaxed })
  }
  push(prepared.map(() => 'free'))
  /** The least bound of what was given up. */
  let givenUp = Number.POSITIVE_INFINITY
  while (open.length > 0) {
    const at = leastBound(open)
    const [node] = open.splice(at, 1)
    const { uses, relaxed } = node!
    if (isClosed(relaxed.bound, upper)) break
    if (--work.nodes < 0 || work.steps <= 0) {
      givenUp = Math.min(givenUp, relaxed.bound)
      break
    }
    const divided = relaxed.divided
    if (divided !== null && uses[divided] === 'free' && isBelowSmallest(prepared[divided]!, relaxed.sizes[divided]!)) {
      push(uses.with(divided, 'unused'))
      push(uses.with(divided, 'used'))
      continue
    }
    const found = searchWindow({ prepared, uses, relaxed, total, limit: upper }, work)
    if (found.kind === 'done') take(found.split)
    else givenUp = Math.min(givenUp, relaxed.bound)
  }
  const isProven = givenUp === Number.POSITIVE_INFINITY || isClosed(givenUp, upper)
  return { split: best, bound: isProven ? upper : givenUp, isProven }
}

/** Costs are whole micros: between the bound and the best that is known there is none. */
const isClosed = (bound: number, upper: number): boolean => bound > upper - 1 + tolerance

const isBelowSmallest = ({ curve }: Prepared, size: number): boolean => size < curve.ranges[0]!.from

function leastBound(open: readonly Node[]): number {
  let at = 0
  for (let i = 1; i < open.length; i++) if (open[i]!.relaxed.bound < open[at]!.relaxed.bound) at = i
  return at
}
