import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IncrementalMatcher } from '#matching/incrementalMatcher'
import type { MatchInput } from '#matching/read/input'

const at = (venue: string, marketId: string, title: string): MatchInput => ({
  venue,
  marketId,
  title,
  rules: 'By the list of the prize.',
})
const people = ['Maria Keller', 'Jonas Lind', 'Ada Berg', 'Olu Ade', 'Kim Park']
const prizes = ['Kroll Prize', 'Hale Medal']
const listed = ['north', 'south', 'east'].flatMap((venue) =>
  people.flatMap((person, p) =>
    prizes.map((prize, z) => at(venue, `${p}${z}`, `Will ${person} win the 2027 ${prize}?`)),
  ),
)
const none = { previous: [], overrides: [], full: false, now: 1_700_000_000_000 }

test('gives the same result for any order and batching of the markets', () => {
  const expected = new IncrementalMatcher()
  expected.put(listed)
  const { clusters, pairs } = expected.run(none)
  expect(clusters).toHaveLength(10)
  fc.assert(
    fc.property(
      fc.shuffledSubarray(listed, { minLength: listed.length }),
      fc.integer({ min: 1, max: 30 }),
      (rows, size) => {
        const session = new IncrementalMatcher()
        for (let from = 0; from < rows.length; from += size) session.put(rows.slice(from, from + size))
        const answer = session.run(none)
        expect(answer.clusters).toEqual(clusters)
        expect(answer.pairs).toEqual(pairs)
      },
    ),
    { numRuns: 20 },
  )
})

test('gives the same result for incremental changes as for a new matcher with all markets', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ row: fc.integer({ min: 0, max: listed.length - 1 }), present: fc.boolean() }), {
        minLength: 1,
        maxLength: 40,
      }),
      fc.integer({ min: 1, max: 5 }),
      (changes, perRun) => {
        const session = new IncrementalMatcher()
        session.put(listed)
        let last = session.run(none)
        const present = new Set(listed)
        for (const [index, { row, present: stays }] of changes.entries()) {
          const market = listed[row]!
          if (stays) {
            present.add(market)
            session.put([market])
          } else {
            present.delete(market)
            session.drop([`${market.venue}:${market.marketId}`])
          }
          if (index % perRun === 0) last = session.run(none)
        }
        last = session.run(none)
        const rebuilt = new IncrementalMatcher()
        rebuilt.put([...present])
        const whole = rebuilt.run(none)
        expect(last.clusters).toEqual(whole.clusters)
        expect(last.pairs).toEqual(whole.pairs)
      },
    ),
    { numRuns: 30 },
  )
})

test('stores a pair once, the smaller venue first, with points that add up to its score', () => {
  const session = new IncrementalMatcher()
  session.put(listed)
  session.put([
    at('north', 'btc', 'Will the price of Bitcoin be above $100,000 on December 22, 2026?'),
    at('east', 'btc', 'Will the price of Bitcoin be above $110,000 on December 22, 2026?'),
  ])
  const { pairs, counts } = session.run(none)
  const keys = pairs.map((pair) => [pair.a_venue, pair.a_market_id, pair.b_venue, pair.b_market_id].join(' '))
  expect(new Set(keys).size).toBe(pairs.length)
  for (const pair of pairs) {
    expect(pair.a_venue < pair.b_venue).toBe(true)
    expect(pair.differences.reduce((sum, { points }) => sum + points, 0)).toBe(100 - pair.score!)
  }
  expect(pairs.find(({ cluster_id }) => cluster_id === null)).toMatchObject({
    a_venue: 'east',
    relation: 'subset',
    band: 'material',
  })
  expect(counts).toMatchObject({ clusters: 10, members: 30, verified: 30, material: 1 })
})

test('stores a forbidden pair but does not join it', () => {
  const session = new IncrementalMatcher()
  session.put(listed.filter(({ venue }) => venue !== 'east'))
  const { clusters, pairs } = session.run({
    ...none,
    overrides: [{ a: 'south:00', b: 'north:00', kind: 'forbid', reason: 'no' }],
  })
  expect(clusters).toHaveLength(9)
  expect(pairs.filter(({ override }) => override === 'forbidden')).toMatchObject([
    { cluster_id: null, band: 'verified' },
  ])
})
