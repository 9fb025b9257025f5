// Two questions that no entry reads: they are the same if every term of each is a term of the other, and amounts, days and negations agree.

import { type MatchDifference, ruleOutPoints } from '../../match.ts'
import type { PropositionTemplate } from '../../read/frames/proposition.ts'
import type { Question } from '../../read/question.ts'
import { isDisjoint, type Term } from '../frames/arguments.ts'
import { compareWindow } from '../frames/compare.ts'
import { relateAmounts } from '../frames/frameThresholds.ts'
import { bagOf, gridOf, type TokenBag } from './bagOfWords.ts'

export interface GeneralVerdict {
  /** The few that remain, all soft. */
  differences: MatchDifference[]
  inverse: boolean
}

/** Contradictions not in wording: they remain however the words are read. */
const settled =
  /^(?:team|district|party|place|group|division|league|period|metric|basis|asset|decision|time|opponent|date|outcome)$/

/** If the source is the answer, the words do not define the question. */
const sourced = /^(?:weather|price|game)$/

/** Cheap: whether the fields leave room for a comparison of words, and at least one word is shared. */
export function couldBeParaphrase(a: Question, b: Question, fields: readonly MatchDifference[]): boolean {
  if (a.matchup !== null || b.matchup !== null || a.open || b.open) return false
  if (sourced.test(a.domain) || sourced.test(b.domain)) return false
  if (fields.some((each) => each.points >= ruleOutPoints && settled.test(each.kind))) return false
  return a.rest.some((word) => b.rest.some((other) => other.key === word.key))
}

/** Null if the words differ; by how much they differ is not determined. */
export function compareGeneral(a: Question, b: Question): GeneralVerdict | null {
  const [x, y] = [bagOf(a), bagOf(b)]
  if (x === null || y === null || x.phrase.terms.length < 2 || y.phrase.terms.length < 2) return null
  if (x.phrase.terms.length > y.phrase.terms.length * 2 + 2 || y.phrase.terms.length > x.phrase.terms.length * 2 + 2)
    return null
  const words = compareTerms(a, x, b, y)
  if (words === null) return null
  if (!amountsAgree(x, y) || !asidesAgree(x, y)) return null
  const window = compareWindow(a, b, { window: sharedDays(a, b) ? 'bounded' : windowOf(x, y), selfEnding: false })
  return {
    differences: [...words, ...window.differences],
    inverse: a.negated !== b.negated,
  }
}

/** Days that both identify by what they are, and that occur only once: a deadline on one side says when its venue gives up. */
const namedDays = /\bfirst (?:\d+|hundred) days\b|\binauguration day\b|\belection (?:day|night)\b/i
const sharedDays = ({ text: p }: Question, { text: q }: Question): boolean => {
  const day = namedDays.exec(p)?.[0].toLowerCase()
  return day !== undefined && day === namedDays.exec(q)?.[0].toLowerCase()
}

/** What the words alone say about their day. */
function windowOf(x: TokenBag, y: TokenBag): PropositionTemplate['window'] {
  const both = (key: RegExp): boolean => [x, y].every(({ phrase }) => phrase.terms.some(({ text }) => key.test(text)))
  if (both(/^(?:votefor)$/)) return 'bounded'
  return both(/^(?:win|nominee|voteshare|seats?|turnout)$/) ? 'recurring' : 'open'
}

function compareTerms(a: Question, x: TokenBag, b: Question, y: TokenBag): MatchDifference[] | null {
  const { onlyA, onlyB, taken } = isDisjoint(x.phrase, y.phrase)
  const spelled = taken.map(([one, two]): MatchDifference => {
    return { kind: 'spelling', points: 2, detail: `spelling: "${one}" and "${two}" are taken for the same` }
  })
  const extra = [...onlyA, ...onlyB]
  if (extra.length === 0) return spelled
  const person = personOf(x, y)
  if (!extra.every((term) => free(term, x, y, person))) return null
  const [who, terms] = onlyA.length > 0 ? [a, onlyA] : [b, onlyB]
  const list = terms.map(({ text }) => `"${text}"`).join(' ')
  return [
    ...spelled,
    { kind: 'wording', points: 3, detail: `words: only ${who.venue} says ${list}, which the rest implies` },
  ]
}

const office =
  /^(?:secretary|director|ambassador|chair|attorneygeneral|administrator|commissioner|governor|mayor|president|vicepresident|senator|speaker|primeminister|justice|judge|member|head)s?$/
const ofPerson = /^(?:votefor|endorse|confirm|voteshare)$/
const countedVotes = /^(?:senator|votefor|confirm)s?$/

/** Both name a person in full, and what is done to them is not done to anyone twice under two offices. */
function personOf(x: TokenBag, y: TokenBag): boolean {
  return [x, y].every(({ phrase }) => phrase.terms.some(({ text }) => ofPerson.test(text)))
}

/** Terms implied by the rest: the office of a person who is confirmed, endorsed or voted for by name. */
function free(term: Term, x: TokenBag, y: TokenBag, person: boolean): boolean {
  if (!person) return false
  const shared = x.phrase.terms.filter((each) => y.phrase.terms.some(({ key }) => key === each.key))
  const isVoteShare = shared.some(({ text }) => text === 'voteshare')
  if (isVoteShare) return office.test(term.text) && shared.length >= 3
  const names = shared.filter(({ text }) => !ofPerson.test(text) && !office.test(text) && !countedVotes.test(text))
  return names.length >= 2 && (countedVotes.test(term.text) || behindOffice(term, x) || behindOffice(term, y))
}

/** The office follows "as" or "for" at the end of a sentence: "as secretary of labor", "for mayor". */
function behindOffice(term: Term, bag: TokenBag): boolean {
  const at = /\b(?:as|for|in his|in her) (?:as )?(?:the )?(?=[^:]*$)(.*)$/.exec(bag.phrase.text)
  const words = at?.[1]?.split(' ') ?? []
  return words.some((word) => office.test(word)) && words.some((word) => word.startsWith(term.text))
}

/** A percentage is a share where something is divided; a growth of 100 % has no such end. */
const shared = /\b(?:voteshare|turnout|support|approval|favou?rability|disapproval|score)\b/

function amountsAgree({ amount: p, phrase }: TokenBag, { amount: q }: TokenBag): boolean {
  if (p === null || q === null) return p === q
  if (p.touch !== q.touch) return false
  const grid = gridOf(p, q)
  return relateAmounts(p, q, grid.step === 'said' && !shared.test(phrase.text) ? { step: 'said' } : grid) === 'equal'
}

/** Parentheses name the thing once more; if both have some, they must agree. */
function asidesAgree(x: TokenBag, y: TokenBag): boolean {
  const distinctive =
    /\b(?:men|women|junior|primary|general|runoff|first|second|third|sequel|deluxe|part|season|vol)\b|\d/
  if (x.asides.length === 0 || y.asides.length === 0)
    return [...x.asides, ...y.asides].every((aside) => !distinctive.test(aside))
  return x.asides.join(' ') === y.asides.join(' ')
}
