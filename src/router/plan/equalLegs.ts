// Orders of one size in several markets that together pay a known amount: the size with the largest edge now.
import { unitMicros } from '#arbitrage/structures/position'
import { bundleCurve } from './bundleCurve.ts'
import { type CostCurve, floorTo, isOrderSize } from './offer.ts'
import type { OfferCurve, OfferQuote } from './offerCurve.ts'

export interface EqualLegs {
  units: number
  quotes: OfferQuote[]
  /** Paid in the worst case, less what the settlement costs, micros. */
  payout: number
  /** Prices and taker fees. */
  capital: number
  /** Payout less capital. */
  edge: number
}

export interface EqualLegsRequest {
  /** How many of the legs pay at least. */
  winners: number
  /** Not more. */
  unitsMax: number
  /** Only this size. */
  isExact: boolean
}

/** Ranges whose inner sizes are tried, and how many on each side of an end: fees round differently there. */
const rangesMax = 8
const stepsNear = 8

/** Null: the legs have no common order size. */
export function bestEqualLegs(curves: readonly OfferCurve[], request: EqualLegsRequest): EqualLegs | null {
  const together = bundleCurve(curves)
  const { unitsMax, isExact, winners } = request
  const at = (units: number): EqualLegs => legsAt(curves, units, winners)
  if (isExact) return isOrderSize(together, unitsMax) ? at(unitsMax) : null
  const ends = endsOf(together, unitsMax).map((units) => at(units))
  ends.sort((a, b) => b.edge - a.edge)
  let best = ends[0] ?? null
  for (const { units } of ends.slice(0, rangesMax))
    for (let count = -stepsNear; count <= stepsNear; count++) {
      const near = units + count * together.step
      if (near > unitsMax || !isOrderSize(together, near)) continue
      const legs = at(near)
      if (best === null || legs.edge > best.edge) best = legs
    }
  return best
}

function endsOf({ ranges, step }: CostCurve, unitsMax: number): number[] {
  return ranges.flatMap(({ from, to }) => {
    if (from > unitsMax) return []
    const last = Math.min(to, floorTo(unitsMax, step))
    return last > from ? [from, last] : [from]
  })
}

/** Which legs win is not known: the most expensive settlements count. */
function legsAt(curves: readonly OfferCurve[], units: number, winners: number): EqualLegs {
  const quotes = curves.map((curve) => curve.quote(units))
  const settlements = quotes.map(({ settlement }) => settlement).sort((a, b) => b - a)
  // With more winners than the least there is more to pay, and to pay from.
  const settlement = settlements.slice(0, winners).reduce((sum, each) => sum + each, 0)
  const payout = winners * units * unitMicros - settlement
  const capital = quotes.reduce((sum, { notional, fee }) => sum + notional + fee, 0)
  return { units, quotes, payout, capital, edge: payout - capital }
}
