// Which year a date without one means, and which year a question without any date belongs to: from the id, the rules, or the close, in that order of
// trust.

import { dayNumber, type idDate, type Moment, type Role, type Span, spanOf } from './dateParser.ts'
import type { RulesText } from './rulesText.ts'

export interface StatedDate {
  role: Role
  /** Days since 1970; null while no year is known. */
  span: Span | null
  grain: 'year' | 'month' | 'day'
  /** The words themselves gave the year. */
  hasYear: boolean
  month: number | null
  day: number | null
  /** As written, for a year supplied by the other question. */
  moment: Moment
}

export interface YearHints {
  /** Years in the words of the question; "before 2027" counts as 2026. */
  stated: number[]
  id: number | null
  /** Month the id names without a day, counted from year 0; a day there is often the listing day. */
  idMonth: number | null
  /** Day the id names. */
  idDay: number | null
  rules: readonly number[]
  /** Last days the rules name as a deadline. */
  rulesDeadlines: readonly number[]
  close: number | null
}

export function resolveMoments(
  moments: readonly Moment[],
  id: ReturnType<typeof idDate>,
  rules: RulesText,
  closes: number | null,
): { dates: StatedDate[]; years: YearHints } {
  const stated = new Set<number>()
  for (const moment of moments) {
    if (moment.year === null) continue
    const span = spanOf(moment, moment.year)
    stated.add(new Date(span.to * 86_400_000).getUTCFullYear())
  }
  const close = closes === null ? null : new Date(closes).getUTCFullYear()
  const years: YearHints = {
    stated: [...stated].sort(),
    id: id?.year ?? null,
    idMonth: id === null || id.month === null || id.day !== null ? null : id.year * 12 + id.month - 1,
    idDay: id === null || id.month === null || id.day === null ? null : dayNumber(id.year, id.month, id.day),
    rules: rules.years,
    rulesDeadlines: rules.deadlines,
    close,
  }
  const yearFor = (moment: Moment): number | null => {
    if (moment.year !== null) return moment.year
    if (years.stated.length > 0) return years.stated[0] as number
    // "This year" in an id that names the first of January is the year that ends there.
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
    return rules.years.length === 1 ? (rules.years[0] as number) : null
  }
  const dates = moments.map((moment): StatedDate => {
    const year = yearFor(moment)
    return {
      role: moment.role,
      span: year === null ? null : spanOf(moment, year),
      grain: moment.day !== null ? 'day' : moment.month !== null ? 'month' : 'year',
      hasYear: moment.year !== null,
      month: moment.month,
      day: moment.day,
      moment,
    }
  })
  return { dates, years }
}
