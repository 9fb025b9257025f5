// What the rules of both sides say where the titles agree: deadlines, and what happens on a tie or a cancellation. They lower a band and never raise
// one.

import { blocking, type MatchDifference } from '../../match.ts'
import { dayText } from '../../read/dateParser.ts'
import type { Question } from '../../read/question.ts'
import type { RulesText } from '../../read/rulesText.ts'
import { compareCounted } from './countedUnits.ts'
import { primary } from './dates.ts'
import { compareResolutionCriteria } from './resolutionCriteria.ts'

const kind = 'rules'

export function compareRules(a: Question, b: Question): MatchDifference[] {
  if (a.rules === '' || b.rules === '' || a.rules === b.rules) return []
  const halved = unsettled(a, b)
  return [
    ...deadlines(a, b),
    ...(halved.length > 0 ? halved : consequences(a, b)),
    ...compareCounted(a, b),
    ...compareResolutionCriteria(a, b),
  ]
}

/** If no title names a date, the comparison of dates has already used the rules. */
function deadlines(a: Question, b: Question): MatchDifference[] {
  if (primary(a) === null && primary(b) === null) return []
  const [mine, other] = [lastDays(a), lastDays(b)]
  if (mine.length === 0 || other.length === 0 || mine.some((day) => other.some((each) => Math.abs(each - day) <= 1)))
    return []
  const daysText = (days: readonly number[]): string => days.map(dayText).join(', ')
  return [
    { kind, points: 14, detail: `rules: by ${daysText(mine)} on ${a.venue}, by ${daysText(other)} on ${b.venue}` },
  ]
}

/** From its rules; from its title if only the other's rules name one. */
function lastDays(q: Question): readonly number[] {
  if (q.years.rulesDeadlines.length > 0) return q.years.rulesDeadlines
  const date = primary(q)
  return date?.role === 'deadline' && date.span !== null ? [date.span.to] : []
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

/** Cases without a regular answer, and how rules handle them. */
const happenings: readonly (readonly [string, RegExp])[] = [
  [
    'a tie',
    /\b(?:ties?|tied|draws?|dead heat|multiple (?:\S+ )?(?:winners|candidates|teams|players)|two or more \S+ are)\b/,
  ],
  ['a cancellation', /\b(?:cancell?ed|cancellation|abandoned|no make-up)\b/],
  ['a postponement', /\bpostponed?\b|\bnot (?:be )?(?:held|played|take place)\b/],
  [
    'an award without a winner',
    /\bno (?:\S+ ){0,2}(?:winners?|laureates?|prizes?|awards?|medals?) (?:\S+ ){0,2}(?:announced|awarded|named|given|presented|declared)\b|\b(?:prize|award|medal) (?:is|are) not (?:awarded|given|presented)\b/,
  ],
  ['a death', /\b(?:dies|died|death|deceased)\b/],
  ['a second round', /\b(?:run-?offs?|(?:first|second) rounds?)\b/],
]
const made: readonly (readonly [string, RegExp])[] = [
  ['split in halves', halves],
  ['the first by alphabet', /\balphabet/],
  ['the last fair price', /\blast (?:fair|traded|market)[^.]*price/],
  ['left open', /\b(?:remains?|stays?|left) open\b/],
  ['decided by the official tie-break', /\b(?:tie-?break(?:er)?|official winner|countback)\b/],
  ['"Other"', /\bresolves? (?:to )?["']?other\b/],
  ['No', /\bresolves? (?:to )?["']?no\b/],
  ['Yes', /\bresolves? (?:to )?["']?yes\b/],
  ['decided by the first', /\b(?:winners?|results?|outcome) of the first round\b/],
  ['divided', /\bdead[- ]heat rules\b/],
  ['counted', /\b(?:counts? as|includ(?:es|ing)|resolves by the (?:run-?off|second round))\b/],
]

/** Both mention a tie or a game that is not played, and handle it differently. */
function consequences(a: Question, b: Question): MatchDifference[] {
  const [mine, other] = [consequencesOf(a), consequencesOf(b)]
  for (const [happening] of happenings) {
    const [x, y] = [mine.get(happening), other.get(happening)]
    if (x === undefined || y === undefined || x === y) continue
    return [{ kind, points: blocking, detail: `rules: ${happening} is ${x} on ${a.venue} and ${y} on ${b.venue}` }]
  }
  return []
}

/** A game that is not played makes every answer No: none of a complete set need come true. */
export const canBeVoid = (q: Question): boolean =>
  q.rules !== '' && ['a cancellation', 'a postponement'].some((happening) => consequencesOf(q).get(happening) === 'No')

const known = new WeakMap<RulesText, ReadonlyMap<string, string>>()

/** Cached: a question is compared in thousands of pairs, and shares its rules with others. */
function consequencesOf({ parsedRules }: Question): ReadonlyMap<string, string> {
  const before = known.get(parsedRules)
  if (before !== undefined) return before
  const found = new Map<string, string>()
  for (const sentence of parsedRules.text
    .slice(0, 4_000)
    .toLowerCase()
    .split(/(?<=[.;])\s|\n/)) {
    const outcome = made.find(([, pattern]) => pattern.test(sentence))
    if (outcome === undefined) continue
    for (const [happening, pattern] of happenings)
      if (!found.has(happening) && pattern.test(sentence)) found.set(happening, outcome[0])
  }
  known.set(parsedRules, found)
  return found
}
