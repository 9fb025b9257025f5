// What is returned where the exact search does not end in time: rounded relaxations near the size that the bounds allow.
import type { Prepared } from './prepared.ts'
import { relax } from './relaxation.ts'
import { polish, roundBelow, roundSplit, type Split } from './rounding.ts'
import { newWork } from './work.ts'

/** For each of the two. */
const roundingSteps = 2_000
const polishSteps = 1_000
/** Sizes that are tried. */
const triesMax = 12

const curvesOf = (prepared: readonly Prepared[]) => prepared.map(({ curve }) => curve)

function relaxedSizes(prepared: readonly Prepared[], total: number): number[] | null {
  return (
    relax(
      prepared.map(({ free }) => free),
      total,
    )?.sizes ?? null
  )
}

/** Up to `total`. */
export function roundedUpTo(prepared: readonly Prepared[], total: number): Split {
  const near = relaxedSizes(prepared, total) ?? prepared.map(() => 0)
  return roundBelow(curvesOf(prepared), near, total, newWork(roundingSteps))
}

export interface Nearest {
  /** Where the bounds allow the first size, and how to go on from there. */
  from: number
  step: number
  /** Not beyond it. */
  end: number
  passes(split: Split): boolean
}

/** The first size that passes, by steps that double and then by halving; null: none was found. */
export function roundedNear(prepared: readonly Prepared[], { from, step, end, passes }: Nearest): Split | null {
  const work = newWork(roundingSteps)
  const curves = curvesOf(prepared)
  const most = Math.floor((end - from) / step)
  const at = (count: number): Split | null => {
    const total = from + count * step
    const near = relaxedSizes(prepared, total)
    const split = near === null ? null : roundSplit(curves, near, total, work)
    return split !== null && passes(split) ? split : null
  }
  let [bad, good] = [-1, 0]
  let best: Split | null = null
  for (let tries = 0; tries < triesMax; tries++) {
    if (best !== null && good - bad <= 1) break
    const next = best === null ? Math.min(most, good) : bad + Math.ceil((good - bad) / 2)
    if (next <= bad) break
    const split = at(next)
    if (split !== null) {
      best = split
      good = next
    } else {
      bad = next
      if (best === null) good = Math.max(1, 2 * next)
    }
  }
  return best
}

/** Steps are moved between venues while that costs less. */
export const polished = (prepared: readonly Prepared[], split: Split): Split =>
  polish(curvesOf(prepared), split, newWork(polishSteps))
