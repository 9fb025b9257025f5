// Numbers and their conditions: a strike with its direction, a range, an exact count. Every one becomes an interval.
import { type Pattern, pattern } from './patternFilter.ts'
import type { Scratch } from './text.ts'

export type Unit = 'money' | 'percent' | 'bps' | 'degree' | 'count'

export interface Interval {
  /** Lowest included value, null when there is none. */
  low: number | null
  lowIncluded: boolean
  high: number | null
  highIncluded: boolean
  unit: Unit
  /** The words say "hit", "reach", "dip to": touching once is enough. */
  touch: boolean
  /** Touched from below or from above: the words do not say ("hit"). */
  eitherWay?: boolean
}

/** By its word or letter. */
export const scale: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
}
const number = '(-?[$\\u20ac\\u00a3]?\\s?-?\\d[\\d,]*(?:\\.\\d+)?)'
const suffix =
  '(?:\\s?(k|mm|mn|m|bn|b|tn|t|thousand|million|billion|trillion)\\b)?\\s?(%|percent\\b|percentage points?\\b|pp\\b|bps\\b|bp\\b|basis points?\\b|\\u00b0\\s?[fc]?\\b|\\u00b0|degrees?(?: fahrenheit| celsius)?\\b|usd\\b|dollars?\\b)?'
const value = number + suffix

export interface Value {
  amount: number
  unit: Unit
}

function readValue(text: string, scaled: string | undefined, unit: string | undefined): Value {
  const plain = Number(text.replace(/[^\d.-]/g, ''))
  const amount = plain * (scaled === undefined ? 1 : (scale[scaled] ?? 1))
  const money = /[$\u20ac\u00a3]/.test(text) || unit === 'usd' || unit?.startsWith('dollar') === true
  if (money) return { amount, unit: 'money' }
  if (unit === undefined) return { amount, unit: 'count' }
  if (/^(?:%|percent$|percentage|pp)/.test(unit)) return { amount, unit: 'percent' }
  if (/^(?:bp|basis)/.test(unit)) return { amount, unit: 'bps' }
  return { amount, unit: 'degree' }
}

const more =
  '(more than|greater than|higher than|larger than|above|over|exceeds?|exceeding|surpass(?:es)?|beyond|>(?!=))'
const least =
  '(at least|no less than|no fewer than|minimum of|>=|hits?|hitting|reach(?:es)?|reaching|tops?|rises? to|climbs? to)'
const less = '(less than|fewer than|lower than|below|under|beneath|<(?!=))'
const most = '(at most|no more than|up to|maximum of|<=|dips? to|drops? to|falls? to|crash(?:es)? to)'
const either = /^(?:hit|reach)/
const touching = /^(?:hit|reach|top|rise|climb|dip|drop|fall|crash)/

interface Spoken {
  wording: Pattern
  /** Which side of the number counts, and whether the number itself does. */
  up: boolean
  included: boolean
  /** The words themselves are the first group. */
  worded: boolean
}

const spoken = (wording: string, up: boolean, included: boolean, worded = false): Spoken => ({
  wording: pattern(new RegExp(wording, 'g')),
  up,
  included,
  worded,
})
/** "No more than 8" is not "more than 8". */
const unturned = '(?<!\\bno )'
const put = '(?:\\b(?:be|at|to|of)\\s)?'
/** "58,000 or above" goes before "above": the longer form contains the shorter. */
const forms: readonly Spoken[] = [
  spoken(
    `${put}${value}\\s?(?:or|and) (?:more|above|higher|greater|over|up|warmer|hotter|later|better)\\b`,
    true,
    true,
  ),
  spoken(`${put}${value}\\s?(?:or|and) (?:less|fewer|below|lower|under|colder|cooler)\\b`, false, true),
  spoken(`${put}${value}\\s?\\+(?!\\d)`, true, true),
  spoken(`\\b(?:or|and)?\\s?(?:o/u|over/under)\\s?${value}`, true, false),
  spoken(`${unturned}(?:\\b|(?=[>]))${more}\\s+(?:the )?${value}`, true, false, true),
  spoken(`>\\s?${value}`, true, false),
  spoken(`(?:\\b|(?=[>]))${least}\\s*(?:\\((?:high|low)\\)\\s*)?(?:the )?${value}`, true, true, true),
  spoken(`${unturned}(?:\\b|(?=[<]))${less}\\s+(?:the )?${value}`, false, false, true),
  spoken(`<\\s?${value}`, false, false),
  spoken(`(?:\\b|(?=[<]))${most}\\s*(?:the )?${value}`, false, true, true),
]
const range = pattern(new RegExp(`(?:\\b(?:between|from|by)\\s+)?${value}\\s?(?:-|to|and|through)\\s?${value}`, 'g'))
const bare = pattern(new RegExp(`(?<![\\p{L}\\d#.])${value}(?![\\p{L}\\d])`, 'gu'))
const anyDigit = pattern(/\d/)
const extremes = pattern(/\bhow (high|low) (?:will|can|could)\b/)

/** Takes strikes, ranges and plain numbers out of the text. Dates and times must have been taken before. */
export function takeThresholds(scratch: Scratch): { intervals: Interval[]; numbers: Value[] } {
  const intervals = takeIntervals(scratch)
  const numbers: Value[] = []
  if (!scratch.contains(anyDigit)) return { intervals, numbers }
  scratch.take(bare, (m) => {
    const found = readValue(m[1] as string, m[2], m[3])
    if (!Number.isFinite(found.amount)) return false
    // A hyphen before a whole number joins words ("Spider-Man 4"); it is not a minus.
    numbers.push(
      found.unit === 'count' && Number.isInteger(found.amount) ? { ...found, amount: Math.abs(found.amount) } : found,
    )
  })
  return { intervals, numbers }
}

/** Takes strikes and ranges only: a number without a direction may be part of a name. */
export function takeIntervals(scratch: Scratch): Interval[] {
  const intervals: Interval[] = []
  if (!scratch.contains(anyDigit)) return intervals
  // "How high will it get?" asks about the highest value ever touched.
  const extreme = scratch.contains(extremes) ? extremes.regex.exec(scratch.low)?.[1] : undefined
  // A range: the unit may be on either end.
  scratch.take(range, (m) => {
    const between = m[0].startsWith('between') || m[0].startsWith('from')
    if (/\sand\s/.test(m[0]) && !between) return false
    const high = readValue(m[4] as string, m[5], m[6])
    const low = readValue(m[1] as string, m[2] ?? m[5], m[3] ?? m[6])
    // "the 4-2 score": a descending pair is not a range.
    if (Math.abs(high.amount) <= low.amount) return false
    const unit = high.unit === 'count' ? low.unit : high.unit
    intervals.push({
      low: low.amount,
      lowIncluded: true,
      high: Math.abs(high.amount),
      highIncluded: true,
      unit,
      touch: false,
    })
  })
  for (const { wording, up, included, worded } of forms) {
    scratch.take(wording, (m) => {
      const at = worded ? 2 : 1
      const { amount, unit } = readValue(m[at] as string, m[at + 1], m[at + 2])
      const touch = (worded && touching.test(m[1] as string)) || extreme === (up ? 'high' : 'low')
      intervals.push({
        low: up ? amount : null,
        lowIncluded: up && included,
        high: up ? null : amount,
        highIncluded: !up && included,
        unit,
        touch,
        ...(worded && either.test(m[1] as string) && extreme === undefined ? { eitherWay: true } : {}),
      })
    })
  }
  return intervals
}

/** Counts are whole, and so are degrees in reports: "more than 3" is "at least 4". Prices and rates stay as stated. */
export function whole(interval: Interval): Interval {
  const reported =
    interval.unit === 'degree' && [interval.low, interval.high].every((end) => end === null || Number.isInteger(end))
  if (interval.unit !== 'count' && !reported) return interval
  const { low, high } = interval
  // "6.5 or above" is read from a scale: 6.7 counts, so it is not "7 or above".
  if ((interval.lowIncluded && !Number.isInteger(low)) || (interval.highIncluded && !Number.isInteger(high)))
    return interval
  const stepUp = low !== null && !interval.lowIncluded ? (Number.isInteger(low) ? low + 1 : Math.ceil(low)) : low
  const stepDown =
    high !== null && !interval.highIncluded ? (Number.isInteger(high) ? high - 1 : Math.floor(high)) : high
  const lowWhole = stepUp === null ? null : Math.ceil(stepUp)
  const highWhole = stepDown === null ? null : Math.floor(stepDown)
  return {
    ...interval,
    low: lowWhole,
    lowIncluded: lowWhole !== null,
    high: highWhole,
    highIncluded: highWhole !== null,
  }
}

/** Kalshi-style strikes stop one tick short of the round number (57,999.99 for 58,000). */
const oneTick = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(1e-9, Math.min(0.0101, Math.abs(a) * 1e-4))

export type IntervalRelation = 'equal' | 'tick' | 'boundary' | 'complement' | 'near-complement' | 'different'

/** How two strikes relate. `boundary`: the same number, once included and once not. */
export function relate(a0: Interval, b0: Interval): IntervalRelation {
  if (unitClash(a0.unit, b0.unit)) return 'different'
  // A number without a sign is of the other's kind.
  const a = whole(a0.unit === 'count' ? { ...a0, unit: b0.unit } : a0)
  const b = whole(b0.unit === 'count' ? { ...b0, unit: a0.unit } : b0)
  const sameEnds =
    (a.low === null) === (b.low === null) &&
    (a.high === null) === (b.high === null) &&
    near(a.low, b.low) &&
    near(a.high, b.high)
  if (sameEnds) {
    const exact = a.low === b.low && a.high === b.high
    if (exact && a.lowIncluded === b.lowIncluded && a.highIncluded === b.highIncluded) return 'equal'
    return exact ? 'boundary' : 'tick'
  }
  if (
    statedDirection(a0) !== 'other' &&
    statedDirection(a0) === statedDirection(b0) &&
    (a0.low ?? a0.high) === (b0.low ?? b0.high)
  )
    return 'boundary'
  if (
    statedDirection(a0) !== 'other' &&
    statedDirection(b0) !== 'other' &&
    statedDirection(a0) !== statedDirection(b0)
  ) {
    const [up, down] = a.low !== null ? [a, b] : [b, a]
    if (a0.unit === 'count' && b0.unit === 'count' && (up.low as number) === (down.high as number) + 1)
      return 'complement'
    if (up.low === down.high) return up.lowIncluded !== down.highIncluded ? 'complement' : 'near-complement'
    const [upStated, downStated] = a0.low !== null ? [a0, b0] : [b0, a0]
    if (upStated.low === downStated.high) return 'near-complement'
  }
  return 'different'
}

const statedDirection = (i: Interval): 'up' | 'down' | 'other' =>
  i.low !== null && i.high === null ? 'up' : i.low === null && i.high !== null ? 'down' : 'other'
const near = (a: number | null, b: number | null): boolean => a === b || (a !== null && b !== null && oneTick(a, b))

/** A bare number may have any unit; two written units must agree. */
const unitClash = (a: Unit, b: Unit): boolean => a !== b && a !== 'count' && b !== 'count'

/** Whether every value of `inner` counts for `outer`, too; null when the two are of different kinds. */
export function contains(inner: Interval, outer: Interval): boolean | null {
  if (unitClash(inner.unit, outer.unit) || inner.touch !== outer.touch) return null
  const low =
    outer.low === null ||
    (inner.low !== null &&
      (inner.low > outer.low || (inner.low === outer.low && (outer.lowIncluded || !inner.lowIncluded))))
  const high =
    outer.high === null ||
    (inner.high !== null &&
      (inner.high < outer.high || (inner.high === outer.high && (outer.highIncluded || !inner.highIncluded))))
  return low && high
}

export function intervalText(i: Interval): string {
  const sign = (amount: number): string =>
    i.unit === 'money'
      ? `$${amount}`
      : i.unit === 'percent'
        ? `${amount}%`
        : i.unit === 'degree'
          ? `${amount}°`
          : i.unit === 'bps'
            ? `${amount} bps`
            : `${amount}`
  if (i.low !== null && i.high !== null)
    return i.low === i.high ? `exactly ${sign(i.low)}` : `${sign(i.low)} to ${sign(i.high)}`
  if (i.low !== null) return `${i.touch ? 'touching ' : ''}${i.lowIncluded ? 'at least' : 'more than'} ${sign(i.low)}`
  if (i.high !== null) return `${i.touch ? 'touching ' : ''}${i.highIncluded ? 'at most' : 'less than'} ${sign(i.high)}`
  return 'any value'
}
