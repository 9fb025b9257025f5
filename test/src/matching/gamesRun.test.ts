// Whole runs over games as venues list them: every side is in one cluster with its equals, never with those of the other team.
import { expect, test } from 'vitest'
import type { MatchInput } from '#matching/read/input'
import { matchRun } from '#test/support/matchRun'

const days = ['2026-08-09', '2026-08-10'] as const
const games = [
  { away: ['Atlanta', 'Braves', 'ATL'], home: ['Arizona', 'Diamondbacks', 'AZ'] },
  { away: ['Baltimore', 'Orioles', 'BAL'], home: ['Texas', 'Rangers', 'TEX'] },
  { away: ['Seattle', 'Mariners', 'SEA'], home: ['Boston', 'Red Sox', 'BOS'] },
] as const
type Team = (typeof games)[number]['away' | 'home']

/** One side of a game as seven venues list it. Two of them list one market per game, whose Yes is its first outcome. */
function listed(day: string, away: Team, home: Team): MatchInput[] {
  const closeTime = `${day}T23:00:00Z`
  const code = `${day.slice(2, 4)}AUG${day.slice(8)}1335${away[2]}${home[2]}`
  const at = day === days[0] ? 'August 9, 2026' : 'August 10, 2026'
  const full = ([city, nickname]: Team): string => `${city} ${nickname}`
  const sides = [away, home].flatMap((team): MatchInput[] => {
    const side = team[2]
    return [
      {
        venue: 'kalshi',
        marketId: `KXMLBGAME-${code}-${side}`,
        title: `${away[0]} vs ${home[0]} Winner?`,
        subtitle: team[0],
        closeTime,
      },
      {
        venue: 'gemini',
        marketId: `GEMI-MLB-${day}-${side}`,
        title: `Will ${team[0]} win the ${away[0]} vs ${home[0]} professional baseball game on ${at}?`,
        closeTime,
      },
      {
        venue: 'hyperliquid',
        marketId: `h-${day}-${side}`,
        title: `MLB: ${away[0]} vs ${home[0]} on ${at}`,
        subtitle: team[0],
        closeTime,
      },
      {
        venue: 'polymarket',
        marketId: `p-${day}-${side}`,
        title: `Will the ${full(team)} beat the ${full(team === away ? home : away)} on ${at}?`,
        eventTitle: `${full(away)} vs. ${full(home)}`,
        outcomes: ['Yes', 'No'],
        closeTime,
      },
      {
        venue: 'opinion',
        marketId: `o-${day}-${side}`,
        title: `Will ${full(team)} win the MLB game ${full(away)} vs. ${full(home)} on ${at}?`,
        outcomes: ['Yes', 'No'],
        closeTime,
      },
    ]
  })
  const slug = `aec-mlb-${away[2]}-${home[2]}-${day}`.toLowerCase()
  return [
    ...sides,
    {
      venue: 'polymarket_us',
      marketId: slug,
      title: `${full(away)} vs. ${full(home)}`,
      outcomes: [full(away), full(home)],
      closeTime,
      eventTitle: `MLB ${at}`,
    },
    {
      venue: 'limitless',
      marketId: `l-${day}-${away[2]}`,
      title: `${full(away)} vs. ${full(home)} on ${at}`,
      outcomes: [full(away), full(home)],
      closeTime,
    },
  ]
}

test('clusters the same side of the same game across seven venues, the identical market before the opposite', () => {
  const markets = days.flatMap((day) => games.flatMap(({ away, home }) => listed(day, away, home)))
  const { clusters } = matchRun(markets)
  const found = clusters.map(({ members }) => members.map(({ key }) => key).sort())
  const teams = days.flatMap((day) =>
    games.flatMap((game) => [game.away, game.home].map((team) => ({ day, game, team }))),
  )
  const right = teams.map(({ day, game, team }) => {
    const slug = `aec-mlb-${game.away[2]}-${game.home[2]}-${day}`.toLowerCase()
    const code = `${day.slice(2, 4)}AUG${day.slice(8)}1335${game.away[2]}${game.home[2]}`
    const own = [
      `gemini:GEMI-MLB-${day}-${team[2]}`,
      `hyperliquid:h-${day}-${team[2]}`,
      `kalshi:KXMLBGAME-${code}-${team[2]}`,
    ]
    const named = [`opinion:o-${day}-${team[2]}`, `polymarket:p-${day}-${team[2]}`]
    const whole = team === game.away ? [`limitless:l-${day}-${team[2]}`, `polymarket_us:${slug}`] : []
    return [...own, ...named, ...whole].sort()
  })
  expect(found.sort()).toEqual(right.sort())
  expect(clusters.flatMap(({ members }) => members).filter(({ polarity }) => polarity === 'inverse')).toEqual([])
})
