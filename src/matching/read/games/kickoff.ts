// When a game begins, as far as its market says: a time if one is named, otherwise the day. The trading close is not used.

import { dayNumber, idDate, monthNumber } from '../dateParser.ts'
import type { SportsInput } from './input.ts'
import { textOf } from './input.ts'

export interface Kickoff {
  /** Epoch ms; null if only the day is known. */
  at: number | null
  /** Days since 1970: of the moment in UTC, else the named day, in the venue's own calendar. */
  day: number
}

const dayMs = 86_400_000

export function kickoffOf(input: SportsInput): Kickoff | null {
  const at = momentOf(input)
  if (at !== null) return { at, day: Math.floor(at / dayMs) }
  const day = dayOf(input)
  return day === null ? null : { at: null, day }
}

function momentOf({ metadata, eventMetadata, marketId, description }: SportsInput): number | null {
  for (const value of [metadata.gameStartTime, eventMetadata.gameStartTime, eventMetadata.startTime]) {
    const at = Date.parse(textOf(value) ?? '')
    // Midnight of the day that the rules name without a time means that day, not a moment.
    if (Number.isFinite(at) && at > 0 && at !== (rulesDay(description) ?? Number.NaN) * dayMs) return at
  }
  return tickerMoment(marketId) ?? rulesMoment(description)
}

/** `…-26MAY101920DETKC`: day and time in Eastern time. */
function tickerMoment(id: string): number | null {
  const found = /-(\d\d)(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(\d\d)([01]\d|2[0-3])([0-5]\d)(?!\d*$)/.exec(
    id,
  )
  if (found === null) return null
  const [, year, month, day, hour, minute] = found
  return easternTime(
    2000 + Number(year),
    monthNumber((month as string).toLowerCase()),
    Number(day),
    Number(hour) * 60 + Number(minute),
  )
}

const scheduledDay =
  /scheduled for (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2}), (20\d\d)\b(?!,? at )/i

function rulesDay(rules: string): number | null {
  const found = scheduledDay.exec(rules)
  if (found === null) return null
  const [, month, day, year] = found
  return dayNumber(Number(year), monthNumber((month as string).toLowerCase()), Number(day))
}

const scheduled =
  /scheduled for (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2}), (20\d\d),? at (\d{1,2}):(\d\d) ?([ap])\.?m\.? e[sd]?t\b/i

function rulesMoment(rules: string): number | null {
  const found = scheduled.exec(rules)
  if (found === null) return null
  const [, month, day, year, hour, minute, half] = found
  const minutes = (Number(hour) % 12) * 60 + Number(minute) + (half?.toLowerCase() === 'p' ? 720 : 0)
  return easternTime(Number(year), monthNumber((month as string).toLowerCase()), Number(day), minutes)
}

function dayOf({
  marketId,
  slug,
  eventSlug,
  eventId,
  metadata,
  eventMetadata,
  description,
}: SportsInput): number | null {
  const named = /^(20\d\d)-(\d\d)-(\d\d)$/.exec(textOf(eventMetadata.eventDate) ?? '')
  if (named !== null) return dayNumber(Number(named[1]), Number(named[2]), Number(named[3]))
  for (const id of [marketId, slug, eventSlug, eventId, textOf(metadata.eventTicker)]) {
    const date = id === null ? null : idDate(id)
    if (date?.month && date.day) return dayNumber(date.year, date.month, date.day)
  }
  return rulesDay(description)
}

/** Epoch ms of a wall clock in New York. Daylight time: from the second Sunday of March to the first of November, at two in the morning. */
export function easternTime(year: number, month: number, day: number, minutes: number): number {
  const wall = Date.UTC(year, month - 1, day, 0, minutes)
  const isSummer = wall >= sundayOf(year, 3, 2) + 2 * 3_600_000 && wall < sundayOf(year, 11, 1) + 2 * 3_600_000
  return wall + (isSummer ? 4 : 5) * 3_600_000
}

function sundayOf(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  return Date.UTC(year, month - 1, 1 + ((7 - first) % 7) + (nth - 1) * 7)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Calendar day of a moment there, days since 1970. */
export function localDay(at: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(timeZone, format)
  return Math.floor(Date.parse(`${format.format(at)}T00:00:00Z`) / dayMs)
}
