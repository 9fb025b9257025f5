// Two bets on games: whether it is the same game, and how the scores that make one Yes relate to those of the other.
import type { MatchRelation } from '#schemas/matches'
import { bandFloors, type MatchDifference } from '../../match.ts'
import { compareNames } from '../../read/frames/names.ts'
import type { Game } from '../../read/games/game.ts'
import type { GameClaim } from '../../read/games/gameClaim.ts'
import { crossed, type Region, relateAnswers } from '../../read/games/scoreRegion.ts'
import { contradicts, type Similarity, similarity } from './sameGame.ts'

export interface ClaimVerdict {
  differences: MatchDifference[]
  inverse: boolean
  relation: MatchRelation
  sure: boolean
}

/** Null if it is unclear whether it is one game. */
export function compareClaims(a: GameClaim, b: GameClaim, venues: readonly [string, string]): ClaimVerdict | null {
  const same = sameGame(a.game, b.game)
  if (same === 'other') return other(`game: ${gameText(a, venues[0])}, ${gameText(b, venues[1])}`, 'game', 60)
  if (same === null || same.weak) return null
  const premises = premisesOf(a, b, same.cost)
  if (a.scope !== b.scope)
    return other(`part: ${venues[0]} asks about ${a.scope}, ${venues[1]} about ${b.scope}`, 'period', 45)
  if (a.unit !== b.unit) return other(`bet: ${venues[0]} counts ${a.unit}, ${venues[1]} counts ${b.unit}`, 'bet', 45)
  if ((a.who === null) !== (b.who === null)) return other('bet: only one asks about a single player', 'bet', 45)
  if (a.who !== null && b.who !== null) {
    const { points, how } = compareNames(a.who, b.who, true)
    const detail = `player: ${venues[0]} says "${a.who.text}", ${venues[1]} says "${b.who.text}"`
    if (points === null) return other(detail, 'name', 60)
    if (points > 0) premises.push({ kind: 'name', points, detail: `${detail}; ${how}` })
  }
  const turned = same.crossed && a.who === null
  const relation = relateAnswers(a, turned ? { ...b, region: crossed(b.region) } : b, a.tieless || b.tieless)
  const sure = premises.reduce((sum, { points }) => sum + points, 0) <= 100 - bandFloors.verified
  const inverse = relation === 'complement'
  // The matchup and day are not enough proof if the sport is unknown: other words decide, and nothing follows.
  const known = a.game.sport !== null || b.game.sport !== null
  if (!known && (inverse || relation === 'identity')) return null
  if (inverse || relation === 'identity') return { differences: premises, inverse, relation, sure }
  const detail = `bet: ${venues[0]} asks ${betText(a)}, ${venues[1]} asks ${betText(b)}`
  return {
    differences: [...premises, { kind: 'bet', points: 45, detail }],
    inverse: false,
    relation,
    sure: sure && known,
  }
}

const lastSimilarity = new WeakMap<Game, { game: Game; same: Similarity | null | 'other' }>()

/** Caches the last one: a market is compared with one after another of the same game. */
function sameGame(a: Game, b: Game): Similarity | null | 'other' {
  const before = lastSimilarity.get(a)
  if (before?.game === b) return before.same
  const same = contradicts(a, b) ? 'other' : similarity(a, b)
  lastSimilarity.set(a, { game: b, same })
  return same
}

const other = (detail: string, kind: string, points: number): ClaimVerdict => ({
  differences: [{ kind, points, detail }],
  inverse: false,
  relation: 'overlap',
  sure: false,
})

/** What the relation itself rests on. */
function premisesOf(a: GameClaim, b: GameClaim, cost: number): MatchDifference[] {
  const found: MatchDifference[] = []
  const sameCompetition = a.game.competition !== null && a.game.competition === b.game.competition
  const points = Math.ceil(cost / (sameCompetition ? 4 : 2))
  if (points > 0) found.push({ kind: 'team', points, detail: 'team: names are taken for the same' })
  if ((a.game.nth === null) !== (b.game.nth === null))
    found.push({ kind: 'game', points: 12, detail: 'game: one of two games of a day; only one side says which' })
  if (a.push || b.push)
    found.push({ kind: 'bet', points: 12, detail: 'bet: a whole line that is met exactly may be refunded' })
  return found
}

const gameText = ({ game }: GameClaim, venue: string): string => {
  const { sides, competition, division, kickoff, nth } = game
  const teams = sides.map(({ name, words }) => name ?? words.join(' ')).join(' vs ')
  const day = new Date(kickoff.at ?? kickoff.day * 86_400_000).toISOString().slice(0, kickoff.at === null ? 10 : 16)
  return [venue, 'says', teams, competition, division, day, nth === null ? null : `game ${nth}`]
    .filter((word) => word !== null && word !== '')
    .join(' ')
}

function betText({ frame, region, denied }: GameClaim): string {
  const names: Readonly<Record<keyof Region, string>> = { one: 'first', two: 'second', margin: 'margin', sum: 'sum' }
  const bounds = (Object.keys(names) as (keyof Region)[]).flatMap((figure) => {
    const { low, high } = region[figure]
    const floor = figure === 'margin' ? Number.NEGATIVE_INFINITY : 0
    if (low <= floor && high === Number.POSITIVE_INFINITY) return []
    const text =
      low === high
        ? `${low}`
        : low <= floor
          ? `at most ${high}`
          : high === Number.POSITIVE_INFINITY
            ? `at least ${low}`
            : `${low} to ${high}`
    return `${names[figure]} ${text}`
  })
  return `${frame.name} (${denied ? 'not ' : ''}${bounds.join(', ')})`
}
