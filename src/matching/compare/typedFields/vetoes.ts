// What rules out `verified` although no field contradicts: something that one side only states, and that usually makes it another
// question. Checked before any decision on the wording is applied.

import { isPersonLike, type TemplatePair } from '../../decide/templates/templatePair.ts'
import { placeOf, placePattern, stateOfCode } from '../../read/gazetteer.ts'
import type { Question } from '../../read/question.ts'
import { matches } from '../../read/text.ts'
import { relate } from '../../read/thresholdParser.ts'
import { type Mention, mentionsOf } from '../../read/typedFields/mentions.ts'
import { mayBeOnePost, postsOf } from '../../read/typedFields/posts.ts'
import { isDated } from '../../read/typedFields/typedFields.ts'
import { primaryForNomination } from '../fields/features.ts'
import { isAlias } from './typedContradictions.ts'

export type VetoName =
  | 'unnamed'
  | 'second person'
  | 'gender'
  | 'order in time'
  | 'round'
  | 'majority'
  | 'bound'
  | 'place'
  | 'office'
  | 'chamber'
  | 'league'
  | 'undated'

export interface Veto {
  name: VetoName
  /** What is found, in words a person can check against the two markets. */
  detail: string
}

type Check = (a: Question, b: Question) => Veto | null

/** The first one that applies; null if none does. */
export function vetoOf(a: Question, b: Question): Veto | null {
  return firstOf(checks, a, b)
}

/** The first one that demotes a pair which the first comparison has verified. Games are compared by other fields. */
export function vetoOfVerified(a: Question, b: Question): Veto | null {
  if (a.matchup !== null || b.matchup !== null) return null
  return firstOf(strictChecks, a, b)
}

/** Identical wording says nothing about the term or the edition: without a date on both sides it may be another one. */
export function vetoOfUndated(a: Question, b: Question, pair: Pick<TemplatePair, 'a' | 'b'>): Veto | null {
  if (plainOf(pair.a) !== plainOf(pair.b) || (isDated(a) && isDated(b))) return null
  const silent = isDated(a) ? b : a
  return { name: 'undated', detail: `date: the wording is the same, and nothing dates the question of ${silent.venue}` }
}

const plainOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}{}]+/gu, ' ')

function firstOf(list: readonly Check[], a: Question, b: Question): Veto | null {
  for (const check of list) {
    const found = check(a, b)
    if (found !== null) return found
  }
  return null
}

const lowTexts = new WeakMap<Question, string>()

/** Everything in words: the sentence, its label and its event. */
function wordsOf(q: Question): string {
  const known = lowTexts.get(q)
  if (known !== undefined) return known
  const low = `${q.text} ${q.label} ${q.event}`.toLowerCase()
  lowTexts.set(q, low)
  return low
}

const onOneSide = (a: Question, b: Question, pattern: RegExp): Question | null => {
  const [x, y] = [pattern.test(wordsOf(a)), pattern.test(wordsOf(b))]
  return x === y ? null : x ? a : b
}

/** "Other" and "Person A" mean something else in every event. */
function unnamed(a: Question, b: Question): Veto | null {
  const open = [a, b].find((q) => q.unnamed !== null)
  return open === undefined ? null : { name: 'unnamed', detail: `name: the answer of ${open.venue} is not a name` }
}

/** "X and Y" on one side, X alone on the other. */
function secondPerson(a: Question, b: Question): Veto | null {
  for (const [who, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const added = joinedPersons(who).find(([first, second]) => names(other, first) && !names(other, second))
    if (added !== undefined)
      return { name: 'second person', detail: `who: only ${who.venue} adds "${added[1].text}" to "${added[0].text}"` }
  }
  return null
}

const joint = /, |\s(?:and|or|&|plus|with|alongside)\s/i

/** Two names with nothing but "and", a comma or an ampersand between them. */
function joinedPersons(q: Question): [Mention, Mention][] {
  // Most texts have none, and their names need not be read.
  if (!joint.test(q.text) && !joint.test(q.event)) return []
  const { list, text } = mentionsOf(q)
  const found: [Mention, Mention][] = []
  for (const [at, second] of list.entries()) {
    const first = list[at - 1]
    if (first === undefined || first.kind !== 'name' || second.kind !== 'name') continue
    const between = text.slice(first.end, second.start)
    const listed = /^\s*,\s+$/.test(between) && isPersonLike(second.value)
    if (listed || /^,?\s+(?:and|or|&|plus|with|alongside)\s+$/i.test(between)) found.push([first, second])
  }
  return found
}

/** It names the person, perhaps by the surname alone. */
function names(q: Question, { value }: Mention): boolean {
  const { list, text } = mentionsOf(q)
  if (list.some((other) => other.kind === 'name' && isAlias(other.value, value))) return true
  return isPersonLike(value) && text.toLowerCase().includes(value)
}

const female = /\b(?:women|womens|women's|female|girls?|ladies|actress(?:es)?|wta|wnba|lpga|nwsl)\b/
const male = /\b(?:men|mens|men's|male|boys|gentlemen)\b/

function women(a: Question, b: Question): Veto | null {
  const who = onOneSide(a, b, female)
  return who === null ? null : { name: 'gender', detail: `category: only ${who.venue} names one for women` }
}

function men(a: Question, b: Question): Veto | null {
  const who = onOneSide(a, b, male)
  return who === null ? null : { name: 'gender', detail: `category: only ${who.venue} names one for men` }
}

const earlier = /\b(?:before|prior to|ahead of)\b/
const later = /\b(?:after|following the|in the wake of)\b/

/** One happens before something, the other after it. */
function orderInTime(a: Question, b: Question): Veto | null {
  const [x, y] = [wordsOf(a), wordsOf(b)]
  const opposed = (one: string, other: string): boolean =>
    earlier.test(one) && !later.test(one) && later.test(other) && !earlier.test(other)
  if (!opposed(x, y) && !opposed(y, x)) return null
  return { name: 'order in time', detail: 'date: one asks about the time before, the other about the time after' }
}

const firstRound = /\b(?:first|1st|opening) (?:round|ballot)\b|\bround (?:1|one)\b/
const laterRound = /\b(?:second|2nd|final) (?:round|ballot)\b|\brun-?offs?\b|\bround (?:2|two)\b/
const primaryRound = /\bprimar(?:y|ies)\b/

/** A round is a part of the race. */
function round(a: Question, b: Question): Veto | null {
  const who = onOneSide(a, b, firstRound) ?? onOneSide(a, b, laterRound)
  return who === null ? null : { name: 'round', detail: `stage: only ${who.venue} names a round` }
}

function primaryElection(a: Question, b: Question): Veto | null {
  const who = primaryForNomination(a, b) ? null : onOneSide(a, b, primaryRound)
  return who === null ? null : { name: 'round', detail: `stage: only ${who.venue} names a primary` }
}

const counted = '(?: \\S+){0,2} (?:seats?|votes?)\\b'
const plurality = new RegExp(
  [
    `\\bmost${counted}`,
    '\\bmore (?:seats?|votes?) than\\b',
    `\\b(?:highest|largest|greatest) number of${counted}`,
    '\\bplurality\\b',
    '\\blargest party\\b',
  ].join('|'),
)
const majority = /\bmajority\b(?! (?:leader|whip))|\bcontrol(?:s|led)?(?: of)?\b/

/** The most seats need not be more than half of them. */
function mostSeats(a: Question, b: Question): Veto | null {
  const [x, y] = [wordsOf(a), wordsOf(b)]
  const opposed = (one: string, other: string): boolean =>
    plurality.test(one) && !majority.test(one) && majority.test(other) && !plurality.test(other)
  if (!opposed(x, y) && !opposed(y, x)) return null
  return { name: 'majority', detail: 'threshold: one asks for the most of them, the other for a majority' }
}

/** "Above 50" and "at least 50". */
function openBound(a: Question, b: Question): Veto | null {
  const clash = a.intervals.some((mine) =>
    b.intervals.some((other) => {
      const found = relate(mine, other)
      return found === 'boundary' || found === 'near-complement'
    }),
  )
  const equal = a.intervals.every((mine) => b.intervals.some((other) => relate(mine, other) === 'equal'))
  if (!clash || (equal && a.intervals.length > 0)) return null
  return { name: 'bound', detail: 'threshold: the number itself counts on one side only' }
}

/** A place that only one of them names anywhere in its words. A US venue omits its own country. */
function place(a: Question, b: Question): Veto | null {
  for (const [who, silent] of [
    [a, b],
    [b, a],
  ] as const) {
    const stated = [...(who.features.place ?? []), ...(who.features.district ?? [])]
    const known = placesOf(silent)
    const alone = stated.find((value) => value !== 'us' && !known.has(value))
    if (alone !== undefined) return { name: 'place', detail: `place: only ${who.venue} names ${alone}` }
  }
  return null
}

const placeCache = new WeakMap<Question, ReadonlySet<string>>()

/** Those of its fields, and any its words and its event mention; a district is in its state. */
function placesOf(q: Question): ReadonlySet<string> {
  const known = placeCache.get(q)
  if (known !== undefined) return known
  const found = new Set([...(q.features.place ?? []), ...(q.features.district ?? [])])
  for (const district of q.features.district ?? []) {
    const state = stateOfCode.get(district.slice(0, 2))
    if (state !== undefined) found.add(state)
  }
  const text = `${q.text} ${q.label} ${q.event}`
  const low = text.toLowerCase()
  if (low.length === text.length) {
    for (const match of matches(placePattern, low)) {
      const name = match[1]!
      const start = match.index + match[0].indexOf(name)
      const value = placeOf(name, text.slice(start, start + name.length))
      if (value !== null) found.add(value)
    }
  }
  placeCache.set(q, found)
  return found
}

/** "FBI Director" and "Director of the CIA": the same title at two bodies. */
function post(a: Question, b: Question): Veto | null {
  const [mine, other] = [postsOf(a), postsOf(b)]
  for (const one of mine) {
    const same = other.filter(({ title }) => title === one.title)
    if (same.length === 0 || same.some((each) => mayBeOnePost(one, each))) continue
    const [x, y] = [one.body.join(' '), same[0]!.body.join(' ')]
    return { name: 'office', detail: `office: ${a.venue} names the ${one.title} of ${x}, ${b.venue} that of ${y}` }
  }
  return null
}

function postOnOneSide(a: Question, b: Question): Veto | null {
  for (const [who, silent] of [
    [a, b],
    [b, a],
  ] as const) {
    const [first] = postsOf(who)
    if (first !== undefined && postsOf(silent).length === 0)
      return { name: 'office', detail: `office: only ${who.venue} names the ${first.title} of ${first.body.join(' ')}` }
  }
  return null
}

/** "55 votes" and "55 votes or more". */
function exactNumber(a: Question, b: Question): Veto | null {
  for (const [who, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (
      who.numbers.length > 0 &&
      who.intervals.length === 0 &&
      other.intervals.length > 0 &&
      other.numbers.length === 0
    )
      return { name: 'bound', detail: `threshold: only ${other.venue} asks for a range` }
  }
  return null
}

const chambers = /^(?:senate|house|state-senate|state-house|parliament)$/

/** An office or a chamber that only one of them names anywhere in its words. */
function office(a: Question, b: Question): Veto | null {
  for (const [who, silent] of [
    [a, b],
    [b, a],
  ] as const) {
    const alone = (who.features.office ?? []).find(
      (value) => !silent.features.office?.includes(value) && !wordsOf(silent).includes(value.replaceAll('-', ' ')),
    )
    if (alone !== undefined)
      return {
        name: chambers.test(alone) ? 'chamber' : 'office',
        detail: `office: only ${who.venue} names ${alone.replaceAll('-', ' ')}`,
      }
    const scope = who.features.scope?.find((value) => !silent.features.scope?.includes(value))
    if (scope !== undefined) return { name: 'chamber', detail: `office: only ${who.venue} asks about ${scope}` }
  }
  return null
}

const leagueNames = `nba|wnba|nfl|mlb|nhl|mls|ncaa|college (?:football|basketball|baseball)|epl|premier league
  |la ?liga|serie a|bundesliga|ligue 1|(?:champions|europa|conference|american|national) league
  |(?:eastern|western) conference|afc|nfc|atp|wta|ufc|pga|liv golf|nascar|indycar|formula (?:1|2|e)|f1|ipl`
const leagueName = new RegExp(`\\b(?:${leagueNames.replace(/\n\s*/g, '')})\\b`, 'g')

/** A league that only one of them names; one that follows from the other's own league field is not missing there. */
function league(a: Question, b: Question): Veto | null {
  for (const [who, silent] of [
    [a, b],
    [b, a],
  ] as const) {
    const other = wordsOf(silent)
    const { league: own = [], group = [] } = silent.features
    const alone = matches(leagueName, wordsOf(who)).find(
      ([name]) => !other.includes(name) && !own.includes(name) && !group.includes(name),
    )
    if (alone !== undefined) return { name: 'league', detail: `league: only ${who.venue} names "${alone[0]}"` }
  }
  return null
}

/** Also applied to pairs that the first comparison has verified. */
const strictChecks: readonly Check[] = [women, orderInTime, round, mostSeats, secondPerson, post, league]
/** The first comparison weighs these with more context: an office follows from its holder. */
const checks: readonly Check[] = [
  unnamed,
  ...strictChecks,
  men,
  primaryElection,
  openBound,
  exactNumber,
  office,
  postOnOneSide,
  place,
  league,
]
