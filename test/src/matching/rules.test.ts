import { expect, test } from 'vitest'
import { compareMarkets } from '#matching/compare/compare'

const title = 'Will Maria Keller win the 2027 Kroll Prize?'
const dated = 'Will Ohio legalize mead by June 30, 2027?'
const compare = (text: string, one: string, other: string) =>
  compareMarkets(
    { venue: 'north', marketId: 'a', title: text, rules: one },
    { venue: 'south', marketId: 'b', title: text, rules: other },
  )

test.each([
  ['a tie', title, 'A tie resolves 50-50.', 'If the prize is postponed, the market resolves to No.'],
  [
    'a deadline',
    dated,
    'Resolves to Yes if signed by June 30, 2027.',
    'Resolves to Yes if signed by December 31, 2027.',
  ],
])('lowers the band of equal titles when their rules contradict each other: %s', (_, text, one, other) => {
  const found = compare(text, one, other)
  expect(found).toMatchObject({ matchBand: 'minor', resolutionEquivalence: 'unverified' })
  expect(found.matchDifferences[0]).toMatchObject({ kind: 'rules' })
})

const game = 'Will Atlanta win the Atlanta vs Boston professional baseball game on August 9, 2026?'
const official =
  'In the event of a tie, this market will resolve according to the official winner as determined by the league.'
const alphabet =
  'If multiple winners are announced, the market will resolve to the one whose last name comes first alphabetically.'
const halved = 'If the game is canceled entirely, with no make-up game, this market will resolve 50-50.'
const fair = 'If the game is canceled, the market will settle at the last fair market price.'
const open = 'If the game is postponed, this market will remain open until the game has been completed.'
const refused = 'If the game is postponed, this market resolves to "No".'

test.each([
  [
    'who wins a tie',
    title,
    official,
    alphabet,
    'a tie is decided by the official tie-break on north and the first by alphabet',
  ],
  [
    'a game that is not played',
    game,
    halved,
    fair,
    'a cancellation is split in halves on north and the last fair price',
  ],
  ['a game that is moved', game, open, refused, 'a postponement is left open on north and No'],
  [
    'a prize without a winner',
    title,
    'If no prize is awarded, this market resolves 50-50.',
    'If no winner is announced by December 31, 2027, this market resolves to "No".',
    'an award without a winner is split in halves on north and No',
  ],
  [
    'a decision between meetings',
    'Will the Fed cut rates in January 2027?',
    'If rates are cut at any point, including intermeeting cuts, then this market resolves to Yes.',
    'Resolves to Yes if the range is cut at its January 26-27, 2027 meeting.',
    'the decision is any, between meetings too on north and that of one meeting',
  ],
])('compares the rules about %s', (_, text, one, other, detail) => {
  const found = compare(text, one, other)
  expect(found).toMatchObject({ matchBand: 'minor', polarity: 'same', resolutionEquivalence: 'unverified' })
  expect(found.matchDifferences[0]).toMatchObject({ kind: 'rules', detail: `rules: ${detail} on south` })
  expect(compare(text, one, one.replace('this market', 'it')).matchBand).toBe('verified')
})

const leaves = 'Will Rolf Egger be out as Prime Minister of Portugal by December 31, 2027?'
const wins = 'Will Ida Brandt win Best Actress at the 2027 Oscars?'
test.each([
  [
    'an announcement',
    leaves,
    'An announcement of his resignation counts.',
    'An announcement of a resignation alone will not count.',
  ],
  [
    'an announcement that settles at once',
    leaves,
    'An official announcement of his resignation will immediately resolve this market to "Yes".',
    'The announcement of a resignation does not qualify.',
  ],
  [
    'a death',
    leaves,
    'If Rolf Egger dies, the market resolves to the last fair price before death.',
    'Resolves to Yes if he ceases to be Prime Minister for any reason, his death among them.',
  ],
  [
    'a visit',
    'Will Ida Brandt visit China by December 31, 2027?',
    'Visiting Hong Kong counts.',
    'A visit to Hong Kong or Macau does not count.',
  ],
  [
    'two winners',
    wins,
    'If there is a tie, the market resolves 50-50.',
    'If there is a tie, both winners resolve to Yes.',
  ],
  [
    'a day that is moved',
    wins,
    'If the ceremony is not held by March 31, 2027 this market resolves to No.',
    'If the ceremony is postponed, the market remains open.',
  ],
  [
    'a runoff',
    'Will Ida Brandt win the 2027 Hamburg mayoral election?',
    'Resolves to No if a runoff is needed.',
    'This market includes any potential second round.',
  ],
  [
    'the map',
    'Will Orland capture Tarn by December 31, 2027?',
    'Resolves by the map of ISW.',
    'Resolves by the DeepState map.',
  ],
  [
    'the series',
    'Will unemployment be above 4.5% in October 2027?',
    'The BLS figure U-3 is read.',
    'The BLS figure U-6 is read.',
  ],
  [
    'the chart',
    'Will "Blue" be #1 on Spotify on November 30, 2027?',
    'The Spotify Global chart is read.',
    'The Spotify US chart is read.',
  ],
  [
    'the estimate',
    'Will US GDP growth in Q3 2027 be above 2%?',
    'The advance estimate of the BEA is read.',
    'The third estimate of the BEA is read.',
  ],
  [
    'the time played',
    'Chelsea vs Leeds on December 5, 2027: Chelsea wins?',
    'The result after 90 minutes plus stoppage time decides.',
    'The result includes extra time and penalties.',
  ],
  [
    'the round',
    'Will Ida Brandt win the 2027 Hamburg mayoral election?',
    'Resolves to the winner of the first round.',
    'This market includes any potential second round.',
  ],
  [
    'who says so',
    'Will there be a recession in 2027?',
    'Resolves to Yes if the NBER declares a recession.',
    'A recession is two consecutive quarters of negative growth.',
  ],
])('does not verify a pair when only one side counts %s', (_, text, one, other) => {
  const asOf = Date.UTC(2027, 0, 2)
  const market = (venue: string, rules: string) => ({ venue, marketId: 'a', title: text, rules })
  const found = compareMarkets(market('north', one), market('south', other), asOf)
  expect(found.matchBand).toBe('minor')
  expect(compareMarkets(market('north', one), market('south', one), asOf).matchBand).toBe('verified')
})

test('compares a deadline in the rules of one market with the title of the other', () => {
  expect(compare(dated, '', 'Resolves to Yes if signed by December 31, 2027.').matchBand).toBe('verified')
  const found = compare(dated, 'By the official journal.', 'Resolves to Yes if signed by December 31, 2027.')
  expect(found.matchBand).toBe('minor')
  expect(found.matchDifferences[0]?.detail).toBe('rules: by 2027-06-30 on north, by 2027-12-31 on south')
})

test('changes nothing when rules agree, and does not raise the band of contradicting titles', () => {
  expect(compare(dated, 'Signed by June 30, 2027.', 'If signed by June 30, 2027, Yes.').matchBand).toBe('verified')
  const other = compareMarkets(
    { venue: 'north', marketId: 'a', title: dated, rules: 'Signed by June 30, 2027.' },
    { venue: 'south', marketId: 'b', title: dated.replace('June 30', 'July 31'), rules: 'Signed by June 30, 2027.' },
  )
  expect(other.matchBand).toBe('material')
})
