// The taker fee of taking a book from its best price on, by what is taken: sums over whole levels are kept, so that a fee costs one step.
import { curveMicros, curveUsd, divide, type FeeProgram, feeOfWeight, roundings } from '#arbitrage/fees'
import type { Offer } from '#arbitrage/structures/input'
import { unitsPerContract } from '#arbitrage/structures/position'
import { ONE } from '#core/price'

export interface FeeCurve {
  /** Micros for the levels before this one and `units` of it. */
  at(level: number, units: number): number
  /** Not above `at`, and linear in `units` within the level. */
  lowerAt(level: number, units: number): number
}

const free: FeeCurve = { at: () => 0, lowerAt: () => 0 }

/** `fee` is known: its mode is not `unknown`. */
export function feeCurve(fee: FeeProgram, levels: readonly Offer[]): FeeCurve {
  if (fee.mode === 'none') return free
  if (fee.mode === 'curve') return doublesCurve(fee, levels)
  const weightOf = ({ micros, units }: Offer): number => units * (micros / 100) * (10_000 - micros / 100)
  const whole = levels.reduce((sum, level) => sum + weightOf(level), 0)
  const isExact = whole <= fee.weightMax && levels.every(({ micros }) => micros % 100 === 0)
  return isExact ? integerCurve(fee, levels, weightOf) : bigCurve(fee, levels)
}

/** The most that rounding lowers a fee, in steps. */
const slackOf = ({ rounding }: FeeProgram): number =>
  rounding === roundings.up ? 0 : rounding === roundings.down ? 1 : 0.5

function integerCurve(fee: FeeProgram, levels: readonly Offer[], weightOf: (level: Offer) => number): FeeCurve {
  const { num, steps, stepMicros } = fee
  const isTotal = fee.mode === 'total'
  const slack = slackOf(fee) * stepMicros
  const weightOfUnit = Float64Array.from(levels, ({ micros }) => weightOf({ micros, units: 1 }))
  /** Of the levels before each: the weight where the sum is rounded, micros where each level is. */
  const before = new Float64Array(levels.length + 1)
  for (const [index, level] of levels.entries())
    before[index + 1] = before[index]! + (isTotal ? weightOf(level) : feeOfWeight(fee, weightOf(level)))
  const real = (weight: number): number => (weight * num * stepMicros) / steps
  return {
    at(level, units) {
      const weight = units * weightOfUnit[level]!
      return isTotal ? feeOfWeight(fee, before[level]! + weight) : before[level]! + feeOfWeight(fee, weight)
    },
    lowerAt(level, units) {
      const weight = units * weightOfUnit[level]!
      return (isTotal ? real(before[level]! + weight) : before[level]! + real(weight)) - slack
    },
  }
}

/** For prices off the common grid, and sums beyond exact doubles. */
function bigCurve(fee: FeeProgram, levels: readonly Offer[]): FeeCurve {
  const { num, stepMicros, rounding } = fee
  const isTotal = fee.mode === 'total'
  const slack = slackOf(fee) * stepMicros
  const denominator = (BigInt(fee.steps) * BigInt(unitsPerContract) * 10_000n) / 100n
  const weightOfUnit = levels.map(({ micros }) => BigInt(micros) * BigInt(ONE - micros) * BigInt(num))
  const before: bigint[] = [0n]
  for (const [index, { units }] of levels.entries()) {
    const weight = BigInt(units) * weightOfUnit[index]!
    before.push(before[index]! + (isTotal ? weight : divide(weight, denominator, rounding)))
  }
  const real = (weight: bigint): number => (Number(weight) / Number(denominator)) * stepMicros
  return {
    at(level, units) {
      const weight = BigInt(units) * weightOfUnit[level]!
      const rounded = isTotal
        ? divide(before[level]! + weight, denominator, rounding)
        : before[level]! + divide(weight, denominator, rounding)
      return Number(rounded) * stepMicros
    },
    lowerAt(level, units) {
      const weight = BigInt(units) * weightOfUnit[level]!
      const exact = isTotal ? real(before[level]! + weight) : Number(before[level]!) * stepMicros + real(weight)
      return exact - slack
    },
  }
}

function doublesCurve(fee: FeeProgram, levels: readonly Offer[]): FeeCurve {
  const usdOf = (level: number, units: number): number =>
    curveUsd(fee, levels[level]!.micros / ONE, units / unitsPerContract)
  const before = new Float64Array(levels.length + 1)
  for (const [index, { units }] of levels.entries()) before[index + 1] = before[index]! + usdOf(index, units)
  return {
    at: (level, units) => curveMicros(fee, before[level]! + usdOf(level, units)),
    lowerAt: (level, units) => (before[level]! + usdOf(level, units)) * ONE - fee.stepMicros,
  }
}
