// Every split of every size at once, for small problems: the least cost of each size over the first curves, one curve after another.
import type { CostCurve } from './offer.ts'

export interface SplitTable {
  /** Sizes are multiples of it. */
  grid: number
  /** By size in `grid`: the least cost, infinite where no split has that size. */
  costs: Float64Array
  /** Per curve, of a size in `grid` that has a split. */
  split(index: number): number[]
}

/** Sizes of a curve up to `total`. */
const sizesIn = ({ ranges, step }: CostCurve, total: number): number =>
  ranges.reduce((sum, { from, to }) => (from > total ? sum : sum + (Math.min(to, total) - from) / step + 1), 0)

/** Null: it would take more than `stepsMax` steps. */
export function splitTable(
  curves: readonly CostCurve[],
  total: number,
  grid: number,
  stepsMax: number,
): SplitTable | null {
  const width = Math.floor(total / grid) + 1
  if (width > stepsMax) return null
  const steps = curves.reduce((sum, curve) => sum + (Math.floor(sizesIn(curve, total)) + 1) * width, 0)
  if (steps > stepsMax) return null
  let costs = new Float64Array(width).fill(Number.POSITIVE_INFINITY)
  costs[0] = 0
  const taken = curves.map((curve) => {
    const chosen = new Int32Array(width)
    costs = withCurve(costs, curve, { grid, chosen })
    return chosen
  })
  return {
    grid,
    costs,
    split(index) {
      let at = index
      const sizes = new Array<number>(curves.length).fill(0)
      for (let i = curves.length - 1; i >= 0; i--) {
        const units = taken[i]![at]!
        sizes[i] = units * grid
        at -= units
      }
      return sizes
    },
  }
}

/** `chosen`: what is taken of the curve, in `grid`. */
function withCurve(
  before: Float64Array,
  curve: CostCurve,
  { grid, chosen }: { grid: number; chosen: Int32Array },
): Float64Array<ArrayBuffer> {
  const after = Float64Array.from(before)
  const total = (before.length - 1) * grid
  for (const { from, to } of curve.ranges) {
    for (let units = from; units <= Math.min(to, total); units += curve.step) {
      const cost = curve.cost(units)
      const shift = units / grid
      for (let at = shift; at < before.length; at++) {
        const sum = before[at - shift]! + cost
        if (sum >= after[at]!) continue
        after[at] = sum
        chosen[at] = shift
      }
    }
  }
  return after
}
