// Fields that both questions state, with different values. No decision on their wording overrides one.

import { isPersonLike } from '../../decide/templates/templatePair.ts'
import { blocking, type MatchDifference, ruleOutPoints } from '../../match.ts'
import { type FeatureKind, featureKinds } from '../../read/features.ts'
import type { Question, Residual } from '../../read/question.ts'
import { type Mention, type Mentions, mentionsOf } from '../../read/typedFields/mentions.ts'
import { fieldKinds, type TypedField } from '../../read/typedFields/typedFields.ts'
import { compareCompleteness } from '../fields/completeness.ts'
import { compareDates, primary } from '../fields/dates.ts'
import { occursInsideName, primaryForNomination } from '../fields/features.ts'
import { compareRules } from '../fields/rules.ts'
import { compareSettlement } from '../fields/settlement.ts'
import { compareStrikes } from '../fields/strikes.ts'
import { compareTimes } from '../fields/times.ts'
import { typoDistance } from '../frames/arguments.ts'
import { compareMentions } from '../general/mentionMarkets.ts'

export interface Contradiction {
  field: TypedField
  /** What contradicts, in words a person can check against the two markets. */
  detail: string
}

/** The first one found, cheapest checks first; null if there is none. */
export const typedContradiction = (a: Question, b: Question): Contradiction | null =>
  firstOf(cheapChecks, a, b) ?? firstOf(otherChecks, a, b)

/** Only those that need nothing but what was read for the first comparison. */
export const cheapContradiction = (a: Question, b: Question): Contradiction | null => firstOf(cheapChecks, a, b)

type Check = (a: Question, b: Question) => Contradiction | null

function firstOf(checks: readonly Check[], a: Question, b: Question): Contradiction | null {
  for (const check of checks) {
    const found = check(a, b)
    if (found !== null) return found
  }
  return null
}

const fieldOfKind = new Map<FeatureKind, TypedField>(
  Object.entries<readonly FeatureKind[]>(fieldKinds).flatMap(([field, kinds]) =>
    kinds.map((kind): [FeatureKind, TypedField] => [kind, field as TypedField]),
  ),
)

const contradiction = (field: TypedField, { detail }: Pick<MatchDifference, 'detail'>): Contradiction => ({
  field,
  detail,
})

/** The first difference of at least so many points. */
function fromDifferences(
  field: TypedField,
  differences: readonly MatchDifference[],
  least: number = ruleOutPoints,
): Contradiction | null {
  const found = differences.find(({ points }) => points >= least)
  return found === undefined ? null : contradiction(field, found)
}

/** Both state the kind, and each has a value that the other lacks. */
function features(a: Question, b: Question): Contradiction | null {
  const nomination = primaryForNomination(a, b)
  for (const kind of featureKinds) {
    const [mine, other] = [a.features[kind], b.features[kind]]
    if (mine === undefined || other === undefined) continue
    if (nomination && (kind === 'stage' || kind === 'action')) continue
    const onlyA = mine.filter((value) => !other.includes(value) && !(kind === 'place' && occursInsideName(b, value)))
    const onlyB = other.filter((value) => !mine.includes(value) && !(kind === 'place' && occursInsideName(a, value)))
    if (onlyA.length === 0 || onlyB.length === 0) continue
    const detail = `${kind}: ${a.venue} says ${onlyA.join(', ')}, ${b.venue} says ${onlyB.join(', ')}`
    return { field: fieldOfKind.get(kind) ?? 'act', detail }
  }
  return null
}

/** Amounts that both state. That only one states an amount remains visible in the texts. */
function thresholds(a: Question, b: Question): Contradiction | null {
  const { differences } = compareStrikes(a, b)
  const both = a.intervals.length > 0 && b.intervals.length > 0
  const strikes = differences.filter(({ kind }) => kind === 'strike')
  const numbers = differences.filter(({ kind }) => kind === 'number')
  return (both ? fromDifferences('threshold', strikes, blocking) : null) ?? fromDifferences('threshold', numbers)
}

/** Differences that only say which side leaves its date open are not contradictions. */
function dates(a: Question, b: Question): Contradiction | null {
  const differences = compareDates(a, b)
  const found = fromDifferences('date', differences)
  if (found !== null) return found
  const begins = differences.find(({ kind, points }) => kind === 'beginning' && points >= blocking)
  if (begins !== undefined) return contradiction('date', begins)
  const [x, y] = [primary(a), primary(b)]
  if (x === null || y === null) return hints(a, b)
  return x.moment.vague === y.moment.vague
    ? null
    : { field: 'date', detail: 'date: only one of them may end with the year it names' }
}

/** Days apart of two closes above which two undated questions belong to different terms or editions. */
const closesApartMax = 400

function hints(a: Question, b: Question): Contradiction | null {
  const [mine, other] = [a.years.rulesDeadlines, b.years.rulesDeadlines]
  if (mine.length > 0 && other.length > 0 && !mine.some((day) => other.some((each) => Math.abs(each - day) <= 1)))
    return { field: 'date', detail: 'date: the rules of the two name different deadlines' }
  if (primary(a) !== null || primary(b) !== null || a.closes === null || b.closes === null) return null
  const days = Math.abs(a.closes - b.closes) / 86_400_000
  if (days <= closesApartMax) return null
  return { field: 'date', detail: `date: no date is named and the closes lie ${Math.round(days)} days apart` }
}

/** Each names someone of whom the other has no word. */
function strangers(a: Question, b: Question): Contradiction | null {
  const [mine, other] = [nameAlone(a.rest, b.rest), nameAlone(b.rest, a.rest)]
  if (mine === null || other === null) return null
  return { field: 'who', detail: `who: ${a.venue} names ${mine}, ${b.venue} names ${other}` }
}

/** Two or three adjacent words of a name, none of which the other has. */
function nameAlone(words: readonly Residual[], others: readonly Residual[]): string | null {
  for (let at = 0; at < words.length; ) {
    const first = words[at]!
    let end = at
    while (end < words.length && words[end]!.run === first.run && words[end]!.name) end++
    const run = words.slice(at, end)
    const isAlone = run.every(({ key }) => !others.some((other) => other.key === key))
    if (run.length >= 2 && run.length <= 3 && isAlone) return run.map(({ text }) => text).join(' ')
    at = Math.max(end, at + 1)
  }
  return null
}

/** The person or thing that the answer names, and persons that only one side names each. */
function names(a: Question, b: Question): Contradiction | null {
  const [mine, other] = [mentionsOf(a), mentionsOf(b)]
  const [x, y] = [mine.subject, other.subject]
  if (x !== null && y !== null && !occursIn(x, other.text) && !occursIn(y, mine.text) && !isAlias(x.value, y.value))
    return { field: 'who', detail: `who: ${a.venue} names ${x.text}, ${b.venue} names ${y.text}` }
  const missing = missingAnswer(mine, other) ?? missingAnswer(other, mine)
  if (missing !== null)
    return { field: 'who', detail: `who: ${missing.text} is the answer of one, and the other does not name it` }
  const onlyA = personsOnly(mine.list, other.list, other.text)
  const onlyB = personsOnly(other.list, mine.list, mine.text)
  for (const one of onlyA) {
    if (onlyB.length > 0 && onlyB.every((each) => !isAlias(one.value, each.value)))
      return { field: 'who', detail: `who: ${a.venue} names ${one.text}, ${b.venue} names ${onlyB[0]!.text}` }
  }
  return null
}

/** The label of one, if the other names nothing of the kind. */
function missingAnswer({ subject, labelled }: Mentions, other: Mentions): Mention | null {
  if (subject === null || !labelled || occursIn(subject, other.text)) return null
  const isNamed = other.list.some(({ kind, value }) => kind === 'name' && isAlias(subject.value, value))
  return isNamed ? null : subject
}

const personsOnly = (list: readonly Mention[], others: readonly Mention[], text: string): Mention[] =>
  list.filter(
    (mention) =>
      mention.kind === 'name' &&
      !mention.quoted &&
      isPersonLike(mention.value) &&
      !others.some(({ value }) => value === mention.value) &&
      !occursIn(mention, text),
  )

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[.']/g, '')
    .replace(/[^\p{L}\p{N}-]+/gu, ' ')
    .trim()} `

/** All words of the name, side by side. */
const occursIn = ({ value }: Mention, text: string): boolean => plain(text).includes(` ${value} `)

/** One person under two names: a surname alone, initials, a typing error. */
export function isAlias(one: string, other: string): boolean {
  const [x, y] = [one.split(' '), other.split(' ')]
  const [short, long] = x.length <= y.length ? [x, y] : [y, x]
  if (short.every((word) => long.includes(word))) return true
  const initials = long
    .flatMap((word) => word.split('-'))
    .filter((word) => !/^(?:jr|sr|of|the)$/.test(word))
    .map((word) => word[0])
    .join('')
  if (short[0] === initials && initials.length >= 2) return true
  return typoDistance(x.join(''), y.join(''))
}

const cheapChecks: readonly Check[] = [thresholds, dates, features, strangers]
const otherChecks: readonly Check[] = [
  (a, b) => fromDifferences('date', compareTimes(a, b), blocking),
  names,
  // Two forms of a place's name have one value, and are two words.
  (a, b) => fromDifferences('act', compareMentions(a, b)),
  (a, b) => fromDifferences('source', compareSettlement(a, b).differences, blocking),
  (a, b) => fromDifferences('source', compareRules(a, b), blocking),
  (a, b) => fromDifferences('act', compareCompleteness(a, b), blocking),
]
