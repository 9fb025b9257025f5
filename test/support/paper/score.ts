// How well predicted outcomes agree with the true ones.
import { type EvaluationTape, noFill, type Outcome, type Probe } from './tape.ts'

export interface Pair {
  truth: Outcome
  guess: Outcome
}

export interface Score {
  probes: number
  /** Share of probes that truly filled. */
  filledShare: number
  /** Share of probes whose prediction, filled or not, is right. */
  rightShare: number
  /** Share of true fills that were predicted, and of predicted fills that are true; null: there are none. */
  foundShare: number | null
  trueShare: number | null
  /** Where both filled: predicted minus true time, ms. */
  timeError: { median: number; meanAbsolute: number; p90Absolute: number } | null
  /** Where both filled: difference of average prices, cents. */
  priceError: { meanAbsolute: number; p90Absolute: number } | null
}

export const pairsOf = (
  { truth }: EvaluationTape,
  probes: readonly Probe[],
  predicted: ReadonlyMap<string, Outcome>,
): Pair[] =>
  probes.map(({ order }) => ({ truth: truth.get(order.id) ?? noFill, guess: predicted.get(order.id) ?? noFill }))

export function scoreOf(pairs: readonly Pair[]): Score {
  const both = pairs.filter(({ truth, guess }) => truth.filled > 0 && guess.filled > 0)
  const filled = pairs.filter(({ truth }) => truth.filled > 0).length
  const guessed = pairs.filter(({ guess }) => guess.filled > 0).length
  const times = both.map(({ truth, guess }) => guess.filledAt! - truth.filledAt!)
  const prices = both.map(({ truth, guess }) => Math.abs(guess.price! - truth.price!) / 10_000)
  const late = times.map(Math.abs)
  const hasBoth = both.length > 0
  return {
    probes: pairs.length,
    filledShare: filled / pairs.length,
    rightShare: pairs.filter(({ truth, guess }) => truth.filled > 0 === guess.filled > 0).length / pairs.length,
    foundShare: filled === 0 ? null : both.length / filled,
    trueShare: guessed === 0 ? null : both.length / guessed,
    timeError: hasBoth
      ? { median: quantile(times, 0.5), meanAbsolute: mean(late), p90Absolute: quantile(late, 0.9) }
      : null,
    priceError: hasBoth ? { meanAbsolute: mean(prices), p90Absolute: quantile(prices, 0.9) } : null,
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
