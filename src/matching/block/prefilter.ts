// Pairs that share a topic and nothing more: ruled out by one plain contradiction, before anything expensive is compared. Every rule here repeats
// what a comparison would find; test/src/matching/block/prefilter.test.ts keeps the two consistent.
import type { Mark } from '../compare/facets.ts'
import { differentGames } from '../compare/fields/games.ts'
import { compareFrames, couldBeSame } from '../compare/frames/compare.ts'
import { compareGeneral, couldBeParaphrase } from '../compare/general/compare.ts'
import { residualTokens } from '../compare/residualTokens.ts'
import { type FeatureKind, plainKinds } from '../read/features.ts'
import { disjointNames } from '../read/frames/names.ts'
import type { Question } from '../read/question.ts'
import { contains, relate } from '../read/thresholdParser.ts'

/** Kinds that either side may omit, but where the two must not each have a value the other lacks. */
const mixed: readonly FeatureKind[] = ['office', 'event', 'basis', 'league']

/** True only if a comparison would find neither a match nor an implication; false means nothing. */
export function cannotMatch(a: Question, b: Question): boolean {
  if (a.matchup !== null && b.matchup !== null) return gameHopeless(a, b)
  if (plainApart(a, b)) return true
  if (a.proposition !== null && a.proposition.frame === b.proposition?.frame) return otherDays(a, b) || otherNames(a, b)
  if (datesApart(a, b) || otherDays(a, b) || otherAmounts(a, b)) return true
  return (fieldsApart(a, b) || residualTokens(a, b, false)) && !isSimilarWording(a, b)
}

/**
 * Of the pairs that cannot match as they are worded, those that a decision on their wording may settle: typed fields agree, both name
 * one person, and each has at most a few words of its own.
 */
export function mayBeReworded(a: Question, b: Question): boolean {
  if ([a, b].some(({ matchup, open, unnamed }) => matchup !== null || open || unnamed !== null)) return false
  if (!sharesFullName(a.facets.words, b.facets.words)) return false
  if (plainApart(a, b) || datesApart(a, b) || otherDays(a, b) || otherAmounts(a, b) || fieldsApart(a, b)) return false
  if (a.proposition !== null && a.proposition.frame === b.proposition?.frame) return false
  return !manyAlone(a.facets.words, b.facets.words) && !manyAlone(b.facets.words, a.facets.words)
}

/** Two adjacent words of a name. */
function sharesFullName(words: readonly Mark[], others: readonly Mark[]): boolean {
  let last: Mark | null = null
  for (const word of words) {
    if (!word.name || !hasKey(others, word.key)) continue
    if (last !== null && last.run === word.run && (last.fullName || word.fullName)) return true
    last = word
  }
  return false
}

/** Few differing words, and names on at most one side: those that differ may mean the same. */
function isSimilarWording(a: Question, b: Question): boolean {
  const [mine, other] = [a.facets.words, b.facets.words]
  let shared = 0
  for (const word of mine) if (hasKey(other, word.key)) shared++
  if (shared === 0) return false
  if (fullNameAlone(mine, other) && fullNameAlone(other, mine)) return false
  if (manyAlone(mine, other) || manyAlone(other, mine)) return false
  return couldBeParaphrase(a, b, []) && compareGeneral(a, b) !== null
}

function hasKey(words: readonly Mark[], key: number): boolean {
  for (const word of words) if (word.key === key) return true
  return false
}

function fullNameAlone(words: readonly Mark[], others: readonly Mark[]): boolean {
  for (const word of words) if (word.fullName && !hasKey(others, word.key)) return true
  return false
}

/** More than three. */
function manyAlone(words: readonly Mark[], others: readonly Mark[]): boolean {
  let alone = 0
  for (const word of words) if (!hasKey(others, word.key) && ++alone > 3) return true
  return false
}

function gameHopeless(a: Question, b: Question): boolean {
  if (a.facets.stiffBet !== b.facets.stiffBet || datesApart(a, b) || differentGames(a, b)) return true
  if (a.facets.stiffGame !== b.facets.stiffGame) return !betsRelated(a, b)
  return (a.intervals.length === 0) !== (b.intervals.length === 0) || residualTokens(a, b, true)
}

/** A spread and a winner. More distant kinds are related through the ladders of their events, without looking at pairs. */
function betsRelated(a: Question, b: Question): boolean {
  const relation = compareFrames(a, b)?.relation
  return relation !== undefined && relation !== 'overlap' && relation !== 'disjoint'
}

/** Most pairs have none of these kinds in common. */
const plainApart = (a: Question, b: Question): boolean =>
  (a.facets.plain & b.facets.plain) !== 0 && plainKinds.some((kind) => conflict(a.features[kind], b.features[kind]))

const conflict = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a !== undefined && b !== undefined && a.every((value) => !b.includes(value))

/**
 * Questions that are not both read by an entry: any contradicting field is a contradiction, except strikes and deadlines, which may
 * imply.
 */
function fieldsApart(a: Question, b: Question): boolean {
  if (a.facets.stiff !== b.facets.stiff || a.open !== b.open) return true
  // One of them is a game.
  if ((a.matchup === null) !== (b.matchup === null)) return true
  if ((a.intervals.length === 0) !== (b.intervals.length === 0)) return true
  const nominee = toBeNominee(a) || toBeNominee(b)
  if (!nominee && (a.facets.stage !== b.facets.stage || eachAlone(a.features.action, b.features.action))) return true
  if (mixed.some((kind) => eachAlone(a.features[kind], b.features[kind]))) return true
  if (!a.facets.placed && !b.facets.placed && eachAlone(a.features.place, b.features.place)) return true
  return eachAlone(a.numbers, b.numbers) || timesApart(a, b)
}

const toBeNominee = (q: Question): boolean => q.features.action?.includes('nominee') === true

/** Each contains something the other does not. */
function eachAlone<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): boolean {
  if (a === undefined || b === undefined) return false
  return a.some((value) => !b.includes(value)) && b.some((value) => !a.includes(value))
}

const timesApart = (a: Question, b: Question): boolean =>
  a.times.length > 0 &&
  b.times.length > 0 &&
  (a.times.length !== b.times.length || a.times.some((time, at) => time.minutes !== b.times[at]!.minutes))

/** Different days that are not deadlines: neither follows from the other. */
function datesApart(a: Question, b: Question): boolean {
  const [x, y] = [a.facets.date, b.facets.date]
  if (x === null && y === null) {
    const [mine, other] = [a.years, b.years]
    if (mine.id !== null && other.id !== null && mine.id !== other.id) return true
    return mine.idDay !== null && other.idDay !== null && mine.idDay !== other.idDay
  }
  if (x === null || y === null || x.span === null || y.span === null) return false
  if ((x.role === 'after') !== (y.role === 'after')) return true
  if (x.role === 'deadline' || y.role === 'deadline' || x.grain !== y.grain) return false
  return x.span.from !== y.span.from || x.span.to !== y.span.to
}

/** Two days, with their years or with different months or days of whatever years: neither follows from the other. */
function otherDays(a: Question, b: Question): boolean {
  const [x, y] = [a.facets.date, b.facets.date]
  if (x?.role !== 'on' || y?.role !== 'on') return false
  if (x.day !== null && y.day !== null && (x.month !== y.month || x.day !== y.day)) return true
  return x.span !== null && y.span !== null && (x.span.from !== y.span.from || x.span.to !== y.span.to)
}

/** Two amounts of which neither contains the other. */
function otherAmounts(a: Question, b: Question): boolean {
  if (a.proposition !== null || b.proposition !== null || a.intervals.length !== 1 || b.intervals.length !== 1)
    return false
  const [x, y] = [a.intervals[0]!, b.intervals[0]!]
  return relate(x, y) === 'different' && contains(x, y) !== true && contains(y, x) !== true
}

/** Both name their subject, and nothing suggests it is the same. */
function otherNames(a: Question, b: Question): boolean {
  const [p, q] = [a.proposition!, b.proposition!]
  const people = p.frame.people?.includes('who') === true
  if (people && !couldBeSame(a, b)) return true
  const [x, y] = [p.args.who, q.args.who]
  // If both deny, different names may still imply.
  return x !== undefined && y !== undefined && !p.denied && !q.denied && disjointNames(x, y, people)
}
