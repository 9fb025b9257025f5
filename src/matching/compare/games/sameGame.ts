// Whether two venues list the same game: who meets whom, in what, and when.

import { otherClub } from '../../read/games/clubSuffixes.ts'
import { competitionOf, isEsport, isOnceADay } from '../../read/games/competitions.ts'
import type { Game } from '../../read/games/game.ts'
import { localDay } from '../../read/games/kickoff.ts'
import { isOtherTeam, isTeam, sameTeamCostMax, sideCost } from '../../read/games/sides.ts'

export interface Similarity {
  /** 0: the same words on both sides. */
  cost: number
  /** Side one of the first is side two of the other. */
  crossed: boolean
  gapMs: number
  /** One side is the same, the other an unreadable code: accepted only if nothing else fits. */
  weak: boolean
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Two games of the same two teams on one day at one venue begin at least this far apart. */
export const doubleheaderGapMs = 1.5 * hourMs
/** Venues' start times for one game differ by at most this; less where teams meet twice a day. */
const apartMs = 12 * hourMs
const apartTwiceMs = 2.5 * hourMs

export function similarity(a: Game, b: Game): Similarity | null {
  if (contradicts(a, b)) return null
  const gapMs = gapOf(a, b)
  const straight = costs(a, b, false)
  const crossed = costs(a, b, true)
  const best = sum(straight) <= sum(crossed) ? straight : crossed
  const isCrossed = best === crossed
  if (best.every((cost) => cost < sameTeamCostMax)) {
    if ((a.sport === null || b.sport === null) && sum(best) > 11 && !isSameMinute(a, b, isCrossed, best)) return null
    return { cost: sum(best), crossed: isCrossed, gapMs, weak: false }
  }
  if (!oneTeamIdentifiesGame(a.sport) || Math.min(...best) > 12) return null
  // In a tournament a team may play again the same day.
  if (isEsport(a.sport!) && gapMs > hourMs && a.kickoff.at !== null && b.kickoff.at !== null) return null
  const at = best[0]! < sameTeamCostMax ? 1 : 0
  const [mine, other] = [a.sides[at]!, b.sides[isCrossed ? 1 - at : at]!]
  if (!isCode(mine.words) && !isCode(other.words)) return null
  return { cost: sum(best), crossed: isCrossed, gapMs, weak: true }
}

/** The sport is unknown: identical names suffice, or at the same minute a city for its team. */
function isSameMinute(a: Game, b: Game, crossed: boolean, cost: readonly number[]): boolean {
  if (a.kickoff.at === null || a.kickoff.at !== b.kickoff.at) return false
  return cost.every(
    (each, at) => each === 0 || isTeam(a.sides[at]!.words) || isTeam(b.sides[crossed ? 1 - at : at]!.words),
  )
}

/** What rules out the same game regardless of the participants. */
export function contradicts(a: Game, b: Game): boolean {
  if (a.sport !== null && b.sport !== null && a.sport !== b.sport) return true
  const sameCompetition = a.competition !== null && a.competition === b.competition
  if (a.competition !== null && b.competition !== null && !sameCompetition) return true
  if (sameCompetition ? divisionWithin(a) !== divisionWithin(b) : a.division !== b.division) return true
  if (a.nth !== null && b.nth !== null && a.nth !== b.nth) return true
  if (otherClub(namesOf(a), namesOf(b)) !== null) return true
  if (a.kickoff.at !== null && b.kickoff.at !== null) {
    const gap = Math.abs(a.kickoff.at - b.kickoff.at)
    if (a.venue === b.venue) return gap >= doubleheaderGapMs
    return gap > (a.sport === 'baseball' ? apartTwiceMs : apartMs)
  }
  const [mine, other] = [daysOf(a, b), daysOf(b, a)]
  return !mine.some((day) => other.includes(day))
}

const namesOf = ({ sides }: Game): string => sides.map(({ name }) => name ?? '').join(' , ')

/** A division implied by the competition may be stated or omitted. */
const divisionWithin = ({ division, competition }: Game): string =>
  division
    .split(' ')
    .filter((word) => word !== 'doubles' && !(word === 'women' && isOfWomen(competition)))
    .join(' ')
const isOfWomen = (competition: string | null): boolean => /^(?:wnba|ncaawb|wta)$/.test(competition ?? '')

const gapOf = (a: Game, b: Game): number =>
  a.kickoff.at === null || b.kickoff.at === null ? dayMs / 2 : Math.abs(a.kickoff.at - b.kickoff.at)

/** Possible calendar days of a game, as the other's venue may count them. */
function daysOf({ kickoff, competition }: Game, other: Game): number[] {
  if (kickoff.at === null) return [kickoff.day]
  const place = competitionOf(competition ?? other.competition ?? '')
  const eastern = localDay(kickoff.at, 'America/New_York')
  if (place?.timeZone === 'America/New_York') return [eastern]
  return [kickoff.day, eastern, ...(place === null ? [] : [localDay(kickoff.at, place.timeZone)])]
}

const costs = (a: Game, b: Game, crossed: boolean): [number, number] => [
  sideCost(a.sides[0].words, b.sides[crossed ? 1 : 0].words),
  sideCost(a.sides[1].words, b.sides[crossed ? 0 : 1].words),
]
const sum = (of: readonly number[]): number => of.reduce((total, each) => total + each, 0)

/** One side alone identifies the game: a side almost never plays twice a day. */
export const oneTeamIdentifiesGame = (sport: string | null): boolean =>
  sport !== null && (isOnceADay(sport) || isEsport(sport))
const isCode = (words: readonly string[]): boolean => words.length === 1 && words[0]!.length <= 6

/** Two full names that are not the same. */
export const namesConflict = (a: Game, b: Game): boolean =>
  [false, true].every((crossed) =>
    [0, 1].some((at) => {
      const [mine, other] = [a.sides[at]!.words, b.sides[crossed ? 1 - at : at]!.words]
      return isOtherTeam(mine, other) || (!isCode(mine) && !isCode(other) && sideCost(mine, other) >= sameTeamCostMax)
    }),
  )
