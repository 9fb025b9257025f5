// An upper bound of what structures of a group can earn, however fees are rounded: it rules out most groups without looking at a single
// size, and most ranges of sizes of the others.
//
// By weights of the worlds a position's gain over sizes is concave: deeper levels are no cheaper. From any size on it stays below the
// straight line of the level that this size ends in, and a sum of maxima of straight lines is itself largest at an end.
import { ONE } from '#core/price'
import { curveUsd, roundings } from '../fees.ts'
import { type Candidate, weightOf, weightsFor } from './bestCombination.ts'
import type { Budget } from './budget.ts'
import { type Position, unitsPerContract } from './position.ts'

/** Sets of world weights kept. */
const keptMax = 8

/** By position, at one size: its payoff and cost there, and the increments per unit of the same level; micro-dollars. */
interface Lines {
  from: number
  wins: Float64Array
  costs: Float64Array
  winsMore: Float64Array
  costsMore: Float64Array
  /** 0 where that size is not for sale. */
  offered: Uint8Array
}

/** Structures of any of these positions, or only of all of them together. */
type Choice = 'any' | 'all'

export class UpperBound {
  private readonly positions: readonly Position[]
  private readonly wins: readonly Uint8Array[]
  /** How much rounding in the buyer's favour may reduce each position's cost, micro-dollars. */
  private readonly rounded: number[]
  /** By position and level, payoff and cost per unit. */
  private readonly unitWins: Float64Array[]
  private readonly unitCosts: Float64Array[]
  /** Positions, with those of one answer adjacent. */
  private readonly order: number[]
  private readonly lines: Lines

  /** By world weights, how likely each position is to win; the last one that ruled something out first. */
  readonly likely: Float64Array[] = []

  private readonly choice: Choice

  constructor(positions: readonly Position[], wins: readonly Uint8Array[], choice: Choice = 'any') {
    this.positions = positions
    this.wins = wins
    this.choice = choice
    this.rounded = positions.map(roundedOff)
    this.unitWins = positions.map((position) =>
      Float64Array.from(position.levels, ({ micros }) => winOf(position, micros) / unitsPerContract),
    )
    this.unitCosts = positions.map((position) =>
      Float64Array.from(position.levels, ({ micros }) => (micros + feeOf(position, micros)) / unitsPerContract),
    )
    this.order = [...positions.keys()].sort((a, b) => positions[a]!.answer - positions[b]!.answer)
    const zeros = (): Float64Array => new Float64Array(positions.length)
    const offered = new Uint8Array(positions.length)
    this.lines = { from: -1, wins: zeros(), costs: zeros(), winsMore: zeros(), costsMore: zeros(), offered }
  }

  /** Adds the optimal weights for the best prices, and returns them. */
  tighten(worlds: number, budget: Budget): Float64Array {
    const contracts = this.positions.map(
      ({ answer }, index): Candidate => ({
        win: this.unitWins[index]![0]! * unitsPerContract,
        cost: this.unitCosts[index]![0]! * unitsPerContract,
        answer,
        wins: this.wins[index]!,
      }),
    )
    const weights = weightsFor(contracts, worlds, budget)
    this.add(weights)
    return weights
  }

  /** Adds the world in which a contract of each pays least: optimal for all of them together. */
  addWorst(worlds: number): void {
    const weights = new Float64Array(worlds)
    let [worst, least] = [0, Infinity]
    for (let world = 0; world < worlds; world++) {
      const paid = this.wins.reduce((sum, wins, index) => sum + wins[world]! * this.unitWins[index]![0]!, 0)
      if (paid >= least) continue
      worst = world
      least = paid
    }
    weights[worst] = 1
    this.add(weights)
  }

  add(weights: Float64Array): void {
    this.likely.unshift(Float64Array.from(this.wins, (each) => weightOf(weights, each)))
    this.likely.length = Math.min(this.likely.length, keptMax)
  }

  /** Structures of every size from `from` to `to`, hundredths of a contract, earn less than this: micro-dollars. */
  below(from: number, to: number, edge: number): boolean {
    this.drawFrom(from)
    if (this.choice === 'all' && this.lines.offered.includes(0)) return true
    const at = this.likely.findIndex((likely) => this.sum(likely, 0) < edge && this.sum(likely, to - from) < edge)
    if (at > 0) this.likely.unshift(...this.likely.splice(at, 1))
    return at >= 0
  }

  private sum(likely: Float64Array, more: number): number {
    const { wins, costs, winsMore, costsMore, offered } = this.lines
    let sum = 0
    let answer = -1
    const none = this.choice === 'any' ? 0 : -Infinity
    let best = 0
    for (const index of this.order) {
      if (offered[index] === 0) continue
      if (this.positions[index]!.answer !== answer) {
        sum += best
        best = none
        answer = this.positions[index]!.answer
      }
      const won = likely[index]! * (wins[index]! + winsMore[index]! * more)
      const gain = won - costs[index]! - costsMore[index]! * more + this.rounded[index]!
      if (gain > best) best = gain
    }
    return sum + best
  }

  private drawFrom(from: number): void {
    if (this.lines.from === from) return
    this.lines.from = from
    for (let index = 0; index < this.positions.length; index++) this.draw(index, from)
  }

  private draw(index: number, from: number): void {
    const { levels, depthUnits } = this.positions[index]!
    const { lines } = this
    lines.offered[index] = Number(from <= depthUnits)
    let [wins, costs, left, level] = [0, 0, from, 0]
    while (level < levels.length - 1 && left >= levels[level]!.units) {
      const { units } = levels[level]!
      wins += units * this.unitWins[index]![level]!
      costs += units * this.unitCosts[index]![level]!
      left -= units
      level++
    }
    lines.winsMore[index] = this.unitWins[index]![level]!
    lines.costsMore[index] = this.unitCosts[index]![level]!
    lines.wins[index] = wins + left * lines.winsMore[index]!
    lines.costs[index] = costs + left * lines.costsMore[index]!
  }
}

/** Payoff of a contract bought at this price; no less at a higher one, but the increase is at most the extra cost. */
function winOf({ market: { settlementFee } }: Position, micros: number): number {
  switch (settlementFee.kind) {
    case 'payout_rate':
      return ONE * (1 - basisPoints(settlementFee.rate))
    case 'profit_rate':
      return ONE - basisPoints(settlementFee.rate) * (ONE - micros)
    default:
      return ONE
  }
}

/** Rates are read like in `settlementMicros`. */
const basisPoints = (rate: number): number => Math.round(rate * 1e4) / 1e4

/** Price plus fee increases with the price as long as the fee's rate is at most 1. */
function feeOf({ fee }: Position, micros: number): number {
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
