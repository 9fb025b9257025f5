// Compiled fee models. Money is counted in micro-dollars and is exact: rates are fractions of integers, so that a fee on the very edge
// of a cent is rounded as on paper.
import type { FeeModel, SettlementFee } from '#schemas/fees'

export type { FeeModel, SettlementFee } from '#schemas/fees'

/** Numbers, for the tables of the sweep. */
export const roundings = { down: 0, up: 1, halfEven: 2 } as const
type Rounding = (typeof roundings)[keyof typeof roundings]

/**
 * A fee compiled for the sweep. With prices in 0.0001 (k) and takes in hundredths (t), W = Σ t·k·(10⁴ − k) is an exact integer and
 * the fee is round(W × num / steps) × stepMicros.
 */
export interface FeeProgram {
  /** `perLevel` rounds each level; `curve` has no integer form and is computed in doubles. */
  mode: 'none' | 'total' | 'perLevel' | 'curve' | 'unknown'
  num: number
  steps: number
  /** Micro-dollars of one rounding step. */
  stepMicros: number
  rounding: Rounding
  /** Above this W × num could lose a bit: the exact path is taken. */
  weightMax: number
  rate: number
  exponent: number
}

const nothing: FeeProgram = {
  mode: 'none',
  num: 0,
  steps: 1,
  stepMicros: 0,
  rounding: roundings.down,
  weightMax: Infinity,
  rate: 0,
  exponent: 0,
}

/** One unit of W in dollars: hundredths of a contract times (0.0001)². */
const weightPerDollar = 1e10
const safe = 2 ** 52

export function compileFee(model: FeeModel): FeeProgram {
  switch (model.kind) {
    case 'none':
      return nothing
    case 'unknown':
      return { ...nothing, mode: 'unknown' }
    case 'kalshi_quadratic': {
      if (!(model.rate >= 0 && model.rate <= 1 && model.multiplier >= 0 && model.multiplier <= 1_000))
        return { ...nothing, mode: 'unknown' }
      const [num, den] = fraction(model.rate, model.multiplier)
      const cent = model.rounding === 'cent'
      return program(cent ? 'total' : 'perLevel', num, den, cent ? 100 : 10_000, roundings.up)
    }
    case 'quadratic_half_even': {
      if (!(model.rate >= 0 && model.rate <= 1)) return { ...nothing, mode: 'unknown' }
      const [num, den] = fraction(model.rate, 1)
      return program('perLevel', num, den, 100, roundings.halfEven)
    }
    case 'polymarket_curve': {
      const { rate, exponent } = model
      if (!(rate >= 0 && rate <= 1 && exponent >= 0 && exponent <= 10)) return { ...nothing, mode: 'unknown' }
      if (rate === 0) return nothing
      const [num, den] = fraction(rate, 1)
      const straight = program('total', num, den, 100_000, roundings.down)
      return exponent === 1 ? straight : { ...straight, mode: 'curve', rate, exponent }
    }
  }
}

function program(
  mode: 'total' | 'perLevel',
  num: number,
  den: number,
  stepsPerDollar: number,
  rounding: Rounding,
): FeeProgram {
  const steps = (den * weightPerDollar) / stepsPerDollar
  // A denominator this fine has no exact double: every fee then takes the exact path.
  const weightMax = steps < safe ? Math.floor(safe / Math.max(1, num)) : -1
  return { ...nothing, mode, num, steps, stepMicros: 1_000_000 / stepsPerDollar, rounding, weightMax }
}

/** rate (to a millionth) × multiplier (to a ten-thousandth) as a reduced fraction. */
function fraction(rate: number, multiplier: number): [num: number, den: number] {
  const num = BigInt(Math.round(rate * 1e6)) * BigInt(Math.round(multiplier * 1e4))
  const den = 10n ** 10n
  let [a, b] = [num, den]
  while (b > 0n) [a, b] = [b, a % b]
  return [Number(num / a), Number(den / a)]
}

/** The fee of an exact weight up to `weightMax`, in micro-dollars. */
export const feeOfWeight = ({ num, steps, stepMicros, rounding }: FeeProgram, weight: number): number =>
  roundQuotient(weight * num, steps, rounding) * stepMicros

/** Rounds exact / steps to a whole number. */
export function roundQuotient(exact: number, steps: number, rounding: number): number {
  let whole = Math.floor(exact / steps)
  // The quotient of two exact integers may round across a whole number; the remainder reveals it.
  let rest = exact - whole * steps
  if (rest < 0) {
    whole--
    rest += steps
  } else if (rest >= steps) {
    whole++
    rest -= steps
  }
  if (rounding === roundings.down || rest === 0) return whole
  if (rounding === roundings.up) return whole + 1
  const twice = 2 * rest
  return twice > steps || (twice === steps && whole % 2 === 1) ? whole + 1 : whole
}

/** One level taken, on any grid. */
export interface TakenLevel {
  micros: number
  /** Contracts in `unitsPerContract`. */
  units: number
}

/** The same fee for prices and sizes off the grid, in micro-dollars. */
export function feeOfLevels(fee: FeeProgram, taken: readonly TakenLevel[], unitsPerContract: number): number {
  if (fee.mode === 'none') return 0
  if (fee.mode === 'curve') return curveFee(fee, taken, unitsPerContract)
  const denominator = BigInt(fee.steps) * BigInt(unitsPerContract / 100) * 10_000n
  let total = 0n
  let steps = 0n
  for (const { micros, units } of taken) {
    const weight = BigInt(units) * BigInt(micros) * BigInt(1_000_000 - micros) * BigInt(fee.num)
    if (fee.mode === 'perLevel') steps += divide(weight, denominator, fee.rounding)
    else total += weight
  }
  if (fee.mode === 'total') steps = divide(total, denominator, fee.rounding)
  return Number(steps) * fee.stepMicros
}

export function divide(a: bigint, b: bigint, rounding: Rounding): bigint {
  if (rounding === roundings.up) return (a + b - 1n) / b
  const whole = a / b
  if (rounding === roundings.down) return whole
  const twice = 2n * (a - whole * b)
  return twice > b || (twice === b && whole % 2n === 1n) ? whole + 1n : whole
}

/** Doubles land slightly below the exact product: this share of a step is tolerated before truncation. */
const roundingSlack = 1e-6

export function curveFee(fee: FeeProgram, taken: readonly TakenLevel[], unitsPerContract: number): number {
  let usd = 0
  for (const { micros, units } of taken) usd += curveUsd(fee, micros / 1e6, units / unitsPerContract)
  return curveMicros(fee, usd)
}

export const curveUsd = (fee: FeeProgram, price: number, contracts: number): number =>
  contracts * fee.rate * (price * (1 - price)) ** fee.exponent

export const curveMicros = (fee: FeeProgram, usd: number): number =>
  Math.floor((usd * 1e6) / fee.stepMicros + roundingSlack) * fee.stepMicros

/** Micro-dollars when this leg wins; −1 if unknown. Rates are read to a basis point, the fee is rounded up. */
export function settlementMicros(fee: SettlementFee, payoutMicros: number, costMicros: number): number {
  if (fee.kind === 'none') return 0
  if (fee.kind === 'unknown' || !(fee.rate >= 0 && fee.rate <= 1)) return -1
  const base = fee.kind === 'payout_rate' ? payoutMicros : Math.max(0, payoutMicros - costMicros)
  const exact = base * Math.round(fee.rate * 1e4)
  const whole = Math.floor(exact / 1e4)
  return exact - whole * 1e4 > 0 ? whole + 1 : whole
}

/** The formula in words, included with every fee. */
export function feeBasis(model: FeeModel): string {
  switch (model.kind) {
    case 'none':
      return 'no taker fee'
    case 'unknown':
      return `no verified fee model: ${model.reason}`
    case 'kalshi_quadratic': {
      const rounding =
        model.rounding === 'cent'
          ? 'the sum over price levels rounded up to $0.01'
          : 'each price level rounded up to $0.0001'
      return `taker ${model.rate} x ${model.multiplier} x C x P x (1-P), ${rounding}`
    }
    case 'quadratic_half_even':
      return `taker ${model.rate} x C x P x (1-P), each price level rounded to $0.01, halves to even`
    case 'polymarket_curve':
      return `taker ${model.rate} x C x (P x (1-P))^${model.exponent}, the sum over price levels cut to $0.00001`
  }
}
