// Two questions, field by field: a score, its band, every deduction in words, and whether Yes means Yes.

import {
  bandFloors,
  bandOf,
  blocking,
  type MatchDifference,
  type MatchResult,
  ruleOutPoints,
  scored,
} from '../match.ts'
import type { PropositionTemplate } from '../read/frames/proposition.ts'
import type { MatchInput } from '../read/input.ts'
import { readQuestion } from '../read/parsedMarket.ts'
import type { Question } from '../read/question.ts'
import { compareCompleteness } from './fields/completeness.ts'
import { compareDates } from './fields/dates.ts'
import { compareFeatures } from './fields/features.ts'
import { compareGames } from './fields/games.ts'
import { compareResidual } from './fields/residualTokens.ts'
import { compareRoles } from './fields/roles.ts'
import { compareRules } from './fields/rules.ts'
import { compareSettlement } from './fields/settlement.ts'
import { compareStrikes } from './fields/strikes.ts'
import { compareTimes } from './fields/times.ts'
import { compareFrames, couldBeSame, type FrameVerdict } from './frames/compare.ts'
import { compareGeneral, couldBeParaphrase, type GeneralVerdict } from './general/compare.ts'
import { compareEventTitles } from './general/eventTitles.ts'
import { compareMentions } from './general/mentionMarkets.ts'
import { compareGuards } from './general/vetoes.ts'

/** Symmetric: the pair is sorted by key before anything is compared. */
export function compareQuestions(one: Question, two: Question): MatchResult {
  const [a, b] = one.key <= two.key ? [one, two] : [two, one]
  if (empty(a) || empty(b)) return unscored(empty(a) ? a : b)
  const games = compareGames(a, b)
  const strikes = compareStrikes(a, b)
  const settlement = compareTerms(a, b)
  const rest = compareResidual(a, b)
  const negation: MatchDifference[] =
    a.negated === b.negated
      ? []
      : [
          {
            kind: 'negation',
            points: 3,
            detail: `wording: ${a.negated ? a.venue : b.venue} asks the opposite; Yes there is No here`,
          },
        ]
  const fields = [
    ...compareFeatures(a, b),
    ...games.differences,
    ...strikes.differences,
    ...compareDates(a, b),
    ...compareTimes(a, b),
    ...rest,
    ...settlement.differences,
    ...compareCompleteness(a, b),
    ...negation,
  ]
  const near = scored(fields).score >= bandFloors.minor
  // Most pairs share a topic and nothing more: expensive checks are for the others.
  if (near) fields.push(...compareRoles(a, b))
  const turned = [
    games.inverse,
    strikes.inverse,
    a.negated !== b.negated,
    rest.some((each) => each.kind === 'direction'),
  ]
  const framed = near || games.inGame || couldBeSame(a, b) ? compareFrames(a, b) : null
  const others = alwaysCompared(settlement.differences, fields)
  const byFrame = framed !== null && decides(framed, others, fields)
  const read = byFrame ? framed : framed === null ? compareAsWords(a, b, fields, others) : null
  const plain = scored(read === null ? fields : [...read.differences, ...others])
  // Small words are checked only for pairs that would otherwise count as the same.
  const { score, differences } =
    plain.score < bandFloors.minor
      ? plain
      : scored([...plain.differences, ...compareGuards(a, b), ...compareMentions(a, b), ...compareEventTitles(a, b)])
  const band = bandOf(score)
  const inverse = read === null ? turned.filter(Boolean).length % 2 === 1 : read.inverse
  const conflicts = differences.filter((each) => each.points >= ruleOutPoints)
  return {
    matchScore: score,
    matchBand: band,
    matchDifferences: differences,
    polarity: inverse ? 'inverse' : 'same',
    resolution: {
      compatible: conflicts.length === 0,
      reason:
        conflicts.length > 0
          ? (conflicts[0] as MatchDifference).detail
          : band === 'verified'
            ? 'no field of the two questions contradicts the other'
            : (differences[0]?.detail ?? 'no difference found'),
      auditReasons: [...settlement.audit, ...differences.map((each) => each.detail)],
    },
    resolutionEquivalence:
      conflicts.length > 0
        ? 'different'
        : band === 'verified' && isSettledAlike(a, b, settlement)
          ? 'verified'
          : 'unverified',
  }
}

type Terms = ReturnType<typeof compareSettlement>

/** Who settles, and what the rules of both say. */
function compareTerms(a: Question, b: Question): Terms {
  const { differences, audit } = compareSettlement(a, b)
  return { differences: [...differences, ...compareRules(a, b)], audit }
}

/** Whether the same answer is paid on both sides: they have rules, and nothing in their terms differs. Titles alone cannot show it. */
export const isSettledAlike = (a: Question, b: Question, terms: Terms = compareTerms(a, b)): boolean =>
  a.rules !== '' && b.rules !== '' && terms.differences.length === 0

/** Fields that an entry does not read into its arguments: a contradiction in them remains one. */
const unreadKinds = /^(?:team|district|party|group|division|league|period|metric|basis|asset|decision|time|opponent)$/

/** A contradiction in something the entry did not examine. */
export const unread = ({ kind, points }: MatchDifference, frame: Pick<PropositionTemplate, 'reads'>): boolean =>
  points >= ruleOutPoints && unreadKinds.test(kind) && frame.reads?.includes(kind) !== true

/** Fields that an entry reads more precisely. A differently worded phrase is not a contradiction by itself. */
const decisive = /^(?:name|strike|date|deadline|bet|game|period)$/

/** Properties of bets no field covers: a line that may be refunded, one of two games of a day. */
const betKinds = /^(?:bet|game)$/

/** Checked for every pair, whichever code reads its sentence: who settles it, at which hour, on which scale. */
const alwaysCompared = (
  settlement: readonly MatchDifference[],
  fields: readonly MatchDifference[],
): MatchDifference[] => [...settlement, ...fields.filter(({ kind }) => kind === 'time' || kind === 'basis')]

/**
 * An entry decides if it finds a contradiction, or verifies what the fields could not; anything in between is up to the
 * fields.
 */
function decides(
  framed: FrameVerdict,
  others: readonly MatchDifference[],
  fields: readonly MatchDifference[],
): boolean {
  if (fields.some((each) => unread(each, framed.frame))) return false
  if (framed.differences.some((each) => each.points >= ruleOutPoints && decisive.test(each.kind))) return true
  if (framed.differences.some((each) => each.points >= blocking && betKinds.test(each.kind))) return true
  return bandOf(scored([...framed.differences, ...others]).score) === 'verified'
}

/** What no entry reads and the fields leave open is compared word by word; only a verified result counts. */
function compareAsWords(
  a: Question,
  b: Question,
  fields: readonly MatchDifference[],
  others: readonly MatchDifference[],
): GeneralVerdict | null {
  if (bandOf(scored(fields).score) === 'verified' || !couldBeParaphrase(a, b, fields)) return null
  const verdict = compareGeneral(a, b)
  if (verdict === null) return null
  return bandOf(scored([...verdict.differences, ...others]).score) === 'verified' ? verdict : null
}

/** `asOf`: time of comparison, epoch ms; without it nothing is known to have begun. */
export const compareMarkets = (a: MatchInput, b: MatchInput, asOf: number | null = null): MatchResult =>
  compareQuestions(readQuestion(a, { asOf }), readQuestion(b, { asOf }))

/** Nothing was understood and no word is left: there is no question to compare. */
const empty = (q: Question): boolean =>
  q.rest.length === 0 &&
  q.matchup === null &&
  q.intervals.length === 0 &&
  Object.keys(q.features).every((kind) => kind === 'league' || kind === 'action')

function unscored(silent: Question): MatchResult {
  return {
    matchScore: null,
    matchBand: 'unscored',
    matchDifferences: [],
    polarity: 'same',
    resolution: { compatible: false, reason: `${silent.venue} gives no question that can be read`, auditReasons: [] },
    resolutionEquivalence: 'unverified',
  }
}
