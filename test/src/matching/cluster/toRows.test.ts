import { expect, test } from 'vitest'
import type { MatchEdge } from '#matching/cluster/cluster'
import { PairStore } from '#matching/cluster/pairStore'
import { toRows } from '#matching/cluster/toRows'
import type { MatchInput } from '#matching/read/input'
import { matchRun } from '#test/support/matchRun'

test('stores all 130,000 pairs that are in no cluster', () => {
  const at = (venue: string, strike: number): MatchInput => ({
    venue,
    marketId: String(strike),
    title: `Will the price of Bitcoin be above $${strike} on December 22, 2026?`,
  })
  const run = matchRun([at('north', 100_000), at('south', 110_000)])
  const [edge] = run.edges as Required<MatchEdge>[]
  expect(edge).toMatchObject({ relation: 'superset' })
  const inputs = new Map<string, MatchInput>()
  const edges = Array.from({ length: 130_000 }, (_, index): Required<MatchEdge> => {
    const [a, b] = [`north:${index}`, `south:${index}`]
    inputs.set(a, { ...at('north', 1), marketId: String(index) })
    inputs.set(b, { ...at('south', 1), marketId: String(index) })
    return { ...edge!, a, b }
  })
  const pairStore = new PairStore()
  const touched = inputs.keys()
  const venueOf = (key: string): string | undefined => inputs.get(key)?.venue
  pairStore.update({ touched, edges, overrides: [], venueOf, comparePair: (a, b) => run.compare(a, b).result })
  expect(toRows(pairStore, { inputs, previous: [], comparePair: run.compare }).pairs).toHaveLength(130_000)
})
