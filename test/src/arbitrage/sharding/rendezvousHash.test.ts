import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusterOfKey, ownerOf } from '#arbitrage/sharding/rendezvousHash'

const clusters = Array.from({ length: 4_000 }, (_, i) => `m_${i.toString(36)}`)
const shares = (members: readonly string[]): Map<string, number> => {
  const counts = new Map(members.map((member) => [member, 0]))
  for (const cluster of clusters) {
    const owner = ownerOf(members, cluster)!
    counts.set(owner, counts.get(owner)! + 1)
  }
  return counts
}

describe('the assignment of clusters', () => {
  it('does not depend on the order of the members', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }),
        fc.string(),
        (ids, cluster) => {
          expect(ownerOf([...ids].reverse(), cluster)).toBe(ownerOf(ids, cluster))
        },
      ),
    )
  })

  it('gives each member a fair share', () => {
    for (const count of [2, 3, 5]) {
      const members = Array.from({ length: count }, (_, i) => `gw-${1_000 + i}-abc.${i}`)
      for (const share of shares(members).values()) {
        expect(share).toBeGreaterThan((clusters.length / count) * 0.85)
        expect(share).toBeLessThan((clusters.length / count) * 1.15)
      }
    }
  })

  it('moves only the share of a member that leaves', () => {
    const members = ['a', 'b', 'c', 'd']
    for (const cluster of clusters) {
      const before = ownerOf(members, cluster)
      if (before !== 'd') expect(ownerOf(['a', 'b', 'c'], cluster)).toBe(before)
    }
  })

  it('has no owner without members', () => {
    expect(ownerOf([], 'x')).toBeNull()
  })

  it('finds the cluster id in a row key, even if the id contains colons', () => {
    expect(clusterOfKey('q:1:kalshi:polymarket')).toBe('q:1')
    expect(clusterOfKey('plain:kalshi:polymarket')).toBe('plain')
  })
})
