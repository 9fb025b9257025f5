// One answer of one market as a purchase: what a number of contracts costs, including the fee, and what they pay when the answer is true.
import { ONE } from '#core/price'
import { compileFee, type FeeProgram, feeOfLevels, feeOfWeight, settlementMicros } from '../fees.ts'
import { sideFlag } from '../flags.ts'
import { literalOf } from './constraints.ts'
import type { Group } from './groups.ts'
import type { Offer, Offers, OffersOf, StructureMarket } from './input.ts'

/** Sizes are counted in hundredths of a contract. */
export const unitsPerContract = 100
/** What one unit pays, micro-dollars. */
export const unitMicros = ONE / unitsPerContract

/** What can be ordered, and what it costs. */
export interface Orderable {
  market: Omit<StructureMarket, 'key' | 'venue' | 'fee'>
  /** Best first; valid limit prices. */
  levels: readonly Offer[]
  depthUnits: number
  fee: FeeProgram
}

export interface Position extends Orderable {
  market: StructureMarket
  side: 'yes' | 'no'
  literal: number
  /** At most one position per answer is bought. */
  answer: number
  flags: number
  asOf: number | null
}

export interface Quote {
  /** Micro-dollars, rounded up. */
  cost: number
  fee: number
  /** Payoff if the answer is true, less settlement costs. */
  win: number
  /** The worst price taken, on the market's tick: the order's limit price. */
  limitMicros: number
}

/** The answers of a group that have offers and known fees. `executable`: only those that can be bought now. */
export function positionsOf(group: Group, offersOf: OffersOf, { executable }: { executable: boolean }): Position[] {
  return group.markets.flatMap((market, index) => {
    const fee = group.fees[index]!
    if (fee.mode === 'unknown' || market.settlementFee.kind === 'unknown') return []
    return (['yes', 'no'] as const).flatMap((side) => {
      const offers = offersOf(market.key, side)
      const flags = flagsOf(market, offers)
      if (offers === null || (executable ? flags !== 0 : (flags & sideFlag.unavailable) !== 0)) return []
      const levels = orderableLevels(market, offers.levels)
      const depthUnits = levels.reduce((sum, { units }) => sum + units, 0)
      if (levels.length === 0) return []
      const literal = literalOf(index, side)
      const answer = group.answers[literal]!
      return [{ market, side, literal, answer, levels, depthUnits, fee, flags, asOf: offers.asOf }]
    })
  })
}

/** Bits of `sideFlag` that prevent buying this answer at any size. */
export function flagsOf(market: StructureMarket, offers: Offers | null): number {
  const fee = compileFee(market.fee).mode === 'unknown' ? sideFlag.feeUnknown : 0
  const settlement = market.settlementFee.kind === 'unknown' ? sideFlag.settlementUnknown : 0
  if (offers === null) return sideFlag.unavailable | fee | settlement
  return offers.flags | fee | settlement | (offers.levels.length === 0 ? sideFlag.empty : 0)
}

/** Those at valid limit prices. */
export const orderableLevels = (market: Orderable['market'], levels: readonly Offer[]): Offer[] =>
  levels.filter(({ micros, units }) => micros > 0 && limitOf(market, micros) < ONE && units > 0)

const limitOf = ({ tickMicros }: Orderable['market'], micros: number): number =>
  Math.ceil(micros / tickMicros) * tickMicros

/** Null: that size cannot be bought, or not ordered. */
export function quote(position: Orderable, units: number): Quote | null {
  const { market, levels, depthUnits } = position
  if (units > depthUnits || units < market.minimumUnits || units % market.stepUnits !== 0) return null
  let left = units
  let weighed = 0
  let worst = 0
  for (let i = 0; left > 0; i++) {
    const { micros, units: offered } = levels[i]!
    const some = Math.min(left, offered)
    weighed += micros * some
    worst = micros
    left -= some
  }
  const cost = Math.ceil(weighed / unitsPerContract)
  const limitMicros = limitOf(market, worst)
  if (cost < market.minimumMicros || units * (ONE - limitMicros) < market.minimumOtherMicros * unitsPerContract)
    return null
  const settlement = settlementMicros(market.settlementFee, units * unitMicros, cost)
  if (settlement < 0) return null
  return {
    cost,
    fee: feeOf(position, units),
    win: units * unitMicros - settlement,
    limitMicros,
  }
}

/** Minimum order sizes: the smallest for every level in which they may start. Not yet aligned to a step. */
export function leastUnits({ market, levels }: Orderable): number[] {
  const { minimumUnits, minimumMicros, minimumOtherMicros } = market
  const found: number[] = []
  let depth = 0
  /** Micro-dollars in hundredths, as units count. */
  let left = minimumMicros * unitsPerContract
  for (const { micros, units: offered } of levels) {
    const byCost = depth + Math.ceil(Math.max(0, left) / micros)
    const byOther = Math.ceil((minimumOtherMicros * unitsPerContract) / (ONE - limitOf(market, micros)))
    const least = Math.max(minimumUnits, byCost, byOther)
    left -= micros * offered
    // If a level starts with valid orders, the previous one had them too, or ends where this one starts.
    if (least > depth && least <= depth + offered) found.push(least)
    depth += offered
  }
  return found
}

/** On the common grid (prices in 0.0001) with doubles, which are exact there; off it with big integers. */
function feeOf({ levels, fee }: Orderable, units: number): number {
  if (fee.mode === 'none') return 0
  let left = units
  let total = 0
  let exact = fee.mode !== 'curve'
  let steps = 0
  for (let i = 0; left > 0 && exact; i++) {
    const { micros, units: offered } = levels[i]!
    const some = Math.min(left, offered)
    const k = micros / 100
    const weight = some * k * (10_000 - k)
    total += weight
    exact = Number.isInteger(k) && total <= fee.weightMax
    if (exact && fee.mode === 'perLevel') steps += feeOfWeight(fee, weight)
    left -= some
  }
  if (exact) return fee.mode === 'perLevel' ? steps : feeOfWeight(fee, total)
  return feeOfLevels(fee, takenOf(levels, units), unitsPerContract)
}

function takenOf(levels: readonly Offer[], units: number): { micros: number; units: number }[] {
  const taken: { micros: number; units: number }[] = []
  let left = units
  for (let i = 0; left > 0; i++) {
    const { micros, units: offered } = levels[i]!
    taken.push({ micros, units: Math.min(left, offered) })
    left -= offered
  }
  return taken
}
