// Amounts as sets of values on a scale. Two sets are compared value by value, not word by word: "above 79" is "80 or more" on a scale of whole
// numbers.

import type { Grid } from '../../read/frames/proposition.ts'
import type { Interval } from '../../read/thresholdParser.ts'

/** Relation of the values that make one side Yes to those of the other. */
export type SetRelation = 'equal' | 'inside' | 'around' | 'apart' | 'rest' | 'across'

/** Values from `low` to `high`, both inclusive, in steps of the grid; null for no end. */
interface Steps {
  low: number | null
  high: number | null
}

const decimals = (value: number | null): number =>
  value === null ? 0 : Math.min(4, (String(value).split('.')[1] ?? '').length)

/**
 * Number of decimals that the two name; `said` grids of whole numbers count in hundredths, so that an open end differs from a closed one.
 */
function stepOf(grid: Grid, a: Interval, b: Interval): number | null {
  if (grid.step !== 'said') return grid.step
  const most = Math.max(...[a.low, a.high, b.low, b.high].map(decimals))
  return most === 0 ? 0.01 : 10 ** -most
}

function stepsOf(interval: Interval, grid: Grid, step: number): Steps {
  const at = (value: number): number => value / step
  const near = (value: number): number => Math.round(value * 1e6) / 1e6
  const { low, high } = interval
  const range = low !== null && high !== null && low < high
  let first = low === null ? null : Math.ceil(near(at(low)))
  if (first !== null && low !== null && !interval.lowIncluded && near(at(low)) === first) first++
  let last = high === null ? null : Math.floor(near(at(high)))
  const whole =
    grid.brackets === true && range && interval.highIncluded && last !== null && near(at(high as number)) === last
  const open = whole && step < 1 && decimals(high) < decimals(step)
  if (last !== null && ((high !== null && !interval.highIncluded && near(at(high)) === last) || open)) last--
  if (grid.min !== undefined && first !== null && first <= at(grid.min)) first = null
  // "22 % to 100 %" has no upper end.
  if (grid.max !== undefined && high !== null && high >= grid.max) last = null
  return { low: first, high: last }
}

/** Null if the two are of different kinds. */
export function relateAmounts(a: Interval, b: Interval, grid: Grid): SetRelation | null {
  const clash = a.unit !== b.unit && a.unit !== 'count' && b.unit !== 'count'
  if (clash) return null
  const step = stepOf(grid, a, b)
  return step === null
    ? relateReal(realOf(a, grid), realOf(b, grid))
    : relateSteps(stepsOf(a, grid, step), stepsOf(b, grid, step))
}

export function relateSteps(a: Steps, b: Steps): SetRelation {
  const [al, bl] = [a.low ?? Number.NEGATIVE_INFINITY, b.low ?? Number.NEGATIVE_INFINITY]
  const [ah, bh] = [a.high ?? Number.POSITIVE_INFINITY, b.high ?? Number.POSITIVE_INFINITY]
  if (al === bl && ah === bh) return 'equal'
  if (al >= bl && ah <= bh) return 'inside'
  if (bl >= al && bh <= ah) return 'around'
  if (ah >= bl && bh >= al) return 'across'
  const meets = ah + 1 === bl || bh + 1 === al
  const whole = Math.min(al, bl) === Number.NEGATIVE_INFINITY && Math.max(ah, bh) === Number.POSITIVE_INFINITY
  return meets && whole ? 'rest' : 'apart'
}

/** A strike one tick below a round number is that number, and a range ends before the next begins. */
function realOf(interval: Interval, grid: Grid): Interval {
  const { low, high } = interval
  const out = { ...interval }
  if (grid.nines === true && low !== null && !interval.lowIncluded && nines.test(String(low))) {
    out.low = rounded(low)
    out.lowIncluded = true
  }
  if (grid.nines === true && high !== null && interval.highIncluded && nines.test(String(high))) {
    out.high = rounded(high)
    out.highIncluded = false
  } else if (grid.brackets === true && low !== null && high !== null && low < high) out.highIncluded = false
  return out
}

const nines = /\.\d*99$/

/** 74299.99 → 74300, 2.3099 → 2.31. */
const rounded = (value: number): number => {
  const places = (String(value).split('.')[1] ?? '').length
  return Number((value + 10 ** -places).toFixed(places))
}

/** A scale without steps: ends are compared including whether they are inclusive. */
function relateReal(a: Interval, b: Interval): SetRelation {
  const lows = order(a.low, a.lowIncluded, b.low, b.lowIncluded, true)
  const highs = order(a.high, a.highIncluded, b.high, b.highIncluded, false)
  if (lows === 0 && highs === 0) return 'equal'
  if (lows >= 0 && highs <= 0) return 'inside'
  if (lows <= 0 && highs >= 0) return 'around'
  for (const [x, y] of [
    [a, b],
    [b, a],
  ] as const) {
    if (x.high === null || y.low === null || x.high > y.low) continue
    if (x.high < y.low) return 'apart'
    if (x.highIncluded && y.lowIncluded) return 'across'
    return x.highIncluded !== y.lowIncluded && x.low === null && y.high === null ? 'rest' : 'apart'
  }
  return 'across'
}

function order(x: number | null, xIn: boolean, y: number | null, yIn: boolean, low: boolean): number {
  const end = low ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const [a, b] = [x ?? end, y ?? end]
  if (a !== b) return a < b ? -1 : 1
  if (x === null || xIn === yIn) return 0
  return (xIn ? -1 : 1) * (low ? 1 : -1)
}
