// What the rules of both say where titles agree: deadlines and what becomes of a tie or a cancellation. They lower a band and never raise one.
import { blocking, type MatchDifference } from '../match.ts'
import type { Question } from '../question.ts'
import { dayText } from '../when.ts'
import { primary } from './dates.ts'

const kind = 'rules'

export function compareRules(a: Question, b: Question): MatchDifference[] {
  if (a.rules === '' || b.rules === '' || a.rules === b.rules) return []
  return [...deadlines(a, b), ...unsettled(a, b)]
}

/** Where no title names a date, the comparison of dates has looked at the rules already. */
function deadlines(a: Question, b: Question): MatchDifference[] {
  if (primary(a) === null && primary(b) === null) return []
  const [mine, other] = [a.years.rulesDeadlines, b.years.rulesDeadlines]
  if (mine.length === 0 || other.length === 0 || mine.some((day) => other.some((each) => Math.abs(each - day) <= 1)))
    return []
  const said = (days: readonly number[]): string => days.map(dayText).join(', ')
  return [{ kind, points: 14, detail: `rules: by ${said(mine)} on ${a.venue}, by ${said(other)} on ${b.venue}` }]
}

const halves = /\b50[ -]?[-/][ -]?50\b|\b50% each\b|\b(?:split|evenly) between\b/
const refused =
  /\bresolves? (?:to )?"?no"? (?:if|in the event|where|when|should)[^.]{0,120}\b(?:tie|tied|draw|postponed|cancell?ed|abandoned)\b|\b(?:tie|tied|draw|postponed|cancell?ed|abandoned)\b[^.]{0,120}\bresolves? (?:to )?"?no\b/

/** A tie or a cancellation pays half on one side and nothing on the other. */
function unsettled(a: Question, b: Question): MatchDifference[] {
  const [x, y] = [outcomeOf(a.rules), outcomeOf(b.rules)]
  if (x === null || y === null || x === y) return []
  const detail = `rules: a tie or a cancellation is ${x} on ${a.venue} and ${y} on ${b.venue}`
  return [{ kind, points: blocking, detail }]
}

function outcomeOf(rules: string): string | null {
  const low = rules.slice(0, 2_000).toLowerCase()
  return halves.test(low) ? 'half' : refused.test(low) ? 'No' : null
}
