// The plan of a purchase or a sale over several venues: the split, what each venue alone would cost, and why venues were left out.
import { bundleCurve } from './bundleCurve.ts'
import { type CostCurve, largestOf, type VenueOffer } from './offer.ts'
import { OfferCurve, type OfferQuote, type OfferRefusal } from './offerCurve.ts'
import { singleSize, solve, type Wanted } from './solve.ts'

/** One way to trade the outcome: an order, or several of one size that together are worth the same. */
export interface Candidate {
  id: string
  parts: readonly Omit<VenueOffer, 'unitsMax' | 'microsMax'>[]
  /** Of its oldest book; null: not known. */
  ageMs: number | null
}

export type LeftOut = OfferRefusal | 'book_too_old' | 'book_age_unknown' | 'not_in_the_best_split'

export interface PlannedShare {
  id: string
  units: number
  /** Micros with all fees; below zero for a sale. */
  cost: number
  /** One for each part of its candidate. */
  quotes: OfferQuote[]
}

export interface RoutePlan {
  shares: PlannedShare[]
  units: number
  cost: number
  /** The request is met in full. */
  isFilled: boolean
  isProven: boolean
  /** A split of this size that costs less by more does not exist, micros. */
  gap: number
  /** What each venue alone would do. */
  singles: { id: string; units: number; cost: number }[]
  leftOut: { id: string; reason: LeftOut }[]
}

export interface RouteRequest {
  isBuy: boolean
  wanted: Wanted
  /** Null: books of any age. */
  ageMaxMs: number | null
}

/** More ways are not compared: those given first count. */
export const candidatesMax = 24

export function planRoute(candidates: readonly Candidate[], { isBuy, wanted, ageMaxMs }: RouteRequest): RoutePlan {
  const leftOut: RoutePlan['leftOut'] = []
  const usable: { id: string; curves: OfferCurve[]; curve: CostCurve }[] = []
  for (const { id, parts, ageMs } of candidates) {
    const isOld = ageMaxMs !== null && (ageMs === null || ageMs > ageMaxMs)
    const found = isOld ? (ageMs === null ? 'book_age_unknown' : 'book_too_old') : curvesOf(parts, wanted, isBuy)
    if (typeof found === 'string') leftOut.push({ id, reason: found })
    else usable.push({ id, ...found })
  }
  const curves = usable.map(({ curve }) => curve)
  const solution = solve(curves, wanted, { isBuy })
  const shares: PlannedShare[] = []
  for (const [index, { id, curves: parts, curve }] of usable.entries()) {
    const units = solution.sizes[index] ?? 0
    if (units === 0) leftOut.push({ id, reason: unusedReason(curve, wanted, isBuy) })
    else shares.push({ id, units, cost: curve.cost(units), quotes: parts.map((part) => part.quote(units)) })
  }
  const units = shares.reduce((sum, share) => sum + share.units, 0)
  return {
    shares,
    units,
    cost: solution.cost,
    isFilled: isMet(wanted, { isBuy, units, cost: solution.cost, curves }),
    isProven: solution.isProven,
    gap: solution.gap,
    singles: usable.map(({ id, curve }) => {
      const alone = singleSize(curve, wanted, isBuy)
      return { id, units: alone, cost: curve.cost(alone) }
    }),
    leftOut,
  }
}

function unusedReason(curve: CostCurve, wanted: Wanted, isBuy: boolean): LeftOut {
  const { from } = curve.ranges[0]!
  const isTooLarge = wanted.by === 'size' ? from > wanted.units : isBuy && curve.cost(from) > wanted.micros
  return isTooLarge ? 'below_minimum_order' : 'not_in_the_best_split'
}

function curvesOf(
  parts: Candidate['parts'],
  wanted: Wanted,
  isBuy: boolean,
): { curves: OfferCurve[]; curve: CostCurve } | OfferRefusal {
  const unitsMax = wanted.by === 'size' ? wanted.units : Number.POSITIVE_INFINITY
  const microsMax = wanted.by === 'amount' && isBuy ? wanted.micros : Number.POSITIVE_INFINITY
  const curves: OfferCurve[] = []
  for (const part of parts) {
    const curve = OfferCurve.of({ ...part, unitsMax, microsMax })
    if (typeof curve === 'string') return curve
    curves.push(curve)
  }
  const curve = curves.length === 1 ? curves[0]! : bundleCurve(curves)
  return curve.ranges.length === 0 ? 'below_minimum_order' : { curves, curve }
}

/** A purchase by amount is met unless all that is offered costs less: levels behind the amount were not read. */
function isMet(
  wanted: Wanted,
  { isBuy, units, cost, curves }: { isBuy: boolean; units: number; cost: number; curves: readonly CostCurve[] },
): boolean {
  if (wanted.by === 'size') return units === wanted.units
  if (!isBuy) return units > 0 && -cost >= wanted.micros
  return units > 0 && units < curves.reduce((sum, curve) => sum + largestOf(curve), 0)
}
