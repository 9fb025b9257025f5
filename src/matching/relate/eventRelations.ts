// What follows between the markets of one event at one venue: ordered ladders, ranges that cover the line, and what the venue itself states.
import type { Relation } from '#arbitrage/structures/input'
import { isParsed } from '../compare/fields/releasePeriod.ts'
import { mentionedWords } from '../compare/general/mentionMarkets.ts'
import { wordsInOrder } from '../compare/general/paraphrase.ts'
import { orderOf } from '../compare/general/wordOrder.ts'
import { repeated } from '../read/frames/recurrence.ts'
import { gameClaimOf } from '../read/games/gameClaim.ts'
import type { Listing } from '../read/input.ts'
import type { Question } from '../read/question.ts'
import type { Interval } from '../read/thresholdParser.ts'
import { remainderOf } from './catchAllOutcome.ts'
import { deadlines } from './deadlines.ts'
import { type Found, ladder } from './ladder.ts'
import { type PartitionPart, pieceOf, stepOf, withExclusiveLowerBounds } from './partitionParts.ts'
import { bets } from './scoreRelations.ts'

/** Larger sets are not searched anywhere. */
export const eventMarketsMax = 160

export interface EventMarkets {
  venue: string
  eventId: string
  /** As read by `readQuestion`. */
  markets: readonly Question[]
  /** Keys of those of which the venue states that at most one comes true. Whether one must is not stated. */
  exclusive: readonly string[]
  /** Determines whether a listed "other" completes them. */
  listing: Listing
}

/**
 * Sorted by id, independent of the markets' order. Complete only on evidence: ranges and tails that cover the line, or an "other" that by its own
 * words is everything the others are not. Empty if the venue says exclusive and the words say that one implies another.
 */
export function eventRelations({ venue, eventId, markets, exclusive, listing }: EventMarkets): Relation[] {
  if (markets.length < 2 || markets.length > eventMarketsMax) return []
  const sorted = [...markets].sort((a, b) => text(a.key, b.key))
  const listed = new Set(exclusive)
  const found: FoundRelation[] = bets(sorted)
  const others = sorted.filter((question) => gameClaimOf(question) === null)
  for (const group of ladders(others, false)) found.push(...amounts(group, listed))
  for (const group of ladders(others, true))
    found.push(...deadlines(group).map((each) => ({ found: each, sure: true })))
  const listedQuestions = sorted.filter(({ key }) => listed.has(key))
  if (found.some((each) => contradicts(each.found, listed))) return []
  const covered = found.some((each) => completes(each.found, listedQuestions))
  if (listedQuestions.length > 1 && !covered) {
    const members = listedQuestions.map(({ key }) => ({ market: key, side: 'yes' as const }))
    const rest = remainderOf(sorted, listedQuestions, listing)
    const outcomes = (complete: boolean) => ({ kind: 'outcomes' as const, members, complete })
    // At most one comes true, regardless of the remainder.
    if (rest?.complete !== true || rest.band !== 'verified')
      found.push({ found: outcomes(false), sure: true, ...(rest?.complete === false ? reasonOf(rest) : {}) })
    if (rest?.complete === true)
      found.push({ found: outcomes(true), sure: rest.band === 'verified', ...reasonOf(rest) })
  }
  const named = found.map((each): Relation => {
    const id = `event:${venue}:${eventId}:${nameOf(each.found, venue)}`
    return { ...each.found, id, band: each.sure ? 'verified' : 'minor', ...reasonOf(each) }
  })
  return [...new Map(named.map((each) => [each.id, each])).values()].sort((a, b) => text(a.id, b.id))
}

interface FoundRelation {
  found: Found
  sure: boolean
  reason?: string | null
}

const reasonOf = ({ reason }: { reason?: string | null }): { reason?: string } =>
  reason === undefined || reason === null ? {} : { reason }

function amounts(group: readonly Question[], exclusive: ReadonlySet<string>): FoundRelation[] {
  const single = group.filter(({ intervals, negated, proposition }) => {
    return intervals.length === 1 && !negated && proposition?.denied !== true
  })
  if (single.length < 2) return []
  const intervals = single.map((question) => (question.proposition?.amount ?? question.intervals[0]) as Interval)
  const { touch, unit } = intervals[0]!
  if (intervals.some((each) => each.touch !== touch || each.unit !== unit)) return []
  if (new Set(single.map(({ text }) => currency.exec(text)?.[0])).size > 1) return []
  const step = stepOf(single, intervals)
  const pieces = single.flatMap(({ key }, at): PartitionPart | [] => pieceOf(key, intervals[at]!, step) ?? [])
  // Two ranges may both be touched, and "hit 90" may be up or down: only implications within one direction of touching follow, without
  // certainty.
  if (touch) return oneWay(pieces, false)
  // Likewise for something that comes out several times within its window, but what follows is certain.
  const [first, second] = single as [Question, Question, ...Question[]]
  if (first.proposition !== null && repeated(first, first.proposition, second)) return oneWay(pieces, true)
  const flagged = single.every(({ key }) => exclusive.has(key))
  const comesOut = single.every(isParsed)
  return ladder(flagged ? withExclusiveLowerBounds(pieces) : pieces).map((found) =>
    comesOut ? { found, sure: true } : ifNoneHappens(found),
  )
}

/** If it may not happen at all, all are No: what holds even then. */
function ifNoneHappens(found: Found): { found: Found; sure: boolean } {
  if (found.kind === 'inverse') return { found: { ...found, kind: 'exclusive' }, sure: true }
  if (found.kind !== 'outcomes') return { found, sure: true }
  const denied = found.members.filter(({ side }) => side === 'no').length
  return { found: denied === 0 ? { ...found, complete: false } : found, sure: denied < 2 }
}

const currency = /[$€£¥₹]/

const oneWay = (pieces: readonly PartitionPart[], sure: boolean): FoundRelation[] =>
  [pieces.filter(({ to }) => to === null), pieces.filter(({ from }) => from === null)]
    .flatMap(ladder)
    .map((found) => ({ found, sure }))

/** Everything a question asks except its amount, or its deadline. Markets of one event that differ in nothing else are on one ladder. */
function signature(question: Question, dated: boolean): string {
  const { domain, features, matchup, side, numbers, dates, times, negated, rest, proposition, intervals } = question
  const { frame, args, denied, asides } = proposition ?? {}
  return JSON.stringify([
    [domain, features, matchup, side, numbers, times, negated],
    [rest.map(({ key }) => key).sort(), mentionedWords(question)],
    frame === undefined ? null : [frame.name, args, denied, asides],
    dated ? intervals : [dates, question.closes],
  ])
}

function groupsBy(questions: readonly Question[], keyOf: (question: Question) => string): Question[][] {
  const groups = new Map<string, Question[]>()
  for (const question of questions) {
    const key = keyOf(question)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [question])
    else group.push(question)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

/**
 * As above, and in the same words in order if no entry reads them. Only questions that share a signature are checked.
 */
const ladders = (questions: readonly Question[], dated: boolean): Question[][] =>
  groupsBy(questions, (question) => signature(question, dated)).flatMap((group) => groupsBy(group, wording))

const wording = (question: Question): string =>
  question.proposition === null ? wordsInOrder(orderOf(question)).join(' ') : ''

/** In an exclusive set none implies another, unless both are one question. */
const contradicts = (found: Found, exclusive: ReadonlySet<string>): boolean =>
  (found.kind === 'a_implies_b' || found.kind === 'same') && exclusive.has(found.a) && exclusive.has(found.b)

const completes = (found: Found, listedQuestions: readonly Question[]): boolean =>
  found.kind === 'outcomes' &&
  found.complete &&
  found.members.length === listedQuestions.length &&
  found.members.every(({ side, market }) => side === 'yes' && listedQuestions.some(({ key }) => key === market))

function nameOf(found: Found, venue: string): string {
  const id = (key: string): string => key.slice(venue.length + 1)
  if (found.kind === 'a_implies_b') return `ladder:${id(found.a)}>${id(found.b)}`
  if (found.kind !== 'outcomes') return `${found.kind}:${id(found.a)}~${id(found.b)}`
  const [first, last] = [found.members[0]!, found.members.at(-1)!]
  const plain = found.members.every(({ side }) => side === 'yes')
  if (plain && !found.complete) return `exclusive:${id(first.market)}..${id(last.market)}`
  return `${plain ? 'outcomes' : 'range'}:${id(first.market)}..${id(last.market)}`
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
