// Who plays, and which side Yes means. In a game without a draw, Yes for one side is No for the other.
import type { MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import { participant } from '../../read/sports.ts'
import { canonicalSpelling, stem } from '../../read/text.ts'

export interface GameResult {
  differences: MatchDifference[]
  inverse: boolean
  /** Both ask about a game of the same two sides. */
  inGame: boolean
}

export function compareGames(one: Question, two: Question): GameResult {
  const [a, b] = [withLeague(one, two), withLeague(two, one)]
  if (a.matchup === null && b.matchup === null) return { differences: [], inverse: false, inGame: false }
  if (a.matchup === null || b.matchup === null) {
    const who = a.matchup !== null ? a : b
    return {
      differences: [
        { kind: 'opponent', points: 28, detail: `opponent: only ${who.venue} says who meets whom (${sidesText(who)})` },
      ],
      inverse: false,
      inGame: false,
    }
  }
  const [a0, a1] = a.matchup.sides
  const [b0, b1] = b.matchup.sides
  const straight = pairCost(a0, b0) + pairCost(a1, b1)
  const crossed = pairCost(a0, b1) + pairCost(a1, b0)
  const cost = Math.min(straight, crossed)
  const detail = `team: ${a.venue} says ${sidesText(a)}, ${b.venue} says ${sidesText(b)}`
  if (cost >= 60) return { differences: [{ kind: 'team', points: 60, detail }], inverse: false, inGame: false }
  const differences: MatchDifference[] =
    cost > 0 ? [{ kind: 'team', points: Math.min(cost, 24), detail: `${detail}; taken for the same` }] : []
  return { ...compareSides(a, b, differences), inGame: true }
}

/** Whether the participants differ, however they are paired. */
export function differentGames(one: Question, two: Question): boolean {
  if (one.facets.coded === two.facets.coded) return sidesApart(one, two)
  return sidesApart(withLeague(one, two), withLeague(two, one))
}

function sidesApart(one: Question, two: Question): boolean {
  const [a, b] = [one.matchup, two.matchup]
  if (a === null || b === null) return false
  const straight = pairCost(a.sides[0], b.sides[0]) + pairCost(a.sides[1], b.sides[1])
  return Math.min(straight, pairCost(a.sides[0], b.sides[1]) + pairCost(a.sides[1], b.sides[0])) >= 60
}

/** A city is a team if the other question names the league: "Phoenix vs Atlanta" and "MLB: Phoenix vs Atlanta". */
function withLeague(q: Question, by: Question): Question {
  const coded = ({ matchup }: Question): string | undefined => matchup?.sides.flat().find((word) => word.includes(':'))
  const code = coded(by)
  if (q.matchup === null || code === undefined || coded(q) !== undefined || q.features.league !== undefined) return q
  const league = code.split(':')[0] as string
  const spoken = q.matchup.names.map((name) => participant(name, league)) as [string[], string[]]
  const sides = [...spoken].sort((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1)) as [string[], string[]]
  const at = q.matchup.spoken.findIndex((each) => Array.isArray(q.side) && each.join(' ') === q.side.join(' '))
  return { ...q, matchup: { ...q.matchup, spoken, sides }, side: at < 0 ? q.side : (spoken[at] as string[]) }
}

function compareSides(a: Question, b: Question, differences: MatchDifference[]): Omit<GameResult, 'inGame'> {
  if (a.side === null || b.side === null) {
    // Whether the whole game is meant follows from the form, which is compared as a separate field.
    return { differences, inverse: false }
  }
  const statement = `Yes is ${sideText(a)} on ${a.venue} and ${sideText(b)} on ${b.venue}`
  if (a.side === 'draw' || b.side === 'draw') {
    if (a.side === b.side) return { differences, inverse: false }
    return { differences: [...differences, { kind: 'side', points: 45, detail: `side: ${statement}` }], inverse: false }
  }
  const same = pairCost(a.side, b.side) < 30
  if (a.sideAssumed !== b.sideAssumed) {
    const who = a.sideAssumed ? a : b
    differences.push({
      kind: 'side',
      points: 11,
      detail: `side: ${who.venue} does not say which side Yes is; ${sideText(who)} is named first`,
    })
  }
  if (a.sideAssumed && b.sideAssumed) {
    const [coded] = [a, b].filter((each) => /-[A-Z0-9]{2,6}$/.test(each.marketId))
    if (coded !== undefined)
      differences.push({ kind: 'side', points: 12, detail: `side: no word says which side Yes is on ${coded.venue}` })
  }
  if (same) return { differences, inverse: false }
  if (a.drawPossible && b.drawPossible)
    return {
      differences: [...differences, { kind: 'side', points: 45, detail: `side: ${statement}, and a draw is possible` }],
      inverse: false,
    }
  if (a.sideAssumed && b.sideAssumed)
    differences.push({ kind: 'side', points: 12, detail: `side: ${statement}, going by who is named first` })
  // A spread or a series score is inverted with its side; only a plain winner is the other's complement.
  if ((a.features.form ?? []).length > 0 || a.intervals.length > 0)
    return { differences: [...differences, { kind: 'side', points: 45, detail: `side: ${statement}` }], inverse: false }
  return { differences, inverse: true }
}

const known = new WeakMap<readonly string[], readonly string[]>()

/** A side's words in compared form. Requested once per pair, and a side is in thousands of pairs. */
export function keysOf(side: readonly string[]): readonly string[] {
  const before = known.get(side)
  if (before !== undefined) return before
  const keys = side.map((word) => canonicalSpelling(stem(word)))
  known.set(side, keys)
  return keys
}

/** 0: the same; small: one name contains the other; 60: nothing distinctive in common. */
export function pairCost(a: readonly string[], b: readonly string[]): number {
  const mine = keysOf(a)
  const other = keysOf(b)
  if (mine.join('') === other.join('')) return 0
  const onlyA = mine.filter((word) => !other.includes(word))
  const onlyB = other.filter((word) => !mine.includes(word))
  if (onlyA.length === 0 && onlyB.length === 0) return 0
  const shared = mine.length - onlyA.length
  if (shared === 0) {
    // Codes of ids: "lormus" is MUS.
    const [x = '', y = ''] = [a[0], b[0]]
    const short =
      mine.length === 1 && other.length === 1 && x.length <= 6 && y.length <= 6 && Math.min(x.length, y.length) >= 2
    return short && (x.endsWith(y) || y.endsWith(x) || x.startsWith(y) || y.startsWith(x)) ? 12 : 60
  }
  if (onlyA.length === 0 || onlyB.length === 0) return 11
  return 60
}

const sidesText = (q: Question): string =>
  q.matchup === null ? '' : q.matchup.spoken.map((side) => side.join(' ')).join(' vs ')
const sideText = (q: Question): string =>
  q.side === null ? 'the game' : q.side === 'draw' ? 'a draw' : q.side.join(' ')
