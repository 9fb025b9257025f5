// Which year a date without one means, and which year a question without any date belongs to: from the id, the rules, or the close, in that order of trust.

import { Scratch } from './text.ts'
import { dayNumber, type idDate, type Moment, type Role, type Span, spanOf, takeDates } from './when.ts'

export interface SaidDate {
  role: Role
  /** Days since 1970; null while no year is known. */
  span: Span | null
  grain: 'year' | 'month' | 'day'
  /** The words gave the year themselves. */
  yearSaid: boolean
  month: number | null
  day: number | null
  /** As it was said, for a year that the other question tells. */
  moment: Moment
}

export interface YearHints {
  /** Years in the words of the question; "before 2027" counts as 2026. */
  said: number[]
  id: number | null
  /** Month the id names without a day, counted from year 0; a day there is often the day of listing. */
  idMonth: number | null
  /** Day the id names. */
  idDay: number | null
  rules: number[]
  /** Last days the rules name as a deadline. */
  rulesDeadlines: number[]
  close: number | null
}

export function resolveMoments(
  moments: readonly Moment[],
  id: ReturnType<typeof idDate>,
  rules: string,
  closes: number | null,
): { dates: SaidDate[]; years: YearHints } {
  const said = new Set<number>()
  for (const moment of moments) {
    if (moment.year === null) continue
    const span = spanOf(moment, moment.year)
    said.add(new Date(span.to * 86_400_000).getUTCFullYear())
  }
  const close = closes === null ? null : new Date(closes).getUTCFullYear()
  const rulesYears = [...new Set([...rules.matchAll(/\b(20[2-4]\d)\b/g)].map((match) => Number(match[1])))].sort()
  const years: YearHints = {
    said: [...said].sort(),
    id: id?.year ?? null,
    idMonth: id === null || id.month === null || id.day !== null ? null : id.year * 12 + id.month - 1,
    idDay: id === null || id.month === null || id.day === null ? null : dayNumber(id.year, id.month, id.day),
    rules: rulesYears,
    rulesDeadlines: deadlinesIn(rules),
    close,
  }
  const yearFor = (moment: Moment): number | null => {
    if (moment.year !== null) return moment.year
    if (years.said.length > 0) return years.said[0] as number
    // "This year" of an id that names the first of January is the year that ends there.
    const ended = moment.month === null || (moment.month === 12 && moment.day === 31)
    if (ended && id?.month === 1 && (id.day ?? 1) === 1) return id.year - 1
    if (years.id !== null) return years.id
    if (moment.month === null && closes !== null) return new Date(closes - 3 * 86_400_000).getUTCFullYear()
    const month = moment.month ?? 1
    if (closes !== null && close !== null) {
      const closeDay = Math.floor(closes / 86_400_000)
      const here = dayNumber(close, month, moment.day ?? 1)
      // Trading ends within weeks after the day, or months later; never long before it.
      return here <= closeDay + 15 ? close : close - 1
    }
    return rulesYears.length === 1 ? (rulesYears[0] as number) : null
  }
  const dates = moments.map((moment): SaidDate => {
    const year = yearFor(moment)
    return {
      role: moment.role,
      span: year === null ? null : spanOf(moment, year),
      grain: moment.day !== null ? 'day' : moment.month !== null ? 'month' : 'year',
      yearSaid: moment.year !== null,
      month: moment.month,
      day: moment.day,
      moment,
    }
  })
  return { dates, years }
}

/** Deadlines the first part of the rules names with their year. */
function deadlinesIn(rules: string): number[] {
  if (rules === '') return []
  const days = new Set<number>()
  for (const moment of takeDates(new Scratch(rules.slice(0, 800)))) {
    if (moment.role === 'deadline' && moment.year !== null && (moment.day !== null || moment.before))
      days.add(spanOf(moment, moment.year).to)
  }
  return [...days].sort((a, b) => a - b)
}
