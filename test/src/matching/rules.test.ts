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

test('rules that agree change nothing, and never raise what titles contradict', () => {
  expect(compare(dated, 'Signed by June 30, 2027.', 'If signed by June 30, 2027, Yes.').matchBand).toBe('verified')
  const other = compareMarkets(
    { venue: 'north', marketId: 'a', title: dated, rules: 'Signed by June 30, 2027.' },
    { venue: 'south', marketId: 'b', title: dated.replace('June 30', 'July 31'), rules: 'Signed by June 30, 2027.' },
  )
  expect(other.matchBand).toBe('material')
})
