import { expect, test } from 'vitest'
import { compareMarkets } from '#matching/compare'

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
])('rules that contradict each other lower what equal titles would verify: %s', (_, text, one, other) => {
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
])('what becomes of %s is read from both', (_, text, one, other, detail) => {
  const found = compare(text, one, other)
  expect(found).toMatchObject({ matchBand: 'minor', polarity: 'same', resolutionEquivalence: 'unverified' })
  expect(found.matchDifferences[0]).toMatchObject({ kind: 'rules', detail: `rules: ${detail} on south` })
  expect(compare(text, one, one.replace('this market', 'it')).matchBand).toBe('verified')
})

test('a deadline that only the rules of one name is held against the title of the other', () => {
  expect(compare(dated, '', 'Resolves to Yes if signed by December 31, 2027.').matchBand).toBe('verified')
  const found = compare(dated, 'By the official journal.', 'Resolves to Yes if signed by December 31, 2027.')
  expect(found.matchBand).toBe('minor')
  expect(found.matchDifferences[0]?.detail).toBe('rules: by 2027-06-30 on north, by 2027-12-31 on south')
})

test('rules that agree change nothing, and never raise what titles contradict', () => {
  expect(compare(dated, 'Signed by June 30, 2027.', 'If signed by June 30, 2027, Yes.').matchBand).toBe('verified')
  const other = compareMarkets(
    { venue: 'north', marketId: 'a', title: dated, rules: 'Signed by June 30, 2027.' },
    { venue: 'south', marketId: 'b', title: dated.replace('June 30', 'July 31'), rules: 'Signed by June 30, 2027.' },
  )
  expect(other.matchBand).toBe('material')
})
