// Offers, candidates and brute force for tests of the router.
import type { FeeModel, SettlementFee } from '#arbitrage/fees'
import type { CostCurve, VenueOffer } from '#router/plan/offer'
import { OfferCurve } from '#router/plan/offerCurve'
import type { Wanted } from '#router/plan/solve'

export const feeModels: readonly FeeModel[] = [
  { kind: 'none' },
  { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
  { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'centicent' },
  { kind: 'quadratic_half_even', rate: 0.06 },
  { kind: 'polymarket_curve', rate: 0.05, exponent: 1 },
  { kind: 'polymarket_curve', rate: 0.25, exponent: 2 },
]

export const settlementFees: readonly SettlementFee[] = [
  { kind: 'none' },
  { kind: 'payout_rate', rate: 0.02 },
  { kind: 'profit_rate', rate: 0.1 },
]

/** `[cents, units]` of each level. */
export const offer = (levels: readonly (readonly [number, number])[], more: Partial<VenueOffer> = {}): VenueOffer => ({
  isBuy: true,
  levels: levels.map(([cents, units]) => ({ micros: cents * 10_000, units })),
  fee: { kind: 'none' },
  settlementFee: { kind: 'none' },
  tickMicros: 10_000,
  stepUnits: 1,
  minimumUnits: 1,
  minimumMicros: 0,
  minimumOtherMicros: 0,
  worstMicros: null,
  available: null,
  unitsMax: Number.POSITIVE_INFINITY,
  microsMax: Number.POSITIVE_INFINITY,
  ...more,
})

export const curvesOf = (offers: readonly VenueOffer[]): OfferCurve[] =>
  offers.flatMap((each) => {
    const curve = OfferCurve.of(each)
    return typeof curve === 'string' ? [] : [curve]
  })

export const sizesOf = ({ ranges, step }: CostCurve): number[] =>
  ranges.flatMap(({ from, to }) => Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step))

export interface Found {
  units: number
  cost: number
}

/** Every combination of order sizes. */
export function bruteForce(curves: readonly CostCurve[], wanted: Wanted, isBuy: boolean): Found {
  let best: Found = { units: 0, cost: 0 }
  const choices = curves.map((curve) =>
    [0, ...sizesOf(curve)].map((units): Found => ({ units, cost: curve.cost(units) })),
  )
  const visit = (index: number, units: number, cost: number): void => {
    if (index === curves.length) {
      if (isAllowed({ units, cost }, wanted, isBuy) && isBetter({ units, cost }, best, wanted, isBuy))
        best = { units, cost }
      return
    }
    for (const choice of choices[index]!) visit(index + 1, units + choice.units, cost + choice.cost)
  }
  visit(0, 0, 0)
  return best
}

const isAllowed = ({ units, cost }: Found, wanted: Wanted, isBuy: boolean): boolean =>
  wanted.by === 'size' ? units <= wanted.units : !isBuy || cost <= wanted.micros

export function isBetter(a: Found, b: Found, wanted: Wanted, isBuy: boolean): boolean {
  if (wanted.by === 'amount' && !isBuy) {
    const [reachesA, reachesB] = [-a.cost >= wanted.micros, -b.cost >= wanted.micros]
    if (reachesA !== reachesB) return reachesA
    if (reachesA) return a.units < b.units || (a.units === b.units && a.cost < b.cost)
  }
  return a.units > b.units || (a.units === b.units && a.cost < b.cost)
}
