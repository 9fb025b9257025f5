// One venue's offer as a cost curve: the order sizes that its venue takes, and what each costs with its fee.
import { compileFee, settlementMicros } from '#arbitrage/fees'
import type { Offer } from '#arbitrage/structures/input'
import { unitMicros, unitsPerContract } from '#arbitrage/structures/position'
import { ONE } from '#core/price'
import { type FeeCurve, feeCurve } from './feeCurve.ts'
import { type CostCurve, ceilTo, floorTo, type SizeRange, type VenueOffer } from './offer.ts'

/** Of one order, micros. */
export interface OfferQuote {
  /** Paid for a purchase, rounded up, or received for a sale, rounded down; before fees. */
  notional: number
  fee: number
  /** Charged if what is bought wins. */
  settlement: number
  /** The worst price taken, on the market's tick: the order's limit price. */
  limitMicros: number
}

/** Why nothing can be ordered. */
export type OfferRefusal =
  | 'fee_unknown'
  | 'settlement_fee_unknown'
  | 'no_offers'
  | 'worst_price'
  | 'no_balance'
  | 'below_minimum_order'

export class OfferCurve implements CostCurve {
  readonly step: number
  readonly ranges: readonly SizeRange[]
  private readonly offer: VenueOffer
  private readonly levels: readonly Offer[]
  private readonly fees: FeeCurve
  /** Units, and micros times units, up to the start of each level. */
  private readonly unitsBefore: Float64Array
  private readonly weighedBefore: Float64Array
  private readonly settlementRate: number
  private lastLevel = 0

  private constructor(offer: VenueOffer, levels: readonly Offer[]) {
    this.offer = offer
    this.levels = levels
    this.step = offer.stepUnits
    this.fees = feeCurve(compileFee(offer.fee), levels)
    this.unitsBefore = new Float64Array(levels.length + 1)
    this.weighedBefore = new Float64Array(levels.length + 1)
    for (const [index, { micros, units }] of levels.entries()) {
      this.unitsBefore[index + 1] = this.unitsBefore[index]! + units
      this.weighedBefore[index + 1] = this.weighedBefore[index]! + micros * units
    }
    const { settlementFee } = offer
    this.settlementRate = offer.isBuy && 'rate' in settlementFee ? Math.round(settlementFee.rate * 1e4) / 1e4 : 0
    this.ranges = this.withinBalance(this.orderRanges())
  }

  static of(offer: VenueOffer): OfferCurve | OfferRefusal {
    const { fee, settlementFee, isBuy, worstMicros, available } = offer
    if (compileFee(fee).mode === 'unknown') return 'fee_unknown'
    if (isBuy && settlementMicros(settlementFee, ONE, 0) < 0) return 'settlement_fee_unknown'
    const levels: Offer[] = []
    const weighedMax = offer.microsMax * unitsPerContract
    let depth = 0
    let weighed = 0
    let isWorse = false
    for (let i = 0; i < offer.levels.length && depth < offer.unitsMax && weighed < weighedMax; i++) {
      const level = offer.levels[i]!
      const limit = limitOf(offer, level.micros)
      if (!(level.micros > 0 && level.units > 0 && limit > 0 && limit < ONE)) continue
      isWorse = worstMicros !== null && (isBuy ? limit > worstMicros : limit < worstMicros)
      if (isWorse) break
      levels.push(level)
      depth += level.units
      weighed += level.micros * level.units
    }
    if (levels.length === 0) return isWorse ? 'worst_price' : 'no_offers'
    const curve = new OfferCurve(offer, levels)
    if (curve.ranges.length > 0) return curve
    return available !== null && new OfferCurve({ ...offer, available: null }, levels).ranges.length > 0
      ? 'no_balance'
      : 'below_minimum_order'
  }

  cost(units: number): number {
    if (units === 0) return 0
    const { notional, fee, settlement } = this.quote(units)
    return this.offer.isBuy ? notional + fee + settlement : fee - notional
  }

  lower(units: number): number {
    if (units === 0) return 0
    const level = this.levelOf(units)
    const inLevel = units - this.unitsBefore[level]!
    const notional = (this.weighedBefore[level]! + this.levels[level]!.micros * inLevel) / unitsPerContract
    const fee = this.fees.lowerAt(level, inLevel)
    if (!this.offer.isBuy) return fee - notional
    const base = this.offer.settlementFee.kind === 'profit_rate' ? units * unitMicros - notional : units * unitMicros
    return notional + fee + this.settlementRate * base
  }

  /** Of an order size. */
  quote(units: number): OfferQuote {
    const { offer, levels } = this
    const level = this.levelOf(units)
    const inLevel = units - this.unitsBefore[level]!
    const { micros } = levels[level]!
    const weighed = this.weighedBefore[level]! + micros * inLevel
    const notional = offer.isBuy ? Math.ceil(weighed / unitsPerContract) : Math.floor(weighed / unitsPerContract)
    return {
      notional,
      fee: this.fees.at(level, inLevel),
      settlement: this.settlementRate === 0 ? 0 : settlementMicros(offer.settlementFee, units * unitMicros, notional),
      limitMicros: limitOf(offer, micros),
    }
  }

  /** The level of the last unit. */
  private levelOf(units: number): number {
    const { unitsBefore, lastLevel } = this
    if (unitsBefore[lastLevel]! < units && units <= unitsBefore[lastLevel + 1]!) return lastLevel
    let [low, high] = [0, this.levels.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (unitsBefore[middle + 1]! < units) low = middle + 1
      else high = middle
    }
    this.lastLevel = low
    return low
  }

  private orderRanges(): SizeRange[] {
    const { offer, levels, step, unitsBefore, weighedBefore } = this
    const { minimumUnits, minimumMicros, minimumOtherMicros } = offer
    const ranges: SizeRange[] = []
    for (let level = 0; level < levels.length; level++) {
      const { micros } = levels[level]!
      const start = unitsBefore[level]!
      const short = minimumMicros * unitsPerContract - weighedBefore[level]!
      const byNotional = short <= 0 ? 0 : start + Math.ceil(short / micros)
      const byOther =
        minimumOtherMicros === 0
          ? 0
          : Math.ceil((minimumOtherMicros * unitsPerContract) / (ONE - limitOf(offer, micros)))
      const from = ceilTo(Math.max(start + 1, minimumUnits, byNotional, byOther), step)
      const to = floorTo(unitsBefore[level + 1]!, step)
      if (from <= to) ranges.push({ from, to })
    }
    return ranges
  }

  private withinBalance(ranges: readonly SizeRange[]): SizeRange[] {
    const { available, isBuy } = this.offer
    if (available === null) return [...ranges]
    return ranges.flatMap(({ from, to }) => {
      const most = isBuy ? this.mostFor(available, from, to) : Math.min(to, floorTo(available, this.step))
      return most !== null && most >= from ? [{ from, to: most }] : []
    })
  }

  /** The largest size of a range that so many micros pay for; more never costs less. */
  private mostFor(micros: number, from: number, to: number): number | null {
    const pays = (units: number): boolean => {
      const { notional, fee } = this.quote(units)
      return notional + fee <= micros
    }
    if (!pays(from)) return null
    let [good, bad] = [0, (to - from) / this.step + 1]
    while (bad - good > 1) {
      const middle = (good + bad) >> 1
      if (pays(from + middle * this.step)) good = middle
      else bad = middle
    }
    return from + good * this.step
  }
}

/** Towards the worse price: a limit off the tick would be refused, or miss the level. */
const limitOf = ({ tickMicros, isBuy }: VenueOffer, micros: number): number =>
  isBuy ? Math.ceil(micros / tickMicros) * tickMicros : Math.floor(micros / tickMicros) * tickMicros
