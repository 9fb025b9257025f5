// Ranks, and the confidence in results based on them.
import type { Prng } from '#lab/prng'

/** From 1; equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let at = from; at < to; at++) ranks[order[at]!] = (from + to + 1) / 2
    from = to
  }
  return ranks
}

/** Spearman's: 1 for equal orders, 0 for unrelated ones. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranksOf(a), ranksOf(b)]
  const mean = (a.length + 1) / 2
  let [xy, xx, yy] = [0, 0, 0]
  for (let at = 0; at < x.length; at++) {
    const [dx, dy] = [x[at]! - mean, y[at]! - mean]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xx === 0 || yy === 0 ? 0 : xy / Math.sqrt(xx * yy)
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** By how much the mean of the tenth with the highest `by` exceeds the mean of all. */
export function topDecileLift(by: readonly number[], values: readonly number[]): number {
  const order = by.map((_, at) => at).sort((a, b) => by[b]! - by[a]!)
  const top = order.slice(0, Math.max(1, Math.round(order.length / 10)))
  return meanOf(top.map((at) => values[at]!)) - meanOf(values)
}

export interface Interval {
  value: number
  /** The interval of nine tenths of the results of resampling. */
  low: number
  high: number
}

/** `measure` of the rows, and of as many rows drawn from them with replacement. */
export function bootstrapped<Row>(
  rows: readonly Row[],
  measure: (rows: readonly Row[]) => number,
  prng: Prng,
  samples: number,
): Interval {
  const drawn = Array.from({ length: samples }, () => measure(rows.map(() => rows[prng.int(rows.length)]!))).sort(
    (a, b) => a - b,
  )
  const at = (share: number): number => rounded(drawn[Math.min(samples - 1, Math.floor(samples * share))]!)
  return { value: rounded(measure(rows)), low: at(0.05), high: at(0.95) }
}

export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
