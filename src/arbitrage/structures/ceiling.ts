// What no structure of a group can earn, by its best prices alone: most groups are dismissed here, without a look at a single size.
import { ONE } from '#lib/price'
import { curveUsd, roundings } from '../fees.ts'
import { type Budget, type Candidate, gainBy, sumOfBest, weightsFor } from './bestSet.ts'
import { type Position, unitsPerContract } from './position.ts'

/** Weights of worlds kept. */
const keptMax = 8

export class Ceiling {
  /** A contract of each position: at most what it wins, at least what it costs. */
  private readonly contracts: Candidate[]
  /** What rounding in the buyer's favour may take off each position's cost, micro-dollars. */
  private readonly rounded: number[]
  /** By weights of worlds, what a contract of each position gains; newest first. */
  private readonly gains: Float64Array[] = []

  constructor(positions: readonly Position[], wins: readonly Uint8Array[]) {
    this.contracts = positions.map((position, index) => ({
      win: winOf(position),
      cost: position.levels[0]!.micros + feeOf(position),
      answer: position.answer,
      wins: wins[index]!,
    }))
    this.rounded = positions.map(roundedOff)
  }

  /** Adds weights that are right for these prices, and returns them. */
  tighten(worlds: number, budget: Budget): Float64Array {
    const weights = weightsFor(this.contracts, worlds, budget)
    this.add(weights)
    return weights
  }

  add(weights: Float64Array): void {
    this.gains.unshift(Float64Array.from(this.contracts, (contract) => gainBy(weights, contract)))
    this.gains.length = Math.min(this.gains.length, keptMax)
  }

  /** Of structures of this size; no number before weights were added. */
  at(units: number): number {
    return Math.min(...this.gains.map((gains) => this.sum(gains, units)))
  }

  /** Of structures of any size up to this: a sum of the largest of straight lines is itself largest at an end. */
  upTo(units: number): number {
    return Math.min(...this.gains.map((gains) => Math.max(this.sum(gains, 0), this.sum(gains, units))))
  }

  private sum(gains: Float64Array, units: number): number {
    return sumOfBest(this.contracts, (index) => (gains[index]! * units) / unitsPerContract + this.rounded[index]!)
  }
}

function winOf({ market: { settlementFee }, levels }: Position): number {
  switch (settlementFee.kind) {
    case 'payout_rate':
      return ONE * (1 - settlementFee.rate)
    case 'profit_rate':
      return ONE - settlementFee.rate * (ONE - levels[0]!.micros)
    default:
      return ONE
  }
}

/** Price and fee together rise with the price as long as the fee's rate is at most 1: deeper levels are no cheaper. */
function feeOf({ fee, levels }: Position): number {
  const { micros } = levels[0]!
  const price = micros / ONE
  if (fee.mode === 'none') return 0
  if (fee.mode === 'curve') return fee.exponent >= 1 && fee.rate <= 1 ? curveUsd(fee, price, 1) * ONE : 0
  const rate = ((fee.num / fee.steps) * fee.stepMicros * 1e10) / ONE
  return rate <= 1 ? rate * price * (1 - price) * ONE : 0
}

function roundedOff({ fee, levels }: Position): number {
  if (fee.mode === 'none' || fee.rounding === roundings.up) return 0
  return fee.mode === 'perLevel' ? levels.length * fee.stepMicros : fee.stepMicros
}
