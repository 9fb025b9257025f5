// Two propositions of one entry, argument by argument: what differs, how the answers relate, and how certain that is.
import type { MatchRelation } from '#schemas/matches'
import { bandFloors, type MatchDifference, ruleOutPoints } from '../../match.ts'
import { spanOf } from '../../read/dateParser.ts'
import { givenOnlyAt, isCeremony } from '../../read/frames/knowledge/ceremonies.ts'
import { compareNames, isSubset } from '../../read/frames/names.ts'
import { type PropositionTemplate, type Slot, slots } from '../../read/frames/proposition.ts'
import type { Proposition } from '../../read/frames/read.ts'
import { isOneTimeEvent, keepContainmentOnly, repeated } from '../../read/frames/recurrence.ts'
import { gameClaimOf } from '../../read/games/gameClaim.ts'
import { isPlace } from '../../read/gazetteer.ts'
import { memoizeLastPair } from '../../read/memoizeLast.ts'
import type { Question } from '../../read/question.ts'
import { type Interval, intervalText } from '../../read/thresholdParser.ts'
import type { StatedDate } from '../../read/yearInference.ts'
import { compareDates, primary } from '../fields/dates.ts'
import { compareClaims } from '../games/compareClaims.ts'
import { isDisjoint, type Phrase, type Term } from './arguments.ts'
import { relateAmounts, type SetRelation } from './frameThresholds.ts'
import { composeSets, negateRelation, type SetPair } from './relations.ts'

export interface FrameVerdict {
  frame: Pick<PropositionTemplate, 'name' | 'reads'>
  /** Of equality: what keeps the two from being one question. */
  differences: MatchDifference[]
  /** Yes of one is No of the other. */
  inverse: boolean
  relation: MatchRelation
  /** The relation's premises cost no more than the verified band allows. */
  sure: boolean
  /** They exclude each other only if the two names are different entrants: "Man City" and "Manchester City" are one. */
  byName?: boolean
}

/** Cheap: whether the two are propositions of one entry about possibly the same subject. */
export function couldBeSame({ proposition: p }: Question, { proposition: q }: Question): boolean {
  if (p === null || q === null || p.frame !== q.frame) return false
  const [x, y] = [p.args.who?.terms ?? [], q.args.who?.terms ?? []]
  if (x.length === 0 || y.length === 0) return true
  return x.some(({ key, text }) => text.length < 5 || y.some((other) => other.key === key || other.text.length < 5))
}

/** Null if the two are neither propositions of one entry nor bets on one game. */
export const compareFrames = memoizeLastPair((a, b): FrameVerdict | null => {
  if (a.matchup !== null && b.matchup !== null) return compareBets(a, b)
  const [p, q] = [a.proposition, b.proposition]
  if (p === null || q === null || p.frame !== q.frame) return null
  const bySlot = slots.map((slot) => ({ slot, found: compareSlot(slot, a, p, b, q) }))
  const given = bySlot.flatMap(({ found }) => found)
  const amount = compareAmount(a, p, b, q)
  const window = compareWindow(a, b, p.frame)
  const turned = p.denied !== q.denied
  const only = given.filter((each) => each.points >= ruleOutPoints)
  const rival =
    only.length === 1 &&
    !mayBeNamed(p, q) &&
    bySlot.find(({ found }) => found.includes(only[0] as MatchDifference))?.slot === p.frame.unique &&
    (p.amount === null || (single(p) && amount.relation === 'equal'))
  const sets: SetPair[] = [repeated(a, p, b) ? keepContainmentOnly(amount.relation) : amount.relation, window.relation]
  const plain =
    only.length > 0
      ? rival && !turned && isOneTimeEvent(a, p, b, q)
        ? exclusive(p, sets)
        : 'overlap'
      : composeSets(sets)
  const relation = negateRelation(plain, p.denied, q.denied)
  const soft = [...given.filter((each) => !rival || each !== only[0]), ...window.premises]
  // "Hit 35" may be from above, and then "hit 45" does not follow.
  const eitherWay = amount.relation !== 'equal' && [p, q].some((each) => each.amount?.eitherWay === true)
  const uncertain = relation !== 'identity' && relation !== 'complement' && (p.bare || q.bare || eitherWay)
  const sure = !uncertain && soft.reduce((sum, each) => sum + each.points, 0) <= 100 - bandFloors.verified
  // If it comes out several times, both the amount and its complement may come true.
  const both: MatchDifference[] =
    amount.relation === 'rest' && relation !== 'complement' && relation !== 'identity'
      ? [{ kind: 'strike', points: 45, detail: strikeText(a, p, b, q) }]
      : []
  const differences = [...given, ...amount.differences, ...both, ...window.differences]
  const inverse = relation === 'complement' || (turned && relation !== 'identity')
  return { frame: p.frame, differences, inverse, relation, sure, byName: rival && relation === 'disjoint' }
})

/** The part of a game belongs to the bet, and its sides to the game. */
const betFields = ['period', 'team']

function compareBets(a: Question, b: Question): FrameVerdict | null {
  const [x, y] = [gameClaimOf(a), gameClaimOf(b)]
  if (x === null || y === null) return null
  const verdict = compareClaims(x, y, [a.venue, b.venue])
  return verdict === null ? null : { ...verdict, frame: { name: x.frame.name, reads: betFields } }
}

/** "Harris" may be "Calvin Harris": unclear whether the names are the same. */
function mayBeNamed({ frame, args: x }: Proposition, { args: y }: Proposition): boolean {
  const slot = frame.unique
  const [one, two] = slot === undefined ? [] : [x[slot], y[slot]]
  return (
    one !== undefined &&
    two !== undefined &&
    isSubset(one, two, slot !== undefined && frame.people?.includes(slot) === true)
  )
}

/** A single value: "#3", and "top 1" of a list that begins with 1. */
const single = ({ amount, frame }: Proposition): boolean =>
  amount !== null && amount.high !== null && (amount.low ?? frame.grid?.min) === amount.high

/** At most one comes first: regardless of deadlines for a single occasion, in the same edition for a recurring one. */
const exclusive = (p: Proposition, sets: readonly SetPair[]): MatchRelation =>
  p.frame.window !== 'recurring' || sets.every((set) => set === 'equal') ? 'disjoint' : 'overlap'

/** A slot's name in the list of differences. */
const kindOf: Readonly<Record<Slot, string>> = {
  who: 'name',
  what: 'wording',
  role: 'office',
  said: 'wording',
  source: 'source',
}

function compareSlot(slot: Slot, a: Question, p: Proposition, b: Question, q: Proposition): MatchDifference[] {
  const [x, y] = [p.args[slot], q.args[slot]]
  const kind = kindOf[slot]
  if (x === undefined && y === undefined) return []
  if (x === undefined || y === undefined) {
    const [who, phrase] = x === undefined ? [b, y] : [a, x]
    if ((phrase as Phrase).terms.length === 0) return []
    const free = p.frame.implied?.includes(slot) === true
    return [
      {
        kind,
        points: free ? 1 : 14,
        detail: `${slot}: only ${who.venue} says "${(phrase as Phrase).text}"${free ? ', which the rest implies' : ''}`,
      },
    ]
  }
  const statement = `${slot}: ${a.venue} says "${x.text}", ${b.venue} says "${y.text}"`
  const people = p.frame.people?.includes(slot) === true
  if (slot === 'who' || people) {
    const { points, how } = compareNames(x, y, people)
    if (points === 0) return []
    if (points !== null) return [{ kind, points, detail: `${statement}; ${how}` }]
    if (slot === 'who') return [{ kind, points: 60, detail: statement }]
  }
  return compareBags(kind, statement, x, y, freed(p, q), [p, q])
}

/** Terms of a slot implied by the rest of the sentence. */
function freed(p: Proposition, q: Proposition): (term: Term) => boolean {
  const { frame } = p
  const [x, y] = [p.args.who, q.args.who]
  const person = frame.people?.includes('who') === true && x !== undefined && y !== undefined
  const full = person && (Math.max(x.terms.length, y.terms.length) > 1 || x.text === y.text)
  // A candidate runs and serves in one place.
  return (term) => full && (frame.impliedOfPerson?.test(term.text) === true || isPlace(term.text))
}

/** Everything a proposition says, for a term in one side's slot that the other has elsewhere. */
const contextOf = (p: Proposition): string =>
  Object.values(p.args)
    .map((phrase) => phrase.text)
    .join(' ')

function compareBags(
  kind: string,
  statement: string,
  x: Phrase,
  y: Phrase,
  free: (term: Term) => boolean,
  [mine, other]: readonly [Proposition, Proposition],
): MatchDifference[] {
  const { onlyA, onlyB, taken } = isDisjoint(x, y)
  const out: MatchDifference[] = taken.map(([one, two]) => ({
    kind: 'spelling',
    points: 2,
    detail: `spelling: "${one}" and "${two}" are taken for the same`,
  }))
  // Two phrases of filler alone ("the game", "the series") share nothing that says what is meant.
  if (x.terms.length === 0 && y.terms.length === 0 && x.text !== y.text)
    return [{ kind, points: 14, detail: statement }]
  const shared = x.terms.length - onlyA.length
  if (onlyA.length > 0 && onlyB.length > 0) return [...out, { kind, points: 45, detail: statement }]
  const extra = onlyA.length > 0 ? onlyA : onlyB
  if (extra.length === 0) return out
  if (shared === 0) return [...out, { kind, points: 45, detail: statement }]
  const silent = onlyA.length > 0 ? other : mine
  const points = extra.reduce((sum, term) => sum + (free(term) ? 3 : extraPoints(term, silent)), 0)
  const part = extra.some((term) => stage.test(term.text))
  return points === 0 ? out : [...out, { kind: part ? 'stage' : kind, points, detail: statement }]
}

/** A part of a contest is a different contest. */
const stage =
  /^(?:firstround|runoff|primary|caucus|semifinal|quarterfinal|final|playoff|round|leg|stage|regular|women|men|junior|youth)s?$/

/** Cost of a word that one side has and the other omits. */
function extraPoints(term: Term, silent: Proposition): number {
  if (term.key === 'us' || term.text === 'federal') return 3
  if (stage.test(term.text)) return 30
  if (isCeremony(term.text)) return givenOnlyAt(term.text, contextOf(silent)) ? 0 : 12
  return 14
}

const strikeText = (a: Question, p: Proposition, b: Question, q: Proposition): string =>
  `strike: ${a.venue} says ${intervalText(p.amount as Interval)}, ${b.venue} says ${intervalText(q.amount as Interval)}`

function compareAmount(
  a: Question,
  p: Proposition,
  b: Question,
  q: Proposition,
): { differences: MatchDifference[]; relation: SetRelation | null } {
  const { grid } = p.frame
  if (grid === undefined || p.amount === null || q.amount === null) return { differences: [], relation: 'equal' }
  const whole = relateAmounts(p.amount, q.amount, grid)
  const relation = whole === 'rest' && p.frame.mayFail === true ? 'apart' : whole
  // "Above 6,000" and "below 6,000" may both be touched.
  if (relation === 'equal' || (relation === 'rest' && !p.amount.touch)) return { differences: [], relation }
  const detail = strikeText(a, p, b, q)
  // A count in the thousands, or a price in cents, is rarely exactly the number itself: this lowers certainty but proves nothing.
  const [x, y] = [p.amount, q.amount]
  const alike = x.low === y.low && x.high === y.high
  const end = alike ? (x.low ?? x.high ?? 0) : 0
  const points = end >= 1_000 || (grid.nines === true && alike) ? 12 : 45
  return { differences: [{ kind: 'strike', points, detail }], relation }
}

export interface WindowVerdict {
  differences: MatchDifference[]
  relation: SetPair
  /** What the relation itself rests on. */
  premises: MatchDifference[]
}

export function compareWindow(
  a: Question,
  b: Question,
  frame: Pick<PropositionTemplate, 'window' | 'selfEnding' | 'settles'>,
): WindowVerdict {
  const [x, y] = [primary(a), primary(b)]
  const kind = frame.window
  // A recurring occasion is identified by its year, which then is not a window.
  const dateDifferences = compareDates(a, b).filter((each) => kind === 'open' || each.kind !== 'beginning')
  if (x !== null && y !== null) {
    if (frame.settles === true && (x.role === 'deadline') !== (y.role === 'deadline'))
      return { ...occasions, premises: dateDifferences }
    const relation = dateDifferences.some((each) => each.points >= ruleOutPoints) ? windows(x, y, kind) : 'equal'
    const premises = dateDifferences.filter(({ points }) => points < ruleOutPoints)
    const lent = x.span === null || y.span === null
    const open = lent || x.moment.vague !== y.moment.vague
    return {
      differences: dateDifferences,
      relation,
      premises: relation === 'equal' ? dateDifferences : open ? [...premises, yearLent] : [],
    }
  }
  if (x === null && y === null) {
    const clash = dateDifferences.some((each) => each.points >= ruleOutPoints)
    // Ids show when a venue listed it, and the other names no day: an occasion is identified by what it is.
    const dated = a.closes !== null && b.closes !== null
    const eased = kind === 'open' || (kind === 'recurring' && dated) ? dateDifferences : dateDifferences.map(ease)
    return { differences: eased, relation: clash ? null : 'equal', premises: eased }
  }
  const one = (x ?? y) as StatedDate
  const silent = x === null ? a : b
  // The occasion ends by itself: the deadline of one side only says when its venue gives up.
  if (kind === 'bounded') {
    const eased = dateDifferences.map(ease)
    return {
      differences: eased,
      relation: dateDifferences.some((each) => each.points >= ruleOutPoints) ? null : 'equal',
      premises: eased,
    }
  }
  if (
    dateDifferences.length === 0 ||
    (one.grain === 'year' && silent.years.id !== null && dateDifferences.every((each) => each.points < ruleOutPoints))
  )
    return { differences: dateDifferences, relation: 'equal', premises: dateDifferences }
  const year = one.span === null ? null : new Date(one.span.to * 86_400_000).getUTCFullYear()
  const later = silent.years.id === null || (year !== null && silent.years.id >= year)
  const open = kind === 'open' && one.role !== 'after' && later
  return {
    differences: dateDifferences,
    relation: open ? (x === null ? 'around' : 'inside') : null,
    premises: frame.selfEnding === true ? dateDifferences : [],
  }
}

/** "Hikes at the meeting of September" and "a hike by September". */
const occasions: Pick<WindowVerdict, 'differences' | 'relation'> = {
  differences: [
    {
      kind: 'date',
      points: 40,
      detail: 'date: one asks about a single occasion, the other about all until a deadline',
    },
  ],
  relation: null,
}

const ease = (each: MatchDifference): MatchDifference => ({
  ...each,
  points: each.points >= ruleOutPoints ? each.points : Math.min(each.points, 6),
})
const yearLent: MatchDifference = { kind: 'date', points: 6, detail: 'date: only one of them names the year' }

/** Relation of the days of one to those of the other. A recurrence is another occasion. */
function windows(x: StatedDate, y: StatedDate, kind: 'bounded' | 'recurring' | 'open'): SetPair {
  if (x.span === null || y.span === null) {
    const [known, bare] = x.span === null ? [y, x] : [x, y]
    if (known.span === null || bare.moment.month === null) return null
    const span = spanOf(bare.moment, new Date(known.span.to * 86_400_000).getUTCFullYear())
    return x.span === null ? windows({ ...x, span }, y, kind) : windows(x, { ...y, span }, kind)
  }
  if (x.role === 'after' || y.role === 'after' || kind === 'recurring') return null
  const from = (date: StatedDate): number =>
    date.role === 'deadline' ? Number.NEGATIVE_INFINITY : (date.span as { from: number }).from
  if (from(x) >= from(y) && x.span.to <= y.span.to) return 'inside'
  if (from(y) >= from(x) && y.span.to <= x.span.to) return 'around'
  return null
}
