// What a split costs at least: each curve is replaced by the lower convex hull of its sizes, and the hulls are taken from their cheapest part on.
// The result is a bound for every split of that size, and the price per unit at which nothing can be gained by moving a unit.
import type { CostCurve } from './offer.ts'

/** Ends of a hull's parts. */
export interface Hull {
  sizes: Float64Array
  costs: Float64Array
}

/** The costs of a curve at both ends of each range, not above the exact ones. */
export interface RangeCosts {
  from: Float64Array
  to: Float64Array
}

/** `withZero`: its venue may be left out. Null: it has no order. */
export function lowerHull(
  { ranges }: CostCurve,
  { from: lowFrom, to: lowTo }: RangeCosts,
  withZero: boolean,
): Hull | null {
  const sizes = new Float64Array(2 * ranges.length + 1)
  const costs = new Float64Array(2 * ranges.length + 1)
  let count = withZero ? 1 : 0
  for (let i = 0; i < ranges.length; i++) {
    const { from, to } = ranges[i]!
    count = addPoint(sizes, costs, count, from, lowFrom[i]!)
    if (to > from) count = addPoint(sizes, costs, count, to, lowTo[i]!)
  }
  if (count === 0) return null
  return { sizes: sizes.subarray(0, count), costs: costs.subarray(0, count) }
}

/** Returns the number of points with this one. */
function addPoint(sizes: Float64Array, costs: Float64Array, points: number, size: number, cost: number): number {
  let count = points
  while (count >= 2 && isAbove(sizes, costs, count, size, cost)) count--
  sizes[count] = size
  costs[count] = cost
  return count + 1
}

/** The last point is not below the line from the one before it to the new one. */
function isAbove(sizes: Float64Array, costs: Float64Array, count: number, size: number, cost: number): boolean {
  const [a, b] = [count - 2, count - 1]
  const run = sizes[b]! - sizes[a]!
  return (costs[b]! - costs[a]!) * (size - sizes[a]!) >= (cost - costs[a]!) * run
}

export interface Relaxed {
  /** No split of this size costs less, micros. */
  bound: number
  /** Micros per unit at the margin. */
  slope: number
  /** Per curve; not always an order size. */
  sizes: number[]
  /** Per curve: the least of its cost minus `slope` times its size. */
  reduced: number[]
  /** The curve of which a part is taken in part; null: none. */
  divided: number | null
}

/** Null: no split has this size. A null hull is a venue that is left out. */
export function relax(hulls: readonly (Hull | null)[], total: number): Relaxed | null {
  const count = hulls.length
  const sizes = hulls.map((hull) => hull?.sizes[0] ?? 0)
  let bound = hulls.reduce((sum, hull) => sum + (hull?.costs[0] ?? 0), 0)
  let left = total - sizes.reduce((sum, size) => sum + size, 0)
  if (left < 0) return null
  const walk = new HullWalk(hulls)
  let slope = 0
  let divided: number | null = null
  while (left > 0) {
    const next = walk.take()
    if (next === null) return null
    const taken = Math.min(left, next.size)
    slope = next.slope
    bound += slope * taken
    sizes[next.curve] = sizes[next.curve]! + taken
    left -= taken
    if (taken < next.size) divided = next.curve
  }
  if (slope === 0) slope = walk.take()?.slope ?? 0
  const reduced = new Array<number>(count)
  for (let i = 0; i < count; i++) reduced[i] = leastReduced(hulls[i] ?? null, slope)
  // From the same numbers as the reduced costs, so that their sum is exactly the bound.
  const sum = reduced.reduce((total, each) => total + each, 0) + slope * total
  return { bound: Math.min(bound, sum), slope, sizes, reduced, divided }
}

function leastReduced(hull: Hull | null, slope: number): number {
  if (hull === null) return 0
  const { sizes, costs } = hull
  let [low, high] = [0, sizes.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    const isSteeper = costs[middle + 1]! - costs[middle]! >= slope * (sizes[middle + 1]! - sizes[middle]!)
    if (isSteeper) high = middle
    else low = middle + 1
  }
  return costs[low]! - slope * sizes[low]!
}

/** The parts of all hulls, cheapest first. */
export class HullWalk {
  private readonly hulls: readonly (Hull | null)[]
  private readonly at: Int32Array
  private readonly slopes: Float64Array

  constructor(hulls: readonly (Hull | null)[]) {
    this.hulls = hulls
    this.at = new Int32Array(hulls.length)
    this.slopes = new Float64Array(hulls.length)
    for (let i = 0; i < hulls.length; i++) this.slopes[i] = this.slopeOf(i)
  }

  take(): { curve: number; size: number; slope: number } | null {
    const { slopes, at } = this
    let curve = -1
    let slope = Number.POSITIVE_INFINITY
    for (let i = 0; i < slopes.length; i++) {
      if (slopes[i]! >= slope) continue
      slope = slopes[i]!
      curve = i
    }
    if (curve < 0) return null
    const { sizes } = this.hulls[curve]!
    const from = at[curve]!
    at[curve] = from + 1
    slopes[curve] = this.slopeOf(curve)
    return { curve, size: sizes[from + 1]! - sizes[from]!, slope }
  }

  private slopeOf(curve: number): number {
    const hull = this.hulls[curve]
    const from = this.at[curve]!
    if (hull === null || hull === undefined || from + 1 >= hull.sizes.length) return Number.POSITIVE_INFINITY
    return (hull.costs[from + 1]! - hull.costs[from]!) / (hull.sizes[from + 1]! - hull.sizes[from]!)
  }
}

/** The largest size of which the bound is at most `micros`. Only for rising costs; -1: the smallest size already costs more. */
export function reachFor(hulls: readonly (Hull | null)[], micros: number): number {
  let cost = hulls.reduce((sum, hull) => sum + (hull?.costs[0] ?? 0), 0)
  let size = hulls.reduce((sum, hull) => sum + (hull?.sizes[0] ?? 0), 0)
  if (cost > micros) return -1
  const walk = new HullWalk(hulls)
  for (;;) {
    const next = walk.take()
    if (next === null) return size
    const whole = next.slope * next.size
    if (cost + whole > micros) return size + Math.max(0, Math.floor((micros - cost) / next.slope + 1e-6))
    cost += whole
    size += next.size
  }
}

/** The smallest size of which the bound is at most `micros`, which is negative. Null: none is. */
export function sizeBringing(hulls: readonly (Hull | null)[], micros: number): number | null {
  let cost = 0
  let size = 0
  const walk = new HullWalk(hulls)
  while (cost > micros) {
    const next = walk.take()
    if (next === null || next.slope >= 0) return null
    const whole = next.slope * next.size
    if (cost + whole <= micros) return size + Math.max(0, Math.ceil((micros - cost) / next.slope - 1e-6))
    cost += whole
    size += next.size
  }
  return size
}
