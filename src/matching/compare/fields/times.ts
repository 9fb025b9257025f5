// The hour at which an answer is read, and the time zone of a deadline: from the title, or from the rules if the title has
// none.

import type { MatchDifference } from '../../match.ts'
import type { TimeOfDay } from '../../read/dateParser.ts'
import type { Question } from '../../read/question.ts'

const differs = (points: number, detail: string): MatchDifference[] => [
  { kind: 'time', points, detail: `time: ${detail}` },
]

export function compareTimes(a: Question, b: Question): MatchDifference[] {
  return [...compareHours(a, b), ...compareZones(a, b)]
}

function compareHours(a: Question, b: Question): MatchDifference[] {
  const titled = a.times.length > 0 && b.times.length > 0
  const [x, y] = titled ? [a.times, b.times] : [hoursOf(a), hoursOf(b)]
  if (x.length === 0 && y.length === 0) return []
  if (x.length === 0 || y.length === 0) {
    const [who, times] = x.length > 0 ? [a, x] : [b, y]
    // A deadline at the end of its day adds nothing.
    if (times.every(endsDay)) return []
    const priced = a.domain === 'price' || a.domain === 'weather'
    return differs(priced ? 12 : 4, `only ${who.venue} says ${textOf(times)}`)
  }
  const statement = `${a.venue} says ${textOf(x)}, ${b.venue} says ${textOf(y)}`
  if (titled) return x.length === y.length && x.every((time, at) => agree(time, y[at]!)) ? [] : differs(40, statement)
  const common = x.filter((time) => y.some((other) => agree(time, other)))
  if (common.length === x.length && y.every((time) => x.some((other) => agree(time, other)))) return []
  // Rules also name hours that decide nothing.
  return differs(common.length > 0 ? 12 : 40, statement)
}

/** Something read once is read at an hour; something that only has to happen is not. */
const hoursOf = (q: Question): readonly TimeOfDay[] =>
  q.times.length > 0 || !readOnce(q) ? q.times : q.parsedRules.times.filter((time) => !endsDay(time))

const readOnce = ({ domain, intervals, proposition }: Question): boolean =>
  (domain === 'price' || proposition?.frame.settles === true) && !intervals.some(({ touch }) => touch)

/** "By December 31, 11:59 PM ET" and "11:59 PM PT". */
function compareZones(a: Question, b: Question): MatchDifference[] {
  const [x, y] = [a, b].map(({ times, parsedRules }) =>
    (times.length > 0 ? times : parsedRules.times).filter((time) => endsDay(time) && time.zone !== null),
  ) as [TimeOfDay[], TimeOfDay[]]
  if (x.length === 0 || y.length === 0 || x.some(({ zone }) => y.some((other) => other.zone === zone))) return []
  return differs(12, `the day ends at ${textOf(x)} on ${a.venue}, at ${textOf(y)} on ${b.venue}`)
}

const endsDay = ({ minutes }: TimeOfDay): boolean => minutes === 1439 || minutes === 0

const agree = (one: TimeOfDay, two: TimeOfDay): boolean =>
  one.minutes === two.minutes && (one.zone === null || two.zone === null || one.zone === two.zone)

const textOf = (times: readonly TimeOfDay[]): string =>
  times.map(({ minutes, zone }) => `${clock(minutes)}${zone === null ? '' : ` ${zone.toUpperCase()}`}`).join('-')

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
