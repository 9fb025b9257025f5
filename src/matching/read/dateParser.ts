// The dates a question names: what they are for (deadline, day, period, after) and which days they cover. UTC calendar days, no clock.
import { type Pattern, pattern } from './patternFilter.ts'
import type { Scratch } from './text.ts'

export type Role = 'deadline' | 'on' | 'in' | 'after'

/** A named span of days. A missing year is null until something else supplies it. */
export interface Moment {
  role: Role
  year: number | null
  /** 1-12; null for a whole year. */
  month: number | null
  /** Null for a whole month. */
  day: number | null
  /** Last month and day if the words name a range ("May 11-17", "Q1"). */
  toMonth: number | null
  toDay: number | null
  /** "before March" ends the day before it begins. */
  before: boolean
  /** "2026-27": spans two years, and its days are unknown. */
  season: boolean
  /** "By 2027": whether inclusive is unclear. */
  vague: boolean
}

export interface TimeOfDay {
  /** Minutes after midnight. */
  minutes: number
  /** `et`, `pt`, `utc`, …; null when none is written. */
  zone: string | null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const year = '(?<![$\\u20ac\\u00a3])((?:19|20)\\d\\d)'
const lead =
  '(?:\\b((?:by|before|until|till|through|prior to|no later than|on or before) (?:the )?end of|end of|by eo|before|by|until|till|through|prior to|no later than|on or before|on|in|during|for|at|after|since|as of)\\s+(?:the\\s+)?(?:year\\s+|month\\s+of\\s+)?)?'

/** 1-12 from any spelling whose first three letters name a month. */
export const monthNumber = (name: string): number => months.indexOf(name.slice(0, 3)) + 1

function roleOf(word: string | undefined, finer: boolean): { role: Role; before: boolean } {
  if (word === undefined) return { role: finer ? 'on' : 'in', before: false }
  if (word.endsWith(' end of')) return { role: 'deadline', before: false }
  if (word === 'before' || word === 'prior to') return { role: 'deadline', before: true }
  if (/^(?:by|until|till|through|no later|on or before)/.test(word)) return { role: 'deadline', before: false }
  if (word === 'after' || word === 'since') return { role: 'after', before: false }
  if (word === 'end of') return { role: 'on', before: false }
  return { role: finer ? 'on' : 'in', before: false }
}

const num = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

const all = (source: string): Pattern => pattern(new RegExp(source, 'g'))

const day = '(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)'
const zone = '(?:\\s*\\(?(et|est|edt|ct|cst|cdt|mt|mst|mdt|pt|pst|pdt|utc|gmt|bst|cet|jst)\\b\\)?)?'
const occasion = all(
  `\\b(?:after|following) (?:the )?(?=(?:${month} )?(?:${year} )?(?:fed |fomc |midterm |general |presidential )?(?:meetings?|elections?|midterms?)\\b)`,
)
/** Most words contain neither a digit nor a month. */
const anyDate = pattern(/\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|quarter|year/)
const anyTime = pattern(/noon|midnight|\d\s*[ap]\.?m|\d:\d\d/)

const patterns = {
  iso: all(`${lead}\\b${year}-(\\d\\d)-(\\d\\d)(?!\\d)`),
  range: all(
    `${lead}\\b${month}\\s+${day}\\s*(?:-|to|through)\\s*(?:${month}\\s+)?${day}(?:,?\\s+${year})?(?!:|\\s*[ap]m)\\b`,
  ),
  monthDay: all(`${lead}\\b${month}\\s+${day}(?:,?\\s+${year})?\\b`),
  dayMonth: all(`${lead}\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month}(?:,?\\s+${year})?\\b`),
  quarter: all(`${lead}\\b(?:q([1-4])|(first|second|third|fourth) quarter)(?:\\s+of)?(?:\\s+${year})?\\b`),
  monthYear: all(`${lead}\\b${month},?\\s+${year}\\b`),
  month: all(`${lead}\\b${month}(?=\\s|[?.,:;!)]|$)`),
  season: pattern(/\b(20\d\d)\s?[-/]\s?(?:20)?(\d\d)\b/g),
  year: all(`${lead}\\b${year}\\b(?!\\s*(?:°|%|or (?:more|above|higher)))`),
  thisYear: pattern(
    /\b(?:(by|before|until|till|through) )?(?:the )?(?:(end) of (?:the |this )?year|this year|year[- ]end|year'?s end)\b/g,
  ),
  noon: all(`\\b(?:at\\s+)?(noon|midnight)\\b${zone}`),
  twelveHour: all(`\\b(?:at\\s+)?(\\d{1,2})(?::(\\d\\d))?\\s*([ap])\\.?m\\b\\.?${zone}`),
  clock: all(`\\b(?:at\\s+)?(\\d{1,2}):(\\d\\d)\\b${zone}`),
}

const none = { year: null, month: null, day: null, toMonth: null, toDay: null, season: false, vague: false }

/** "At the end of December" is its last day: a value then need not hold at the end of another month. */
function lastDay(moment: Omit<Moment, 'role' | 'before'>): Omit<Moment, 'role' | 'before'> {
  const month = moment.toMonth ?? moment.month ?? 12
  // For February without a year the last day that every year has.
  const day = new Date(Date.UTC(moment.year ?? 2027, month, 0)).getUTCDate()
  return { ...moment, month, day, toMonth: null }
}

/** Takes the dates out of the text. */
export function extractDates(scratch: Scratch): Moment[] {
  if (!scratch.contains(anyDate)) return []
  // "after the March 2026 meeting" is about that meeting, not about the time after it.
  scratch.rewrite(occasion, 'in ')
  const { low } = scratch
  const found: Moment[] = []
  const add = (word: string | undefined, date: Partial<Moment>): void => {
    const { role, before } = roleOf(word, date.day !== undefined && date.day !== null)
    const dated = { ...none, ...date }
    found.push({ role, before, ...(word === 'end of' && dated.day === null ? lastDay(dated) : dated) })
  }
  scratch.take(patterns.iso, (m) => {
    add(m[1], { year: num(m[2]), month: num(m[3]), day: num(m[4]) })
  })
  scratch.take(patterns.range, (m) => {
    const from = monthNumber(m[2] as string)
    const to = m[4] === undefined ? from : monthNumber(m[4])
    if (Number(m[3]) > 31 || Number(m[5]) > 31) return false
    add(m[1] ?? 'in', { year: num(m[6]), month: from, day: num(m[3]), toMonth: to, toDay: num(m[5]), role: 'in' })
  })
  scratch.take(patterns.monthDay, (m) => {
    if (Number(m[3]) > 31 || Number(m[3]) === 0) return false
    add(m[1], { year: num(m[4]), month: monthNumber(m[2] as string), day: num(m[3]) })
  })
  scratch.take(patterns.dayMonth, (m) => {
    if (Number(m[2]) > 31 || Number(m[2]) === 0) return false
    add(m[1], { year: num(m[4]), month: monthNumber(m[3] as string), day: num(m[2]) })
  })
  scratch.take(patterns.quarter, (m) => {
    const quarter =
      m[2] === undefined ? ['first', 'second', 'third', 'fourth'].indexOf(m[3] as string) + 1 : Number(m[2])
    // A quarter of a game is not a date; without a year only the short form is one.
    if (m[2] === undefined && m[4] === undefined) return false
    add(m[1], { year: num(m[4]), month: quarter * 3 - 2, toMonth: quarter * 3 })
  })
  scratch.take(patterns.monthYear, (m) => {
    add(m[1], { year: num(m[3]), month: monthNumber(m[2] as string) })
  })
  scratch.take(patterns.month, (m, raw) => {
    // "may" and "march" are verbs too: without a preposition only a capital inside the sentence makes them months.
    const name = m[2] as string
    if (m[1] === undefined && (!/[A-Z]/.test(raw.trim()) || (m.index ?? 0) === 0)) return false
    if (
      m[1] === undefined &&
      /^(?:may|march|mar|dec|sep|jan)$/.test(name) &&
      !/\b(?:meeting|report|decision|inflation|cpi|temperature|data)\b/.test(scratch.low)
    )
      return false
    add(m[1], { month: monthNumber(name) })
  })
  scratch.take(patterns.thisYear, (m) => {
    add(m[1] !== undefined ? 'by' : m[2] !== undefined || m[0].endsWith('end') ? 'end of' : 'in', {})
  })
  scratch.take(patterns.season, (m) => {
    if (Number(m[2]) !== (Number(m[1]) + 1) % 100) return false
    // A season that spans two years is named by the second.
    add('in', { year: Number(m[1]) + 1, season: true })
  })
  scratch.take(patterns.year, (m) => {
    // "Parma Calcio 1913 vs. AS Roma": the club's founding year.
    if (m[1] === undefined && Number(m[2]) < 2000 && /\bvs\b/.test(low)) return false
    add(m[1], { year: num(m[2]), vague: m[1] === 'by' })
  })
  return found
}

/** Takes the times of day out of the text. */
export function takeTimes(scratch: Scratch): TimeOfDay[] {
  if (!scratch.contains(anyTime)) return []
  const found: TimeOfDay[] = []
  scratch.take(patterns.noon, (m) => {
    found.push({ minutes: m[1] === 'noon' ? 720 : 0, zone: plainZone(m[2]) })
  })
  scratch.take(patterns.twelveHour, (m) => {
    found.push({
      minutes: (Number(m[1]) % 12) * 60 + Number(m[2] ?? 0) + (m[3] === 'p' ? 720 : 0),
      zone: plainZone(m[4]),
    })
  })
  scratch.take(patterns.clock, (m) => {
    if (Number(m[1]) > 23) return false
    found.push({ minutes: Number(m[1]) * 60 + Number(m[2]), zone: plainZone(m[3]) })
  })
  // "10:00-10:15AM ET": the zone after the second time also applies to the first.
  const zoned = found.find((time) => time.zone !== null)
  return found
    .map((time) => ({ ...time, zone: time.zone ?? zoned?.zone ?? null }))
    .sort((a, b) => a.minutes - b.minutes)
}

const plainZone = (zone: string | undefined): string | null =>
  zone === undefined
    ? null
    : zone === 'gmt'
      ? 'utc'
      : zone.length === 3 && /^[ecmp][sd]t$/.test(zone)
        ? `${zone[0]}t`
        : zone

/** Dates in a venue's id. Only the first of each form: strikes and names follow. */
export function idDate(
  id: string,
): { year: number; month: number | null; day: number | null; hour: number | null } | null {
  const iso = /(?:^|-)(20\d\d)-(\d\d)-(\d\d)(?:-|$)/.exec(id)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]), hour: null }
  const upper = id.split('-').slice(1)
  for (const part of upper) {
    const dated = /^(\d\d)(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(\d\d)?(\d\d)?/.exec(part)
    if (dated) {
      return {
        year: 2000 + Number(dated[1]),
        month: monthNumber((dated[2] as string).toLowerCase()),
        day: dated[3] === undefined ? null : Number(dated[3]),
        hour: dated[4] === undefined ? null : Number(dated[4]),
      }
    }
  }
  for (const part of upper) {
    const bare =
      /^(?:[A-Z]{3,})?(?:20)?([23]\d)$/.exec(part) ??
      /^([23]\d)[A-Z]{2,}/.exec(part) ??
      /^[A-Z0-9]{2,}R([23]\d)$/.exec(part)
    if (bare) return { year: 2000 + Number(bare[1]), month: null, day: null, hour: null }
  }
  return null
}

/** Days since 1970 of a calendar date. */
export const dayNumber = (y: number, m: number, d: number): number => Math.floor(Date.UTC(y, m - 1, d) / 86_400_000)

export interface Span {
  from: number
  to: number
}

/** First and last day a moment covers once its year is known. "Before" moves the end, and a deadline has no beginning of its own. */
export function spanOf(moment: Moment, yearKnown: number): Span {
  const first = dayNumber(yearKnown, moment.month ?? 1, moment.day ?? 1)
  if (moment.before) return { from: first - 1, to: first - 1 }
  const lastMonth = moment.toMonth ?? moment.month ?? 12
  const lastDay = moment.toDay ?? moment.day
  const last = lastDay === null ? dayNumber(yearKnown, lastMonth + 1, 1) - 1 : dayNumber(yearKnown, lastMonth, lastDay)
  return { from: moment.role === 'deadline' ? last : first, to: last }
}

/** `2026-07-01` of a day number. */
export const dayText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
