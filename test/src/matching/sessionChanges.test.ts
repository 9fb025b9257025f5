// Incremental runs give the same result as a new matcher with the same markets.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MatchInput, Override, PreviousCluster } from '#matching/candidateIndex'
import { IncrementalMatcher, type SessionAnswer } from '#matching/incrementalMatcher'
import { matchRun } from '#test/support/matchRun'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const venues = ['north', 'south', 'east', 'west']
/** The questions a market may have: some are the inverse of another, some imply another. */
const questions = [
  'Will Maria Keller win the 2027 Kroll Prize?',
  'Who will win the 2027 Kroll Prize: Maria Keller',
  'Will Maria Keller not win the 2027 Kroll Prize?',
  'Will Jonas Lind win the 2027 Kroll Prize?',
  'Will J. Lind win the 2027 Kroll Prize?',
  'Will Bitcoin be above $100,000 on December 22, 2026?',
  'Will the price of Bitcoin be above $110,000 on December 22, 2026?',
  'Bitcoin above $120,000 on December 22, 2026?',
]
const place = fc.record({ venue: fc.constantFrom(...venues), id: fc.integer({ min: 0, max: 5 }) })
const keyOf = ({ venue, id }: { venue: string; id: number }): string => `${venue}:${id}`

const step = fc.record({
  puts: fc.array(fc.record({ place, title: fc.constantFrom(...questions) }), { maxLength: 4 }),
  drops: fc.array(place, { maxLength: 2 }),
  words: fc.array(
    fc.record({
      a: place,
      b: place,
      kind: fc.constantFrom('pin' as const, 'forbid' as const),
      polarity: fc.constantFrom('same' as const, 'inverse' as const),
      reason: fc.constantFrom('read by hand', 'other cutoff'),
    }),
    { maxLength: 4 },
  ),
})

/** Enough markets that a few changes do not trigger a full run. */
const start = fc
  .array(fc.constantFrom(...questions), { minLength: 24, maxLength: 24 })
  .map((titles) => titles.map((title, at) => ({ place: { venue: venues[at % 4]!, id: Math.floor(at / 4) }, title })))

const previousOf = ({ clusters }: SessionAnswer): PreviousCluster[] =>
  clusters.map(({ id, members }) => ({
    id,
    members: members.map(({ venue, market_id }) => ({ key: `${venue}:${market_id}` })),
  }))

test('gives the clusters, ids and pairs of a new matcher after any changes of markets and overrides', () => {
  let [clusters, loose] = [0, 0]
  fc.assert(
    fc.property(start, fc.array(step, { minLength: 2, maxLength: 8 }), (first, steps) => {
      const session = new IncrementalMatcher()
      const listed = new Map<string, MatchInput>()
      let previous: PreviousCluster[] = []
      for (const [at, { puts, drops, words }] of [{ puts: first, drops: [], words: [] }, ...steps].entries()) {
        for (const each of drops) listed.delete(keyOf(each))
        session.drop(drops.map(keyOf))
        for (const { place: own, title } of puts) {
          const market = { venue: own.venue, marketId: String(own.id), title, rules: 'By the list.' }
          listed.set(keyOf(own), market)
          session.put([market])
        }
        const overrides = words
          .filter(({ a, b }) => a.venue !== b.venue)
          .map(({ a, b, ...word }): Override => ({ a: keyOf(a), b: keyOf(b), ...word }))
        const answer = session.run({ previous, overrides, full: false, now: 1_700_000_000_000 })
        const fresh = new IncrementalMatcher()
        fresh.put([...listed.values()])
        const expected = fresh.run({ previous, overrides, full: true, now: 1_700_000_000_000 })
        expect(answer.clusters, `run ${at}`).toEqual(expected.clusters)
        expect(answer.pairs, `run ${at}`).toEqual(expected.pairs)
        if (at === steps.length) {
          // Grouped in one run rather than incrementally.
          const whole = matchRun([...listed.values()], { previous, overrides }).clusters
          expect(previousOf(answer)).toEqual(
            whole.map(({ id, members }) => ({ id, members: members.map(({ key }) => ({ key })) })),
          )
        }
        clusters += answer.clusters.length
        loose += answer.pairs.filter(({ cluster_id }) => cluster_id === null).length
        previous = previousOf(answer)
      }
    }),
    { numRuns: long ? 300 : 10 },
  )
  expect(clusters).toBeGreaterThan(10)
  expect(loose).toBeGreaterThan(10)
}, 600_000)
