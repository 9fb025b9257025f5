// Two teams as outcomes do not make a market about the winner of the game: other questions are excluded.
// Also the totals and margins that are expressed in words.
import { expect, it } from 'vitest'
import { market } from './markets.ts'
import { describeReading } from './venueMetadata.ts'

const at = { gameStartTime: '2026-05-10T18:00:00.000Z' }
const ofNba = (title: string, labels?: string[]): string =>
  describeReading(
    market('polymarket', 'x-1', {
      ...{ category: 'Sports', tags: ['NBA'], eventTitle: 'Dallas Mavericks vs. Cleveland Cavaliers', title },
      metadata: at,
      ...(labels === undefined ? {} : { labels }),
    }),
  )

it.each([
  ['Round 1 Winner', 'market_type'],
  ['Pistol Round Winner', 'market_type'],
  ['Overtime?', 'market_type'],
  ['Regulation Winner', 'market_type'],
  ['Series Winner', 'market_type'],
  ['Fight to go the distance', 'market_type'],
  ['To lift the trophy', 'market_type'],
  ['Most rebounds', 'market_type'],
  ['Longest run', 'market_type'],
  ['Moneyline', 'moneyline game one/two'],
  ['1H Moneyline', 'moneyline half_1 one/two'],
  ['First Half', 'moneyline half_1 one/two'],
  ['Q1 Winner', 'moneyline quarter_1 one/two'],
  ['Game 1', 'moneyline game one/two'],
])('teams as outcomes: %s', (title, read) => {
  const teams = ['Mavericks', 'Cavaliers']
  expect(ofNba(title, teams)).toBe(read)
  const meeting = `Dallas Mavericks vs. Cleveland Cavaliers: ${title}`
  if (title !== 'Longest run') expect(ofNba(meeting, teams)).toBe(read)
})

it.each([
  'First Round: Dallas Mavericks vs. Cleveland Cavaliers',
  'Dallas Mavericks vs. Cleveland Cavaliers',
  'Dallas Mavericks vs. Cleveland Cavaliers - Champions Cup',
])('the game itself: %s', (title) => expect(ofNba(title, ['Mavericks', 'Cavaliers'])).toBe('moneyline game one/two'))

it.each([
  'Will the Mavericks win the series against the Cavaliers?',
  'Will the Mavericks win in regulation?',
  'Will the Mavericks win by decision?',
])('more than a win: %s', (title) => expect(ofNba(title)).toBe('market_type'))

it.each([
  ['Game 3 Winner', 'market_type'],
  ['Map 2 Winner', 'moneyline map_2 one/two'],
  ['Set 1', 'moneyline set_1 one/two'],
])('a part of an unknown sport: %s', (title, read) =>
  expect(
    describeReading(
      market('polymarket', 'x-1', {
        ...{ category: 'Sports', eventTitle: 'Alpha vs Omega (BO5)', title, labels: ['Alpha', 'Omega'] },
        metadata: at,
      }),
    ),
  ).toBe(read),
)

it.each([
  ['Dallas vs Cleveland total 220 or fewer?', 'total game 220.5 under/over'],
  ['Dallas vs Cleveland total points over 220?', 'total game 220.5 over/under'],
  ['Dallas vs Cleveland total points under 220?', 'total game 219.5 under/over'],
  ['Dallas vs Cleveland total 220.5 or fewer?', 'total game 220.5 under/over'],
])('the total expressed in words: %s', (title, read) => expect(ofNba(title)).toBe(read))

it('a total that may be a push stays whole', () =>
  expect(ofNba('Dallas Mavericks vs. Cleveland Cavaliers: O/U 220', ['Over', 'Under'])).toBe(
    'total game 220 over/under',
  ))

it.each([
  ['Dallas wins by at least 3', -2.5],
  ['Dallas wins by more than 2', -2.5],
  ['Dallas wins by over 2', -2.5],
  ['Dallas wins by over 2.5', -2.5],
])('the margin expressed in words: %s', (title, line) =>
  expect(
    describeReading(
      market('polymarket', 'x-1', {
        ...{ category: 'Sports', tags: ['NBA'], eventTitle: 'Dallas Mavericks vs. Cleveland Cavaliers', title },
        metadata: { ...at, sportsMarketType: 'spreads' },
      }),
    ),
  ).toBe(`spread game ${line} one/two`),
)
