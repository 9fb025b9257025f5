// Curves with what the search reads of them many times.
import { type CostCurve, greatestCommonDivisor, largestOf } from './offer.ts'
import { type Hull, lowerHull, type RangeCosts } from './relaxation.ts'

export interface Prepared {
  curve: CostCurve
  low: RangeCosts
  /** With the choice of leaving the venue out. */
  free: Hull | null
}

/** Of a venue in one branch of the search: used or not, used, or left out. */
export type Use = 'free' | 'used' | 'unused'

export function prepare(curve: CostCurve): Prepared {
  const { ranges } = curve
  const low: RangeCosts = { from: new Float64Array(ranges.length), to: new Float64Array(ranges.length) }
  for (let i = 0; i < ranges.length; i++) {
    const { from, to } = ranges[i]!
    low.from[i] = curve.lower(from)
    low.to[i] = curve.lower(to)
  }
  return { curve, low, free: lowerHull(curve, low, true) }
}

export function hullFor({ curve, low, free }: Prepared, use: Use): Hull | null {
  if (use === 'unused') return null
  return use === 'free' ? free : lowerHull(curve, low, false)
}

/** Every total size is a multiple of it; 0: there are no curves. */
export const gridOf = (curves: readonly CostCurve[]): number =>
  curves.map(({ step }) => step).reduce(greatestCommonDivisor, 0)

/**
 * No split is larger, up to `wanted`. Where each step is a multiple of every finer one, and no minimum prevents it, a split has this size: as much
 * as possible with the coarsest steps leaves the least to the finer ones.
 */
export function sizeBound(curves: readonly CostCurve[], wanted: number): number {
  const grid = gridOf(curves)
  if (grid === 0) return 0
  const coarseFirst = curves.toSorted((a, b) => b.step - a.step)
  const isChain = coarseFirst.every(({ step }, index) => index === 0 || coarseFirst[index - 1]!.step % step === 0)
  const depth = curves.reduce((sum, curve) => sum + largestOf(curve), 0)
  const most = Math.min(wanted, depth)
  if (!isChain) return Math.floor(most / grid) * grid
  let left = most
  for (const curve of coarseFirst) left -= Math.min(largestOf(curve), Math.floor(left / curve.step) * curve.step)
  return most - left
}
