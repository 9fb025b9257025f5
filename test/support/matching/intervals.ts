// Shares with their 95 % confidence intervals. The same cases always give the same interval.

/** Mean of values between 0 and 1 with its bootstrap interval. */
export interface Share {
  share: number
  low: number
  high: number
}

/** Cases that have a property, of all. */
export interface Proportion {
  part: number
  whole: number
  /** Null without cases. */
  share: number | null
  low: number
  high: number
}

/** Two-sided 95 %. */
const standardScore = 1.959964

export const round = (value: number): number => Math.round(value * 10_000) / 10_000

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Wilson score interval: usable for few cases and for shares of 0 and 1. Assumes independent cases. */
export function wilson(part: number, whole: number): Proportion {
  if (part < 0 || part > whole) throw new RangeError(`${part} of ${whole} is no share`)
  if (whole === 0) return { part, whole, share: null, low: 0, high: 1 }
  const share = part / whole
  const square = standardScore ** 2
  const centre = share + square / (2 * whole)
  const margin = standardScore * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole ** 2))
  const scale = 1 + square / whole
  return {
    part,
    whole,
    share: round(share),
    low: round(Math.max(0, (centre - margin) / scale)),
    high: round(Math.min(1, (centre + margin) / scale)),
  }
}

/** 2,000 resamples by a generator with a fixed seed. */
function bootstrap<T>(cases: readonly T[], statistic: (resample: readonly T[]) => number): Share {
  let state = 12_345
  const next = (): number => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    return (state >>> 0) / 2 ** 32
  }
  const found = Array.from({ length: 2_000 }, () =>
    statistic(cases.map(() => cases[Math.floor(next() * cases.length)] as T)),
  ).sort((a, b) => a - b)
  return { share: round(statistic(cases)), low: round(found[50] ?? 0), high: round(found[1_949] ?? 0) }
}

export const bootstrapMean = (values: readonly number[]): Share => bootstrap(values, mean)

/** A share of cases that come in groups: whole groups are resampled, because the cases of one group are alike. */
export const bootstrapGroups = (groups: readonly { part: number; whole: number }[]): Share =>
  bootstrap(groups, (resample) => {
    const [part, whole] = resample.reduce(([x, y], group) => [x + group.part, y + group.whole], [0, 0])
    return part / Math.max(1, whole)
  })
