import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Cluster,
  type ClusterMarket,
  clusterMarkets,
  type MatchEdge,
  type Override,
} from '#matching/cluster/cluster'
import { bandOf, type MatchResult, type Polarity } from '#matching/match'

const market = (key: string): ClusterMarket => ({ key, venue: key.split(':')[0] as string })
const result = (score: number, polarity: Polarity = 'same'): MatchResult => ({
  matchScore: score,
  matchBand: bandOf(score),
  matchDifferences: score === 100 ? [] : [{ kind: 'wording', detail: 'words differ here', points: 100 - score }],
  polarity,
  resolution: { compatible: true, reason: '', auditReasons: [] },
  resolutionEquivalence: 'unverified',
})
const edge = (a: string, b: string, score = 100, polarity: Polarity = 'same'): MatchEdge => ({
  a,
  b,
  result: result(score, polarity),
})
const keys = (clusters: readonly Cluster[]): string[][] =>
  clusters.map((each) => each.members.map((member) => member.key))
const three = ['a:1', 'b:1', 'c:1'].map(market)

describe('clusters', () => {
  test('joins markets over verified and minor pairs and leaves the others out', () => {
    const clusters = clusterMarkets(
      [...three, market('d:1')],
      [edge('a:1', 'b:1'), edge('b:1', 'c:1', 80), edge('c:1', 'd:1', 60)],
    )
    expect(keys(clusters)).toEqual([['a:1', 'b:1', 'c:1']])
    expect(clusters[0]?.id).toMatch(/^c_[0-9a-f]{20}$/)
  })

  test('holds at most one market per venue, the one with the highest score', () => {
    const clusters = clusterMarkets([...three, market('b:2')], [edge('a:1', 'b:1', 91), edge('a:1', 'b:2', 99)])
    expect(keys(clusters)).toEqual([['a:1', 'b:2']])
  })

  test('does not join two groups when one pair across them was found to differ', () => {
    const clusters = clusterMarkets(three, [edge('a:1', 'b:1'), edge('b:1', 'c:1', 92), edge('a:1', 'c:1', 30)])
    expect(keys(clusters)).toEqual([['a:1', 'b:1']])
  })

  test('calls the judge for members that were not compared', () => {
    const compared: string[] = []
    const comparePair = (a: string, b: string): MatchResult => {
      compared.push([a, b].sort().join())
      return result(20)
    }
    expect(keys(clusterMarkets(three, [edge('a:1', 'b:1'), edge('b:1', 'c:1')], [], [], { comparePair }))).toEqual([
      ['a:1', 'b:1'],
    ])
    expect(compared).toEqual(['a:1,c:1'])
  })

  test('carries polarity along a chain of pairs', () => {
    const [cluster] = clusterMarkets(three, [edge('a:1', 'b:1', 100, 'inverse'), edge('b:1', 'c:1', 99, 'inverse')])
    expect(cluster?.members.map((member) => member.polarity)).toEqual(['same', 'inverse', 'same'])
  })

  test('rejects a pair that would make a market its own opposite', () => {
    const clusters = clusterMarkets(three, [
      edge('a:1', 'b:1', 100),
      edge('b:1', 'c:1', 99),
      edge('a:1', 'c:1', 98, 'inverse'),
    ])
    expect(clusters.every((each) => each.members.length === 2)).toBe(true)
  })

  test('drops closed markets, and is removed when fewer than two are left', () => {
    const edges = [edge('a:1', 'b:1'), edge('b:1', 'c:1'), edge('a:1', 'c:1')]
    const [before] = clusterMarkets(three, edges)
    const closed = three.map((each) => (each.key === 'a:1' ? { ...each, closed: true } : each))
    const [after] = clusterMarkets(closed, edges, [], before === undefined ? [] : [before])
    expect(after?.members.map((member) => member.key)).toEqual(['b:1', 'c:1'])
    expect(after?.id).toBe(before?.id)
    expect(
      clusterMarkets(
        closed.map((each) => (each.key === 'b:1' ? { ...each, closed: true } : each)),
        edges,
      ),
    ).toEqual([])
  })
})

describe('operator overrides', () => {
  const pin: Override = { a: 'a:1', b: 'b:1', kind: 'pin', reason: 'read both rules', polarity: 'inverse' }
  const forbid: Override = { a: 'b:1', b: 'a:1', kind: 'forbid', reason: 'other cutoff' }

  test('pin a pair that the matcher rejected', () => {
    const [cluster] = clusterMarkets(three, [edge('a:1', 'b:1', 10)], [pin])
    expect(cluster?.members.map((member) => [member.key, member.polarity])).toEqual([
      ['a:1', 'same'],
      ['b:1', 'inverse'],
    ])
    expect(cluster?.edges).toEqual([
      { a: 'a:1', b: 'b:1', matchScore: 10, matchBand: 'hidden', polarity: 'inverse', pinned: 'read both rules' },
    ])
  })

  test('forbid a pair that the matcher verified, also when other markets connect it', () => {
    expect(clusterMarkets(three, [edge('a:1', 'b:1')], [forbid])).toEqual([])
    const around = clusterMarkets(three, [edge('a:1', 'c:1'), edge('b:1', 'c:1', 99)], [forbid])
    expect(keys(around)).toEqual([['a:1', 'c:1']])
  })

  test('apply the latest override when an operator changes it', () => {
    expect(clusterMarkets(three, [edge('a:1', 'b:1')], [forbid, pin])).toHaveLength(1)
    expect(clusterMarkets(three, [edge('a:1', 'b:1')], [pin, forbid])).toEqual([])
  })
})

describe('cluster ids', () => {
  test('keep the id when a member with a smaller key joins', () => {
    const [before] = clusterMarkets(three, [edge('b:1', 'c:1')])
    const [after] = clusterMarkets(
      three,
      [edge('b:1', 'c:1'), edge('a:1', 'b:1'), edge('a:1', 'c:1')],
      [],
      before === undefined ? [] : [before],
    )
    expect(after?.members).toHaveLength(3)
    expect(after?.id).toBe(before?.id)
  })

  test('keep the id for the larger part of a split, and create a new id for the other part', () => {
    const four = [...three, market('d:1'), market('e:1')]
    const all = four.flatMap((a) => four.filter((b) => a.key < b.key).map((b) => edge(a.key, b.key)))
    const [before] = clusterMarkets(four, all)
    const split: Override[] = ['c:1', 'd:1', 'e:1'].flatMap((b) =>
      ['a:1', 'b:1'].map((a): Override => ({ a, b, kind: 'forbid', reason: 'split' })),
    )
    const after = clusterMarkets(four, all, split, before === undefined ? [] : [before])
    expect(after.find((each) => each.members.length === 3)?.id).toBe(before?.id)
    expect(after.find((each) => each.members.length === 2)?.id).not.toBe(before?.id)
  })

  test('use the id of the larger cluster after a merge', () => {
    const four = [...three, market('d:1'), market('e:1')]
    const small = { id: 'c_small', members: [{ key: 'a:1' }, { key: 'b:1' }] }
    const large = { id: 'c_large', members: [{ key: 'c:1' }, { key: 'd:1' }, { key: 'e:1' }] }
    const all = four.flatMap((a) => four.filter((b) => a.key < b.key).map((b) => edge(a.key, b.key)))
    expect(clusterMarkets(four, all, [], [small, large])[0]?.id).toBe('c_large')
  })

  test('are unique and independent of input order, and every open market is in at most one cluster', () => {
    const ids = fc.constantFrom(...['a', 'b', 'c', 'd'].flatMap((venue) => [1, 2, 3].map((n) => `${venue}:${n}`)))
    const edges = fc.uniqueArray(
      fc
        .record({ a: ids, b: ids, score: fc.constantFrom(20, 60, 80, 92, 100), inverse: fc.boolean() })
        .filter(({ a, b }) => a < b),
      { selector: ({ a, b }) => `${a} ${b}`, maxLength: 25 },
    )
    fc.assert(
      fc.property(edges, fc.array(fc.nat(), { minLength: 25, maxLength: 25 }), (drawn, order) => {
        const markets = ['a', 'b', 'c', 'd'].flatMap((venue) => [1, 2, 3].map((n) => market(`${venue}:${n}`)))
        const list = drawn.map(({ a, b, score, inverse }) => edge(a, b, score, inverse ? 'inverse' : 'same'))
        const clusters = clusterMarkets(markets, list)
        const shuffled = list
          .map((each, at) => [order[at] ?? 0, each] as const)
          .sort((x, y) => x[0] - y[0])
          .map(([, each]) => each)
        expect(clusterMarkets([...markets].reverse(), shuffled)).toEqual(clusters)
        expect(clusterMarkets(markets, list, [], clusters)).toEqual(clusters)
        expect(new Set(clusters.map((each) => each.id)).size).toBe(clusters.length)
        const members = clusters.flatMap((each) => each.members.map((member) => member.key))
        expect(new Set(members).size).toBe(members.length)
        for (const each of clusters) {
          expect(each.members.length).toBeGreaterThan(1)
          expect(new Set(each.members.map((member) => member.venue)).size).toBe(each.members.length)
        }
      }),
      { numRuns: 300 },
    )
  })
})
