import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Corpus } from '#matching/block/corpus'
import { IncrementalMatcher } from '#matching/incrementalMatcher'
import { type MatchInput, marketKey } from '#matching/read/input'
import { generateMarkets } from '#test/bench/syntheticMarkets'
import { matchRun } from '#test/support/matchRun'

const at = (venue: string, marketId: string, title: string): MatchInput => ({ venue, marketId, title })
const markets: MatchInput[] = [
  at('north', '1', 'Will Maria Keller win the 2027 Kroll Prize?'),
  at('south', '1', 'Will Maria Keller win the 2027 Kroll Prize?'),
  at('east', '1', 'Who will win the 2027 Kroll Prize: Maria Keller'),
  at('north', '2', 'Will Jonas Lind win the 2027 Kroll Prize?'),
  at('south', '2', 'Will Jonas Lind win the 2027 Kroll Prize?'),
  at('south', '3', 'Will Ohio legalize mead by June 30, 2027?'),
]

test('finds the clusters of a small catalog and keeps no hidden pair', () => {
  const run = matchRun(markets)
  expect(run.clusters.map((each) => each.members.map((member) => member.key)).sort()).toEqual([
    ['east:1', 'north:1', 'south:1'],
    ['north:2', 'south:2'],
  ])
  expect(run.edges.every((edge) => edge.result.matchBand !== 'hidden')).toBe(true)
  expect(Object.values(run.bands).reduce((sum, count) => sum + count, 0)).toBe(run.compared)
})

test('gives the same result for an incremental run as for a full run', () => {
  const before = matchRun(markets.slice(0, 4))
  const full = matchRun(markets, { previous: before.clusters })
  const partial = matchRun(markets, { previous: before.clusters, edges: before.edges, changed: ['south:2', 'south:3'] })
  expect(partial.clusters).toEqual(full.clusters)
  expect(partial.compared).toBeLessThan(full.compared)
})

test('removes a closed market from its cluster and keeps the cluster id', () => {
  const before = matchRun(markets)
  const after = matchRun(markets, { previous: before.clusters, closed: ['east:1'] })
  const trio = before.clusters.find((each) => each.members.length === 3)
  expect(after.clusters.find((each) => each.id === trio?.id)?.members.map((member) => member.key)).toEqual([
    'north:1',
    'south:1',
  ])
})

test('keeps a forbidden pair apart regardless of its score', () => {
  const run = matchRun(markets, { overrides: [{ a: 'north:2', b: 'south:2', kind: 'forbid', reason: 'other cutoff' }] })
  expect(run.clusters).toHaveLength(1)
})

const shares = fc.record({
  seed: fc.integer({ min: 1, max: 1_000 }),
  venues: fc.integer({ min: 2, max: 16 }),
  people: fc.integer({ min: 3, max: 30 }),
  again: fc.uniqueArray(fc.integer({ min: 0, max: 79 }), { minLength: 1, maxLength: 24 }),
})

test('finds the same pairs for re-added unchanged markets as a new matcher does', () => {
  let compared = 0
  fc.assert(
    fc.property(shares, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60 }), (share, k, common) => {
      const markets = generateMarkets(80, share).markets.sort((a, b) => (marketKey(a) < marketKey(b) ? -1 : 1))
      const known = new Corpus(markets, { k, common })
      const pairs = (keys: readonly string[], all: boolean): string[] =>
        known.compare(keys, () => true, all).edges.map(({ a, b }) => `${a} ${b}`)
      const whole = pairs(markets.map(marketKey), true).sort()
      const again = new Set(share.again.map((at) => marketKey(markets[at]!)))
      for (const market of markets) if (again.has(marketKey(market))) known.put({ ...market })
      const found = pairs([...again].sort(), false).sort()
      compared += found.length
      expect(found).toEqual(whole.filter((pair) => pair.split(' ').some((key) => again.has(key))))
    }),
    { numRuns: 25 },
  )
  expect(compared).toBeGreaterThan(20)
})

test('returns the same result after unchanged markets are re-added, equal to that of a new matcher', () => {
  fc.assert(
    fc.property(shares, (share) => {
      const { markets } = generateMarkets(80, share)
      const run = { previous: [], overrides: [], full: false, now: 1_800_000_000_000 }
      const session = new IncrementalMatcher()
      session.put(markets)
      const { clusters, pairs } = session.run(run)
      session.put(share.again.map((at) => ({ ...markets[at]! })))
      expect(session.run(run)).toMatchObject({ clusters, pairs, counts: { changed: share.again.length } })
      const fresh = new IncrementalMatcher()
      fresh.put(markets)
      expect(fresh.run(run)).toMatchObject({ clusters, pairs })
    }),
    { numRuns: 8 },
  )
})
