// How two answers relate if the questions are not the same: "above 110" can only be Yes if "above 100" is.
import type { MatchBand, MatchRelation } from '#schemas/matches'
import { bandFloors, type MatchResult, ruleOutPoints } from '../match.ts'
import type { Question } from '../read/question.ts'
import { contains } from '../read/thresholdParser.ts'
import type { StatedDate } from '../read/yearInference.ts'
import { isPersistent } from '../relate/monotonicEvents.ts'
import { unread } from './compare.ts'
import { compareDates, primary } from './fields/dates.ts'
import { compareFrames } from './frames/compare.ts'
import { compareEventTitles } from './general/eventTitles.ts'
import { compareMentions } from './general/mentionMarkets.ts'
import { compareGuards, compareUnstated } from './general/vetoes.ts'

export interface Relation {
  relation: MatchRelation
  /** As certain as a verified match: its premises cost no more than the verified band allows. */
  sure: boolean
  /** Certain if their two names are two entrants, which no pair shows by itself: "PiS" is "Law and Justice". */
  sureIfTwo?: boolean
}

/** A relation as reported and stored, with a separate band: two questions may be certainly different. */
export interface ListedRelation {
  relation: MatchRelation
  /**
   * `verified` only if the relation is certain. For `overlap` it is the band in which the two may still be one question (see `polarity`);
   * null if nothing is known.
   */
  relationBand: MatchBand | null
}

/**
 * From Yes of `a` to Yes of `b`. Stated only if one field is all that keeps them apart; anything less certain is `overlap`.
 */
export function relationOf(a: Question, b: Question, result: MatchResult): ListedRelation {
  // Hidden pairs are not kept, and there are millions of them.
  if (result.matchBand === 'hidden' || result.matchBand === 'unscored') return nothing
  const { relation, sure, sureIfTwo } = relate(a, b, result)
  const equal = relation === 'identity' || relation === 'complement'
  if (sure) return relation === 'overlap' ? nothing : { relation, relationBand: 'verified' }
  if (relation === 'subset' || relation === 'superset') return { relation, relationBand: 'minor' }
  if (sureIfTwo === true) return { relation, relationBand: 'minor' }
  return equal && result.matchBand === 'minor' ? { relation: 'overlap', relationBand: 'minor' } : nothing
}

const nothing: ListedRelation = { relation: 'overlap', relationBand: null }

/** The most likely relation, and whether it is reliable. */
export function relate(a: Question, b: Question, result: MatchResult): Relation {
  const equal = result.polarity === 'inverse' ? 'complement' : 'identity'
  if (result.matchBand === 'verified') return { relation: equal, sure: true }
  // Who an "Other" or a placeholder means is known only within its own event: it may well be the other side's
  // candidate.
  if (a.unnamed !== null || b.unnamed !== null) return { relation: 'overlap', sure: false }
  const found = implied(a, b, result, equal)
  const follows = found.relation === 'subset' || found.relation === 'superset'
  // Everything except the ordered field must agree as in one question.
  if (follows && found.sure && !guardsAgree(a, b)) return { ...found, sure: false }
  if (follows && found.sure && compareMentions(a, b).length > 0) return { ...found, sure: false }
  if (found.sure && compareEventTitles(a, b).length > 0) return { ...found, sure: false }
  if (found.sureIfTwo === true && compareEventTitles(a, b).length > 0) return { ...found, sureIfTwo: false }
  return follows &&
    (isPersistent(a) || isPersistent(b)) &&
    compareDates(a, b).some(({ points }) => points >= ruleOutPoints)
    ? { relation: 'overlap', sure: false }
    : found
}

/** Small words and their order, and the words that are usually filler. */
function guardsAgree(a: Question, b: Question): boolean {
  const found = [...compareGuards(a, b), ...compareUnstated(a, b)]
  return found.reduce((sum, { points }) => sum + points, 0) <= 100 - bandFloors.verified
}

function implied(a: Question, b: Question, result: MatchResult, equal: 'identity' | 'complement'): Relation {
  const framed = compareFrames(a, b)
  const apart = framed !== null && result.matchDifferences.some((each) => unread(each, framed.frame))
  if (framed !== null && !apart && framed.relation !== 'identity' && framed.relation !== 'complement') {
    const { relation } = framed
    const sure = framed.sure && relation !== 'overlap' && settledAlike(result)
    return framed.byName === true ? { relation, sure: false, sureIfTwo: sure } : { relation, sure }
  }
  if (result.matchBand === 'minor') return { relation: equal, sure: false }
  return byFields(a, b, result)
}

const settling = /^(?:source|station|time|basis|rules)$/

/** Something read at another hour or from another source need not follow, however certain the sentences are. */
const settledAlike = ({ matchDifferences }: MatchResult): boolean =>
  matchDifferences.reduce((sum, { kind, points }) => sum + (settling.test(kind) ? points : 0), 0) <=
  100 - bandFloors.verified

function byFields(a: Question, b: Question, result: MatchResult): Relation {
  const none: Relation = { relation: 'overlap', sure: false }
  if (result.matchBand !== 'material' || result.polarity === 'inverse' || a.negated !== b.negated) return none
  const hardKinds = new Set(
    result.matchDifferences.filter(({ points }) => points >= ruleOutPoints).map(({ kind }) => kind),
  )
  const rest = result.matchDifferences.reduce((sum, { points }) => sum + (points < ruleOutPoints ? points : 0), 0)
  if (hardKinds.size !== 1 || rest > 100 - bandFloors.minor) return none
  const narrower = hardKinds.has('strike')
    ? narrowerStrike(a, b)
    : hardKinds.has('date')
      ? narrowerDeadline(a, b)
      : null
  if (narrower === null) return none
  // Of "not above 110" and "not above 100" the second is the narrower.
  return {
    relation: (narrower === 'a') !== a.negated ? 'subset' : 'superset',
    sure: rest <= 100 - bandFloors.verified && !(hardKinds.has('strike') && (touchedAnyWay(a) || touchedAnyWay(b))),
  }
}

/** "Hit 35" may be from above, and then "hit 45" does not follow. */
const touchedAnyWay = ({ intervals }: Question): boolean => intervals.some(({ eitherWay }) => eitherWay === true)

/** "How many earthquakes of 7.0 or above? : 15" asks for a number: the strike only says what is counted. */
const countedOtherwise = ({ label, numbers }: Question): boolean =>
  /^\d+$/.test(label) && numbers.includes(Number(label))

function narrowerStrike(a: Question, b: Question): 'a' | 'b' | null {
  const [x, y] = [a.intervals[0], b.intervals[0]]
  if (x === undefined || y === undefined || a.intervals.length > 1 || b.intervals.length > 1) return null
  if (countedOtherwise(a) || countedOtherwise(b)) return null
  if (contains(x, y) === true) return 'a'
  return contains(y, x) === true ? 'b' : null
}

/** Days of which both ends are known. */
const isWindow = ({ role, moment }: StatedDate): boolean => (role === 'in' || role === 'on') && !moment.season

/** An amount counted over a window differs over a longer window. */
const eventful = (a: Question, b: Question): boolean =>
  [a, b].every(({ intervals, numbers }) => intervals.length + numbers.length === 0)

/** "By June" is narrower than "by July", and "in June" than "by July". */
function narrowerDeadline(a: Question, b: Question): 'a' | 'b' | null {
  const [x, y] = [primary(a), primary(b)]
  if (x === null || y === null || x.span === null || y.span === null) return null
  if (isWindow(x) && y.role === 'deadline') return x.span.to <= y.span.to && eventful(a, b) ? 'a' : null
  if (isWindow(y) && x.role === 'deadline') return y.span.to <= x.span.to && eventful(a, b) ? 'b' : null
  if (x.role !== 'deadline' || y.role !== 'deadline') return null
  return x.span.to < y.span.to ? 'a' : x.span.to > y.span.to ? 'b' : null
}
