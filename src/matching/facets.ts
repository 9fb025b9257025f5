// What tells two questions apart at a glance: hashes and marks computed once per question, so that nearly all of a million pairs cost only a few
// comparisons. A hash collision costs one more comparison; it never separates two questions.
import type { FeatureKind } from './features.ts'
import { primary } from './fields/dates.ts'
import { isDirected } from './fields/rest.ts'
import { placeOfWord } from './places.ts'
import type { Question, Rest } from './question.ts'
import { isGameWord, isSoft } from './vocabulary.ts'
import type { SaidDate } from './years.ts'

export interface Facets {
  /** Kinds of features that cost a hard difference even where one side alone names them. */
  stiff: number
  /** The same between two games, where a team or a group is an address. */
  stiffGame: number
  /** The same, with a spread as the winner that it may imply. */
  stiffBet: number
  stage: number
  words: readonly Mark[]
  /** A word is a place, which the other side may have read as one. */
  placed: boolean
  /** The date that decides. */
  date: SaidDate | null
  /** May be held word against word (`general/compare.ts`): neither a game nor open, and no source is the answer. */
  sayable: boolean
  /** A side of the game has the code of a team. */
  coded: boolean
  /** "A Grammy", "a race": there are several of them. */
  ofSeveral: boolean
}

/** A word as it is told from others. */
export interface Mark {
  key: number
  /** Equal for words of the same letters in another order. */
  letters: number
  /** Letters of its common spelling. */
  spelled: number
  /** Says nothing, anywhere or inside of a game. */
  soft: boolean
  gameSoft: boolean
  /** Says nothing as it stands, but something in its common spelling, or the other way round. */
  mixed: boolean
  name: boolean
  /** A name that is no short form of one. */
  fullName: boolean
  directed: boolean
  /** Long enough for two letters that stand the wrong way round. */
  long: boolean
  run: number
}

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

/** No reading of words mends these. */
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

function markOf({ key, text, name, run }: Rest): Mark {
  const soft = isSoft(key) || isSoft(text)
  return {
    key: hash(key, 7),
    letters: lettersOf(text),
    spelled: lettersOf(key),
    soft,
    gameSoft: soft || isGameWord(text),
    mixed: isSoft(key) !== isSoft(text),
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

/** FNV-1a over a text, going on from a seed. */
export function hash(text: string, seed: number): number {
  let found = seed ^ 0x811c9dc5
  for (let at = 0; at < text.length; at++) found = Math.imul(found ^ text.charCodeAt(at), 0x01000193)
  return found
}

/** Equal for texts of the same letters. */
export function lettersOf(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += Math.imul(text.charCodeAt(at), 0x9e3779b1) >>> 12
  return sum
}
