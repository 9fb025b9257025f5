import { expect, test } from 'vitest'
import type { MatchInput } from '#matching/input'
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

test('a run finds the clusters of a small catalog, and keeps no hidden pair', () => {
  const run = matchRun(markets)
  expect(run.clusters.map((each) => each.members.map((member) => member.key)).sort()).toEqual([
    ['east:1', 'north:1', 'south:1'],
    ['north:2', 'south:2'],
  ])
  expect(run.edges.every((edge) => edge.result.matchBand !== 'hidden')).toBe(true)
  expect(Object.values(run.bands).reduce((sum, count) => sum + count, 0)).toBe(run.compared)
})

test('a run over what changed gives what a full run gives', () => {
  const before = matchRun(markets.slice(0, 4))
  const full = matchRun(markets, { previous: before.clusters })
  const partial = matchRun(markets, { previous: before.clusters, edges: before.edges, changed: ['south:2', 'south:3'] })
  expect(partial.clusters).toEqual(full.clusters)
  expect(partial.compared).toBeLessThan(full.compared)
})

test('a closed market leaves its cluster and the cluster keeps its id', () => {
  const before = matchRun(markets)
  const after = matchRun(markets, { previous: before.clusters, closed: ['east:1'] })
  const trio = before.clusters.find((each) => each.members.length === 3)
  expect(after.clusters.find((each) => each.id === trio?.id)?.members.map((member) => member.key)).toEqual([
    'north:1',
    'south:1',
  ])
})

test('a forbidden pair is apart whatever the matcher says', () => {
  const run = matchRun(markets, { overrides: [{ a: 'north:2', b: 'south:2', kind: 'forbid', reason: 'other cutoff' }] })
  expect(run.clusters).toHaveLength(1)
})
