// The input of a plan: what one venue offers on one outcome, as plain integers. Nothing here looks anything up.
import type { FeeModel, SettlementFee } from '#arbitrage/fees'
import type { Offer, StructureMarket } from '#arbitrage/structures/input'

/** Sizes are hundredths of a contract (units), prices and money are millionths of a dollar (micros). */
export interface VenueOffer extends Omit<StructureMarket, 'key' | 'venue' | 'fee' | 'settlementFee'> {
  isBuy: boolean
  /** What a taker meets, best first: asks for a purchase, bids for a sale. */
  levels: readonly Offer[]
  fee: FeeModel
  /** Of what is bought; charged if it wins. */
  settlementFee: SettlementFee
  /** No worse limit price; null: any. */
  worstMicros: number | null
  /** No larger order is needed, units, or micros before fees: levels behind it are not read. */
  unitsMax: number
  microsMax: number
  /** Micros that a purchase can spend, or units that can be sold; null: not known, and not a limit. */
  available: number | null
}

/** Order sizes within one price level: every multiple of the step from `from` to `to`. */
export interface SizeRange {
  from: number
  to: number
}

/** What sizes of something cost: one order, or several that are always placed together. */
export interface CostCurve {
  /** Every order size is a multiple of it. */
  readonly step: number
  /** Ascending and disjoint. No order: not a size of it. */
  readonly ranges: readonly SizeRange[]
  /** Exact, whole micros; a sale costs less than nothing. Of 0, or of an order size. */
  cost(units: number): number
  /** Not above `cost`, and linear within a range. */
  lower(units: number): number
}

export const floorTo = (value: number, step: number): number => Math.floor(value / step) * step
export const ceilTo = (value: number, step: number): number => Math.ceil(value / step) * step

export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y > 0) [x, y] = [y, x % y]
  return x
}

export const leastCommonMultiple = (a: number, b: number): number => (a / greatestCommonDivisor(a, b)) * b

/** The largest order size up to `units`; 0: none. */
export function orderAtMost({ ranges, step }: CostCurve, units: number): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.from <= units) low = middle + 1
    else high = middle
  }
  return low === 0 ? 0 : Math.min(ranges[low - 1]!.to, floorTo(units, step))
}

/** The smallest order size from `units` on; null: none. */
export function orderAtLeast({ ranges, step }: CostCurve, units: number): number | null {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.to < units) low = middle + 1
    else high = middle
  }
  return low === ranges.length ? null : Math.max(ranges[low]!.from, ceilTo(units, step))
}

export const isOrderSize = (curve: CostCurve, units: number): boolean =>
  units > 0 && units % curve.step === 0 && orderAtMost(curve, units) === units

/** The largest order; 0: there is none. */
export const largestOf = ({ ranges }: CostCurve): number => ranges.at(-1)?.to ?? 0
