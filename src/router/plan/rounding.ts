// Turns the sizes of a relaxation into orders: a start for the exact search. Where that does not end in time, steps are moved between venues while
// that costs less.
import { type CostCurve, isOrderSize, leastCommonMultiple, orderAtLeast, orderAtMost } from './offer.ts'
import type { Work } from './work.ts'

export interface Split {
  sizes: number[]
  cost: number
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
export const costOf = (curves: readonly CostCurve[], sizes: readonly number[]): number =>
  curves.reduce((sum, curve, index) => sum + curve.cost(sizes[index]!), 0)

const isSize = (curve: CostCurve, units: number): boolean => units === 0 || isOrderSize(curve, units)

/** Orders of exactly `total` near these sizes; null: none was found. */
export function roundSplit(
  curves: readonly CostCurve[],
  near: readonly number[],
  total: number,
  work: Work,
): Split | null {
  const sizes = curves.map((curve, index) => orderAtMost(curve, near[index]!))
  fill(curves, sizes, total, work)
  if (sumOf(sizes) !== total && !exchange(curves, sizes, total, work)) return null
  return { sizes, cost: costOf(curves, sizes) }
}

/** As much of `total` as orders near these sizes make, where they do not make all of it. */
export function roundBelow(curves: readonly CostCurve[], near: readonly number[], total: number, work: Work): Split {
  const sizes = curves.map((curve, index) => orderAtMost(curve, near[index]!))
  fill(curves, sizes, total, work)
  return { sizes, cost: costOf(curves, sizes) }
}

/** As much of `total` as single venues can add, the cheapest first. */
export function fill(curves: readonly CostCurve[], sizes: number[], total: number, work: Work): void {
  for (let left = total - sumOf(sizes); left > 0 && work.steps > 0; left = total - sumOf(sizes)) {
    let best = -1
    let bestSize = 0
    let bestPrice = Number.POSITIVE_INFINITY
    for (const [index, curve] of curves.entries()) {
      const size = sizes[index]!
      const next = orderAtMost(curve, size + left)
      if (next <= size) continue
      work.steps--
      const price = (curve.cost(next) - curve.cost(size)) / (next - size)
      if (price >= bestPrice) continue
      ;[best, bestSize, bestPrice] = [index, next, price]
    }
    if (best < 0) return
    sizes[best] = bestSize
  }
}

/** What is left is smaller than every step: one venue takes more than that, and another one less. */
function exchange(curves: readonly CostCurve[], sizes: number[], total: number, work: Work): boolean {
  const left = total - sumOf(sizes)
  let best: { up: number; down: number; upSize: number; downSize: number } | null = null
  let bestCost = Number.POSITIVE_INFINITY
  for (const [up, curve] of curves.entries()) {
    const upSize = orderAtLeast(curve, sizes[up]! + left)
    if (upSize === null) continue
    const over = upSize - sizes[up]! - left
    for (const [down, other] of curves.entries()) {
      if (down === up || work.steps <= 0) continue
      const downSize = sizes[down]! - over
      if (downSize < 0 || !isSize(other, downSize)) continue
      work.steps -= 2
      const cost = curve.cost(upSize) - curve.cost(sizes[up]!) + other.cost(downSize) - other.cost(sizes[down]!)
      if (cost >= bestCost) continue
      bestCost = cost
      best = { up, down, upSize, downSize }
    }
  }
  if (best === null) return false
  sizes[best.up] = best.upSize
  sizes[best.down] = best.downSize
  return true
}

/** How many common steps of two venues are moved at once. */
const movesMax = 4
const roundsMax = 6

/** Moves steps between venues while that costs less. */
export function polish(curves: readonly CostCurve[], { sizes: given }: Split, work: Work): Split {
  const sizes = [...given]
  for (let round = 0; round < roundsMax && work.steps > 0; round++) {
    let improved = false
    for (let to = 0; to < curves.length; to++)
      for (let from = 0; from < curves.length; from++)
        if (to !== from && sizes[from]! > 0 && move(curves, sizes, { from, to, work })) improved = true
    if (!improved) break
  }
  return { sizes, cost: costOf(curves, sizes) }
}

function move(
  curves: readonly CostCurve[],
  sizes: number[],
  { from, to, work }: { from: number; to: number; work: Work },
): boolean {
  const [giver, taker] = [curves[from]!, curves[to]!]
  const step = leastCommonMultiple(giver.step, taker.step)
  const before = giver.cost(sizes[from]!) + taker.cost(sizes[to]!)
  for (let count = 1; count <= movesMax && work.steps > 0; count++) {
    const [less, more] = [sizes[from]! - count * step, sizes[to]! + count * step]
    if (less < 0 || !isSize(giver, less) || !isSize(taker, more)) continue
    work.steps -= 2
    if (giver.cost(less) + taker.cost(more) >= before) continue
    sizes[from] = less
    sizes[to] = more
    return true
  }
  return false
}
