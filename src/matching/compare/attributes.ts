// What distinguishes two questions at a glance: hashes and flags computed once per question, so that nearly all of a million pairs cost only a
// few comparisons. A hash collision costs one more comparison; it never separates two questions.

import { type FeatureKind, plainKinds } from '../read/features.ts'
import { placeOfWord } from '../read/gazetteer.ts'
import type { Question, Residual } from '../read/question.ts'
import { isGameWord, isWeakTerm } from '../read/vocabulary.ts'
import type { Facets, Mark } from './facets.ts'
import { primary } from './fields/dates.ts'
import { isDirected } from './fields/residualTokens.ts'

const stiffInGames: readonly FeatureKind[] = [
  'district',
  'scope',
  'party',
  'rank',
  'period',
  'form',
  'division',
  'asset',
  'decision',
]

/** These differences remain however the words are read. */
const settled: readonly FeatureKind[] = [
  'team',
  'district',
  'party',
  'group',
  'division',
  'period',
  'asset',
  'decision',
]

export function readFacets(question: Omit<Question, 'facets'>): Facets {
  const { features, rest, matchup } = question
  const words = rest.map(markOf)
  const stiffGame = hashOfKinds(features, stiffInGames, 7)
  const { form } = features
  const spread = matchup !== null && form?.length === 1 && form[0] === 'spread'
  const stiffBet = spread ? hashOfKinds({ ...features, form: [] }, stiffInGames, 7) : stiffGame
  return {
    stiff: hashOfKinds(features, settled, 7),
    stiffGame,
    stiffBet,
    plain: plainKinds.reduce((mask, kind, at) => (features[kind] === undefined ? mask : mask | (1 << at)), 0),
    stage: hashOfKinds(features, ['stage'], 7),
    words,
    placed: rest.some((word, at) => !words[at]!.soft && placeOfWord(word.text) !== null),
    date: primary(question),
    sayable: matchup === null && !question.open && !/^(?:weather|price|game)$/.test(question.domain),
    coded: matchup?.sides.some((side) => side.some((word) => word.includes(':'))) === true,
    ofSeveral: several.test(question.text),
  }
}

const several =
  /\b(?:wins?|finish(?:es)?|in|at|of|during|gets?|earns?|takes?|receives?) (?:an?|any|another|some|one of) (?!majority|plurality|row\b)/i

function markOf({ key, text, name, run }: Residual): Mark {
  const soft = isWeakTerm(key) || isWeakTerm(text)
  return {
    key: hash(key, 7),
    letters: lettersOf(text),
    spelled: lettersOf(key),
    soft,
    gameSoft: soft || isGameWord(text),
    mixed: isWeakTerm(key) !== isWeakTerm(text),
    name,
    fullName: name && !/^[a-z]{2,4}$/.test(text),
    directed: isDirected(text),
    long: text.length >= 6,
    run,
  }
}

function hashOfKinds(features: Question['features'], kinds: readonly FeatureKind[], seed: number): number {
  let found = seed
  for (const kind of kinds) {
    for (const value of features[kind] ?? []) found = hash(value, hash(kind, found))
  }
  return found
}

/** FNV-1a over a text, continuing from a seed. */
export function hash(text: string, seed: number): number {
  let found = seed ^ 0x811c9dc5
  for (let at = 0; at < text.length; at++) found = Math.imul(found ^ text.charCodeAt(at), 0x01000193)
  return found
}

/** Equal for texts with the same letters. */
export function lettersOf(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += Math.imul(text.charCodeAt(at), 0x9e3779b1) >>> 12
  return sum
}
