// Which side Yes is when the title names both teams, and wording that reverses a bet or makes it another one: an uncertain market
// is excluded.
import { expect, it } from 'vitest'
import { leagueCodes, teamName, teamOfCode } from '#matching/read/teams'
import { market } from './markets.ts'
import { describeReading } from './venueMetadata.ts'

const games = {
  nba: { eventTitle: 'Dallas Mavericks vs. Cleveland Cavaliers', tags: ['NBA'] },
  mlb: { eventTitle: 'Detroit Tigers vs. Kansas City Royals', tags: ['MLB'] },
  epl: { eventTitle: 'Arsenal vs. Chelsea', tags: ['Soccer', 'EPL'] },
  atp: { eventTitle: 'Rublev vs. Sinner', tags: ['Tennis'] },
} as const

it.each<[keyof typeof games, title: string, read: string]>([
  ['nba', 'Will Dallas win the Dallas vs Cleveland game?', 'moneyline game one/two'],
  ['nba', 'Will Cleveland win the Dallas vs Cleveland game?', 'moneyline game two/one'],
  ['nba', 'Will Cleveland win the Cleveland at Dallas game?', 'moneyline game two/one'],
  ['nba', 'Will the Mavericks beat the Cavaliers?', 'moneyline game one/two'],
  ['nba', 'Will the Cavaliers beat the Mavericks?', 'moneyline game two/one'],
  ['nba', 'Will Cleveland defeat Dallas?', 'moneyline game two/one'],
  ['nba', 'Dallas beats Cleveland', 'moneyline game one/two'],
  [
    'mlb',
    'Will Detroit win the Kansas City vs Detroit professional baseball game on May 10?',
    'moneyline game one/two',
  ],
  ['mlb', 'Will Kansas City win the Kansas City vs Detroit professional baseball game?', 'moneyline game two/one'],
  ['mlb', 'Will Kansas City win the Detroit vs Kansas City professional baseball game?', 'moneyline game two/one'],
  ['epl', 'Will Arsenal win the Arsenal vs Chelsea match?', 'moneyline game one'],
  ['epl', 'Will Chelsea win the Arsenal vs Chelsea match?', 'moneyline game two'],
  // The title does not say who Yes is.
  ['nba', 'Dallas vs Cleveland Winner?', 'side_unknown'],
  ['nba', 'Will Dallas cover the spread against Cleveland?', 'side_unknown'],
  // Yes means that a team does not win, or more than that.
  ['nba', 'Will Dallas lose to Cleveland?', 'market_type'],
  ['nba', 'Will Dallas not win against Cleveland?', 'market_type'],
  ['nba', 'Will Dallas fail to win?', 'market_type'],
  ['epl', 'Will Arsenal win or draw against Chelsea?', 'market_type'],
  ['epl', 'Arsenal vs Chelsea: Double Chance - Arsenal or Draw', 'market_type'],
  ['epl', 'Will Arsenal win to nil?', 'market_type'],
  ['epl', 'Will Arsenal win both halves?', 'market_type'],
  ['epl', 'Will Arsenal avoid defeat against Chelsea?', 'market_type'],
  ['nba', 'Will Dallas vs Cleveland go to overtime?', 'market_type'],
  ['nba', 'Will Dallas beat Cleveland in overtime?', 'market_type'],
  // Questions about a game other than who wins it.
  ['nba', 'Dallas at Cleveland', 'market_type'],
  ['nba', 'Will Luka Doncic attend Dallas vs Cleveland?', 'market_type'],
  ['nba', 'Will there be overtime?', 'market_type'],
  ['nba', 'First team to 20 points: Dallas', 'market_type'],
  ['nba', 'Which team scores first? : Dallas', 'market_type'],
  ['nba', 'Coin toss winner: Dallas', 'market_type'],
  ['nba', 'Halftime / full time winner: Dallas / Dallas', 'market_type'],
  ['nba', 'What will the announcers say during Dallas vs Cleveland?', 'market_type'],
  ['epl', 'Will Arsenal vs Chelsea end in a draw?', 'moneyline game draw'],
  // What is counted, and for whom.
  ['nba', 'Dallas Mavericks total points over 110.5', 'team_total game of 0 110.5 over/under'],
  ['nba', 'Mavericks Team Total: O/U 110.5', 'team_total game of 0 110.5 over/under'],
  ['nba', 'Cavaliers Team Total: O/U 110.5', 'team_total game of 1 110.5 over/under'],
  ['nba', 'Dallas vs Cleveland total points over 220.5', 'total game 220.5 over/under'],
  ['atp', 'Total sets over 3.5', 'total_sets game 3.5 over/under'],
  ['atp', 'Total games over 38.5', 'total_games game 38.5 over/under'],
])('%s: %s', (league, title, read) => {
  const at = { gameStartTime: '2026-05-10T18:00:00.000Z' }
  expect(
    describeReading(
      market('polymarket_us', 'x-1', {
        category: 'sports',
        ...games[league],
        tags: [...games[league].tags],
        title,
        metadata: at,
      }),
    ),
  ).toBe(read)
})

it.each(['nba', 'nfl', 'mlb', 'nhl'])('of every two teams of the %s the one in the question is Yes', (league) => {
  const teams = [...new Set(leagueCodes(league).map((code) => teamName(teamOfCode(league, code)!)!))]
  expect(teams.length).toBeGreaterThan(25)
  for (const [n, one] of teams.entries()) {
    const two = teams[(n * 7 + 3) % teams.length]!
    if (one === two) continue
    const read = (title: string) =>
      describeReading(
        market('polymarket_us', 'x-1', {
          ...{ category: 'sports', tags: [league.toUpperCase()], eventTitle: `${one} vs ${two}`, title },
          metadata: { gameStartTime: '2026-05-10T18:00:00.000Z' },
        }),
      )
    const readings = [read(`Will ${one} win the ${two} vs ${one} game?`), read(`Will the ${two} beat the ${one}?`)]
    expect([one, two, ...readings]).toEqual([one, two, 'moneyline game one/two', 'moneyline game two/one'])
  }
})
