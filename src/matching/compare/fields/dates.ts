// When: deadlines, days, periods and the year a question belongs to. A trading close is only ever a hint.

import type { MatchDifference } from '../../match.ts'
import { blocking, ruleOutPoints } from '../../match.ts'
import { dayText, type Span, spanOf } from '../../read/dateParser.ts'
import { memoizeLastPair } from '../../read/memoizeLast.ts'
import type { Question } from '../../read/question.ts'
import type { StatedDate } from '../../read/yearInference.ts'
import { hasBegun } from './windowStart.ts'

const kind = 'date'
const none: MatchDifference[] = []
const one = (points: number, detail: string, of = kind): MatchDifference[] => [{ kind: of, points, detail }]

/** The date that decides: a deadline before a day, a day before a month, a month before a year. */
export function primary(q: Pick<Question, 'dates'>): StatedDate | null {
  if (q.dates.length < 2) return q.dates[0] ?? null
  const order = (date: StatedDate): number =>
    (date.role === 'deadline' ? 0 : 4) + (date.grain === 'day' ? 0 : date.grain === 'month' ? 1 : 2)
  // "by end of 2026" is a deadline with year granularity: it still precedes a bare day.
  return [...q.dates].sort((a, b) => order(a) - order(b))[0] ?? null
}

export const compareDates = memoizeLastPair((a, b): readonly MatchDifference[] => {
  const mine = primary(a)
  const other = primary(b)
  if (mine === null && other === null) return compareHints(a, b)
  if (mine === null) return oneSided(b, other as StatedDate, a)
  if (other === null) return oneSided(a, mine, b)
  return [...compareStated(a, mine, b, other), ...vague(mine, other), ...others(a, mine, b, other)]
})

/** "By 2027" on one side only. */
function vague({ moment: x }: StatedDate, { moment: y }: StatedDate): MatchDifference[] {
  if (x.vague === y.vague) return none
  return one(12, `date: "by ${(x.vague ? x : y).year}" may end with that year or before it`)
}

function compareStated(a: Question, x: StatedDate, b: Question, y: StatedDate): MatchDifference[] {
  // Most pairs that get this far agree.
  if (sameDays(x, y)) return none
  const statement = `${a.venue} says ${dateText(x)}, ${b.venue} says ${dateText(y)}`
  if (x.span === null || y.span === null) {
    const [known, bare] = x.span === null ? [y, x] : [x, y]
    const lent = known.span === null ? null : lentYear(known as StatedDate & { span: Span }, bare)
    if (lent !== null)
      return [
        ...(x.span === null ? compareStated(a, lent, b, y) : compareStated(a, x, b, lent)),
        { kind, points: 6, detail: `${statement}; only one of them names the year` },
      ]
    if (x.month === y.month && x.day === y.day && x.role === y.role)
      return one(x.span === y.span ? 4 : 12, `${statement}; no year is known`)
    return one(40, `date: ${statement}`)
  }
  if ((x.role === 'after') !== (y.role === 'after')) return one(40, `date: ${statement}`)
  const sameEnd = x.span.to === y.span.to
  if (x.role === 'after') return one(40, `date: ${statement}`)
  const deadlines = Number(x.role === 'deadline') + Number(y.role === 'deadline')
  if (sameEnd && deadlines === 1) {
    const open = x.role === 'deadline' ? y : x
    if (open.grain === 'day') return one(30, `${statement}: on a day against by a day`)
    if (open.moment.season) return one(40, `date: ${statement}`)
    const since = hasBegun(open.span as Span, a, b)
    const begins = dayText((open.span as Span).from)
    if (since === false) return one(40, `date: ${statement}; what happens before ${begins} decides only one of them`)
    if (since === null) return one(12, `${statement}; it is unknown whether ${begins} has begun`)
    return one(open.grain === 'year' ? 1 : 3, `${statement}: the same last day, and ${begins} has begun`)
  }
  if (sameEnd && deadlines === 2) return none
  if (deadlines === 0 && x.grain !== y.grain) {
    const [wide, narrow] = x.grain === 'year' || (x.grain === 'month' && y.grain === 'day') ? [x, y] : [y, x]
    const inside = (narrow.span as { from: number }).from >= wide.span!.from && narrow.span!.to <= wide.span!.to
    // "the 2026 election" and "the election on 20 September 2026" are one occasion; "in 2026" and "on 20 September" are not.
    if (inside && wide.grain === 'year' && occasion(a) && occasion(b))
      return one(5, `${statement}: one names the year, the other the day`)
    if (inside) return one(35, `date: ${statement}`)
  }
  if (deadlines === 1) {
    const [by, label] = x.role === 'deadline' ? [x, y] : [y, x]
    const within = label.grain === 'year' && label.role === 'in' && by.span!.to >= label.span!.from
    // The year names the occasion ("2026 election"), the deadline only when the market gives up.
    if (within && occasion(a) && occasion(b)) return one(13, `${statement}: a deadline only on one side`)
  }
  return one(40, `date: ${statement}`)
}

const sameDays = ({ role, span }: StatedDate, other: StatedDate): boolean =>
  role === other.role && span !== null && span.from === other.span?.from && span.to === other.span.to

/** A day without a year, in the year in which its end matches the other's; null if there is none. */
function lentYear(known: StatedDate & { span: Span }, bare: StatedDate): StatedDate | null {
  if (bare.moment.month === null) return null
  const year = new Date(known.span.to * 86_400_000).getUTCFullYear()
  for (const each of [year, year + 1]) {
    const span = spanOf(bare.moment, each)
    if (span.to === known.span.to) return { ...bare, span }
  }
  return null
}

/** Questions about a named occasion: the year is part of its name. */
const occasion = (q: Question): boolean =>
  q.matchup !== null ||
  (q.features.event ?? []).some((event) => !event.startsWith('bank:')) ||
  (q.features.action ?? []).some((action) => /^(?:win|nominee|reach)$/.test(action))

/** Further dates of one question that the other lacks. */
function others(a: Question, x: StatedDate, b: Question, y: StatedDate): MatchDifference[] {
  const years = [...new Set([...a.years.stated, ...b.years.stated])].filter(
    (year) => a.years.stated.includes(year) !== b.years.stated.includes(year),
  )
  if (years.length > 0 && a.years.stated.length > 0 && b.years.stated.length > 0) {
    return one(
      30,
      `date: the years ${a.years.stated.join(', ')} on ${a.venue} and ${b.years.stated.join(', ')} on ${b.venue}`,
    )
  }
  const ends = (q: Question, but: StatedDate): string[] =>
    q.dates.filter((date) => date !== but && date.grain !== 'year' && date.span !== null).map((date) => dateText(date))
  const mine = ends(a, x)
  const other = ends(b, y)
  const onlyA = mine.filter((date) => !other.includes(date) && date !== dateText(y))
  const onlyB = other.filter((date) => !mine.includes(date) && date !== dateText(x))
  if (onlyA.length > 0 && onlyB.length > 0)
    return one(30, `date: ${a.venue} also says ${onlyA.join(', ')}, ${b.venue} ${onlyB.join(', ')}`)
  if (onlyA.length + onlyB.length === 0) return none
  const who = onlyA.length > 0 ? a : b
  return one(12, `date: only ${who.venue} also says ${[...onlyA, ...onlyB].join(', ')}`)
}

/** One question names a date, the other leaves it to its id, its rules or its close. */
function oneSided(speaker: Question, date: StatedDate, silent: Question): MatchDifference[] {
  const statement = `only ${speaker.venue} names a date (${dateText(date)})`
  const { id, idDay, rulesDeadlines } = silent.years
  if (date.span === null) {
    // "On May 29" of a market whose id names 29 May 2025.
    if (idDay === null || date.grain !== 'day' || date.role === 'deadline' || date.role === 'after')
      return one(blocking, statement)
    const agrees = dayText(idDay).slice(5) === monthDay(date)
    return one(agrees ? 4 : 40, `${statement}; the id of ${silent.venue} names ${dayText(idDay)}`)
  }
  const year = new Date(date.span.to * 86_400_000).getUTCFullYear()
  if (date.grain === 'year' && date.role !== 'deadline')
    return [...yearAlone(year, silent, statement), ...unbegun(speaker, date.span, silent, statement)]
  if (date.role === 'deadline') {
    if (rulesDeadlines.includes(date.span.to)) return one(4, `${statement}; the rules of ${silent.venue} agree`)
    if (rulesDeadlines.length > 0)
      return one(30, `${statement}; the rules of ${silent.venue} say by ${rulesDeadlines.map(dayText).join(', ')}`)
    const month = silent.years.idMonth
    // "before Jan 2027" is written 27JAN or 26DEC.
    if (month !== null && Math.abs(month - monthOf(date.span.to + 1)) > 1)
      return one(30, `${statement}; the id of ${silent.venue} names another month`)
    if (near(silent, date.span.to, 2)) return one(12, `${statement}; ${silent.venue} only closes then`)
    const far = silent.closes !== null && silent.closes / 86_400_000 + 3 < date.span.to
    return one(far ? 30 : 14, `deadline: ${statement}`)
  }
  if (idDay !== null && date.grain === 'day')
    return idDay === date.span.from
      ? one(2, `${statement}; the id of ${silent.venue} agrees`)
      : one(40, `${statement}; the id of ${silent.venue} names ${dayText(idDay)}`)
  if (id !== null && id !== year) return one(35, `${statement}; the id of ${silent.venue} names ${id}`)
  const dated = silent.domain === 'weather' || silent.domain === 'price' || silent.domain === 'game'
  if (near(silent, date.span.to, 2)) return one(blocking, `${statement}; ${silent.venue} only closes then`)
  return one(dated ? ruleOutPoints : 14, statement)
}

/** "In 2027" against an id, rules or a close that name a year. */
function yearAlone(year: number, silent: Question, statement: string): MatchDifference[] {
  const { id, rules, close } = silent.years
  // A season over two years is named by either.
  if (id !== null && id === year + 1 && /^(?:nfl|nba|nhl)$/.test(silent.features.league?.[0] ?? ''))
    return one(12, `${statement}; the id of ${silent.venue} names ${id}, which may be the same season`)
  if (id !== null) return id === year ? none : one(35, `${statement}; the id of ${silent.venue} names ${id}`)
  if (rules.length > 0)
    return rules.includes(year)
      ? one(2, `${statement}; the rules of ${silent.venue} agree`)
      : one(30, `${statement}; the rules of ${silent.venue} name ${rules.join(', ')}`)
  if (close === null) return one(blocking, `${statement}; no year is known on ${silent.venue}`)
  if (close === year) return one(2, `${statement}; ${silent.venue} closes in ${close}`)
  if (close === year + 1) return one(5, `${statement}; ${silent.venue} closes in ${close}`)
  return close > year && close <= year + 2
    ? one(12, `${statement}; ${silent.venue} closes in ${close}`)
    : one(30, `${statement}; ${silent.venue} closes in ${close}`)
}

/** The window of the other side may begin today. The year of an edition or of a figure is part of a name, not a window. */
function unbegun(speaker: Question, span: Span, silent: Question, statement: string): MatchDifference[] {
  if ((occasion(speaker) && occasion(silent)) || (figure(speaker) && figure(silent))) return none
  return hasBegun(span, speaker, silent) === false
    ? one(12, `${statement}, which has not begun; ${silent.venue} may cover all days until its end`, 'beginning')
    : none
}

const figure = (q: Question): boolean => q.features.metric !== undefined || /^(?:weather|price)$/.test(q.domain)

const monthDay = ({ month, day }: StatedDate): string =>
  `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

const monthOf = (day: number): number =>
  new Date(day * 86_400_000).getUTCFullYear() * 12 + new Date(day * 86_400_000).getUTCMonth()

const near = (q: Question, day: number, within: number): boolean =>
  q.closes !== null && Math.abs(Math.floor(q.closes / 86_400_000) - day) <= within

/** For a game or a single reading the day is part of the question even if unstated. */
const dayBound = (q: Question): boolean =>
  q.domain === 'game' ||
  q.domain === 'price' ||
  q.domain === 'weather' ||
  q.features.period !== undefined ||
  (q.intervals.length > 0 && q.features.event === undefined)

/** No date in words on either side: ids, rules and closes must not contradict each other. */
function compareHints(a: Question, b: Question): MatchDifference[] {
  const mine = a.years
  const other = b.years
  if (mine.id !== null && other.id !== null && mine.id !== other.id)
    return one(35, `date: the ids name ${mine.id} and ${other.id}`)
  if (mine.idDay !== null && other.idDay !== null && mine.idDay !== other.idDay)
    return one(40, `date: the ids name ${dayText(mine.idDay)} and ${dayText(other.idDay)}`)
  for (const [speaker, silent] of [
    [a, b],
    [b, a],
  ] as const) {
    const { id } = speaker.years
    if (id === null || silent.years.id !== null) continue
    if (silent.years.rules.length > 0) {
      if (!silent.years.rules.includes(id))
        return one(
          30,
          `date: the id of ${speaker.venue} names ${id}, the rules of ${silent.venue} name ${silent.years.rules.join(', ')}`,
        )
      return none
    }
    if (silent.years.close !== null && silent.years.close < id)
      return one(30, `date: the id of ${speaker.venue} names ${id}, ${silent.venue} closes in ${silent.years.close}`)
    if (silent.years.close !== null && silent.years.close > id + 1)
      return one(12, `date: the id of ${speaker.venue} names ${id}, ${silent.venue} closes in ${silent.years.close}`)
  }
  for (const [speaker, silent] of [
    [a, b],
    [b, a],
  ] as const) {
    const { idDay } = speaker.years
    if (idDay === null || silent.years.idDay !== null || !dayBound(speaker)) continue
    if (!near(silent, idDay, 2))
      return one(14, `date: the id of ${speaker.venue} names ${dayText(idDay)}, no day is known on ${silent.venue}`)
  }
  if (
    mine.rulesDeadlines.length > 0 &&
    other.rulesDeadlines.length > 0 &&
    !mine.rulesDeadlines.some((day) => other.rulesDeadlines.includes(day))
  ) {
    return one(
      14,
      `deadline: the rules say by ${mine.rulesDeadlines.map(dayText).join(', ')} and by ${other.rulesDeadlines.map(dayText).join(', ')}`,
    )
  }
  if (mine.rules.length > 0 && other.rules.length > 0 && !mine.rules.some((year) => other.rules.includes(year))) {
    return one(30, `date: the rules name ${mine.rules.join(', ')} and ${other.rules.join(', ')}`)
  }
  if (a.closes !== null && b.closes !== null) {
    const days = Math.abs(a.closes - b.closes) / 86_400_000
    const game = a.domain === 'game' || a.domain === 'price' || a.domain === 'weather'
    if (game && days > 0.5 && days <= 30)
      return one(12, `date: no date is named and the closes lie ${days.toFixed(1)} days apart`)
    if (days > (game ? 30 : 800))
      return one(ruleOutPoints, `date: no date is named and the closes lie ${Math.round(days)} days apart`)
    if (days > 400) return one(12, `date: no date is named and the closes lie ${Math.round(days)} days apart`)
  }
  return none
}

const texts = new WeakMap<StatedDate, string>()

/** Cached: a date is compared in thousands of pairs. */
function dateText(date: StatedDate): string {
  const known = texts.get(date)
  if (known !== undefined) return known
  const text = written(date)
  texts.set(date, text)
  return text
}

function written(date: StatedDate): string {
  if (date.span === null)
    return `${date.role === 'deadline' ? 'by ' : ''}month ${date.month ?? '?'}${date.day === null ? '' : ` day ${date.day}`}, year unknown`
  const { from, to } = date.span
  if (date.role === 'deadline') return `by ${dayText(to)}`
  if (date.role === 'after') return `after ${dayText(from)}`
  if (date.grain === 'year') return `in ${dayText(to).slice(0, 4)}`
  return from === to ? `on ${dayText(from)}` : `${dayText(from)} to ${dayText(to)}`
}
