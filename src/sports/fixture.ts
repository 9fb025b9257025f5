// One real game from its listings: names, time, and every market oriented so that side one is the same team on all of them.

import { competitionOf, mayDrawIn } from '#matching/read/games/competitions'
import type { Game, Side } from '#matching/read/games/game'
import { localDay } from '#matching/read/games/kickoff'
import { nameOfSide, sideCost } from '#matching/read/games/sides'
import type { Bet, NoBet, Result } from './bet.ts'
import type { Descriptor, FixtureEntry, FixtureHead, FixtureRecord, UnplacedCounts } from './records.ts'

export interface Listed {
  venue: string
  marketId: string
  game: Game
  bet: Bet | NoBet
  open: boolean
  venueStatus: FixtureHead['said']
}

/** `listed`: at least one. The same markets in any order give the same fixture. */
export function fixtureOf(fixtureId: string, listed: readonly Listed[]): FixtureRecord {
  const games = [...new Set(listed.map(({ game }) => game))]
  const lead = leadOf(games)
  const isCrossed = new Map(games.map((game) => [game, crossed(lead, game)]))
  const sport = mostFrequent(games.flatMap(({ sport }) => sport ?? []))
  const competitionId = mostFrequent(games.flatMap(({ competition }) => competition ?? []))
  const division = mostFrequent(games.map((game) => game.division).filter((each) => each !== '')) ?? ''
  const sideAt = (at: 0 | 1): Side[] => games.map((game) => game.sides[isCrossed.get(game) === true ? 1 - at : at]!)
  const teams = ([0, 1] as const).map((at) => ({
    id: teamId(sideAt(at), sport, division),
    name: nameOfSide(sideAt(at)),
  })) as FixtureHead['teams']
  const at = kickoffAt(games)
  const read = listed.flatMap((each) => {
    const turn = isCrossed.get(each.game) === true
    return typeof each.bet === 'string' ? [] : [{ entry: entryOf(each, each.bet, teams, turn), bet: each.bet }]
  })
  const entries = withoutThird(read, sport)
  entries.sort((a, b) => compare(a.venue, b.venue) || compare(a.marketId, b.marketId))
  const keyed = entries.length > 0 ? entries : listed
  return {
    head: {
      fixtureId,
      sport,
      competitionId,
      teams,
      home: homeOf(games, isCrossed),
      kickoffAt: at,
      eventDate: dateText(
        at === null ? dayOf(games) : localDay(at, competitionOf(competitionId ?? '')?.timeZone ?? 'UTC'),
      ),
      said: venueStatusOf(listed),
      open: keyed.some(({ open }) => open),
      venues: [...new Set(listed.map(({ venue }) => venue))].sort(),
      markets: descriptorsOf(entries),
      unplaced: unplacedOf(listed),
    },
    entries,
  }
}

/** The game with the best names: teams from the tables, then the longest words. */
const leadOf = (games: readonly Game[]): Game =>
  games.reduce((best, game) =>
    rank(game) > rank(best) || (rank(game) === rank(best) && keyOfGame(game) < keyOfGame(best)) ? game : best,
  )
const rank = ({ sides }: Game): number =>
  sides.reduce(
    (sum, { words, name }) =>
      sum + (words[0]!.includes(':') ? 1_000 : 0) + (name === null ? 0 : 100) + words.join('').length,
    0,
  )
const keyOfGame = ({ venue, sides }: Game): string => `${venue} ${sides.map(({ words }) => words.join(' ')).join(' ')}`

function crossed(lead: Game, game: Game): boolean {
  const cost = (turn: 0 | 1): [number, number] => {
    const both = ([0, 1] as const).map((at) =>
      sideCost(lead.sides[at].words, game.sides[turn === 1 ? 1 - at : at]!.words),
    )
    return [both[0]! + both[1]!, Math.min(...both)]
  }
  const [straight, turned] = [cost(0), cost(1)]
  return turned[0] < straight[0] || (turned[0] === straight[0] && turned[1] < straight[1])
}

/** The value of most listings; ties go to the alphabetically first. */
function mostFrequent(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))
  return sorted[0]?.[0] ?? null
}

function teamId(sides: readonly Side[], sport: string | null, division: string): string {
  const known = sides.find(({ words }) => words[0]!.includes(':'))
  if (known !== undefined) return known.words[0]!
  const named = sides.filter(({ name }) => name !== null)
  const words = mostFrequent((named.length > 0 ? named : sides).map((side) => side.words.join('-')))!
  return `${sport ?? 'sports'}:${words}${division === '' ? '' : `-${division.replaceAll(' ', '-')}`}`
}

function homeOf(games: readonly Game[], isCrossed: ReadonlyMap<Game, boolean>): 0 | 1 | null {
  const reported = new Set(
    games.flatMap((game) => (game.home === null ? [] : [isCrossed.get(game) === true ? 1 - game.home : game.home])),
  )
  return reported.size === 1 ? ([...reported][0] as 0 | 1) : null
}

/** The moment reported by most venues; ties go to the earliest. */
function kickoffAt(games: readonly Game[]): number | null {
  const venues = new Map<number, Set<string>>()
  for (const { kickoff, venue } of games) {
    if (kickoff.at !== null) venues.set(kickoff.at, (venues.get(kickoff.at) ?? new Set()).add(venue))
  }
  const sorted = [...venues].sort((a, b) => b[1].size - a[1].size || a[0] - b[0])
  return sorted[0]?.[0] ?? null
}

const dayOf = (games: readonly Game[]): number => Math.min(...games.map(({ kickoff }) => kickoff.day))

const dateText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

function venueStatusOf(listed: readonly Listed[]): FixtureHead['said'] {
  for (const word of ['cancelled', 'postponed', 'live'] as const)
    if (listed.some(({ venueStatus }) => venueStatus === word)) return word
  return null
}

/** If a draw is possible, the No of a side is not a result, and a bet on only two sides is a different bet. */
function withoutThird(read: readonly { entry: FixtureEntry; bet: Bet }[], sport: string | null): FixtureEntry[] {
  const drawn = new Set(
    read.flatMap(({ entry }) => (entry.outcomes.some(({ result }) => result === 'draw') ? blockKey(entry) : [])),
  )
  return read.map(({ entry, bet }) => {
    const { outcomes, marketType } = entry
    const hasThird = marketType === 'moneyline' && drawn.has(blockKey(entry))
    if (bet.isNoOther && marketType === 'moneyline' && (hasThird || mayDrawIn(sport, entry.period)))
      return { ...entry, outcomes: outcomes.slice(0, 1) }
    const isPair = outcomes.length === 2 && !outcomes.some(({ result }) => result === 'draw')
    return hasThird && isPair ? { ...entry, marketType: 'draw_no_bet' } : entry
  })
}

function entryOf(
  { venue, marketId, open }: Listed,
  { marketType, period, of, line, outcomes }: Bet,
  [first, second]: FixtureHead['teams'],
  turn: boolean,
): FixtureEntry {
  const [one, two] = turn ? [second, first] : [first, second]
  const named = (result: Result): string => (result === 'one' ? one.id : result === 'two' ? two.id : result)
  const isSpread = marketType.startsWith('spread')
  return {
    venue,
    marketId,
    marketType,
    period,
    slot: of === null ? 'game' : of === 0 ? one.id : two.id,
    line: line === null ? null : isSpread && turn && line !== 0 ? -line : line,
    open,
    outcomes: outcomes.map(({ outcomeId, result }) => ({ outcomeId, result: named(result) })),
  }
}

export const blockKey = ({ marketType, period, slot }: Pick<FixtureEntry, 'marketType' | 'period' | 'slot'>): string =>
  `${marketType} ${period} ${slot}`

function descriptorsOf(entries: readonly FixtureEntry[]): Descriptor[] {
  return [...Map.groupBy(entries, blockKey)]
    .sort(([a], [b]) => compare(a, b))
    .map(([, members]) => {
      const { marketType, period, slot } = members[0]!
      const lines = [...new Set(members.flatMap(({ line }) => line ?? []))].sort((a, b) => a - b)
      return { marketType, period, slot, lines, venues: [...new Set(members.map(({ venue }) => venue))].sort() }
    })
}

function unplacedOf(listed: readonly Listed[]): UnplacedCounts {
  const counts: UnplacedCounts = {}
  for (const { bet } of listed) if (typeof bet === 'string') counts[bet] = (counts[bet] ?? 0) + 1
  return counts
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
