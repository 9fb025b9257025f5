import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignPartitions } from '#actors/ingest/owner/partitionAssignment'
import { listLeases } from '#schemas/parts'

const venues = ['polymarket', 'kalshi', 'gemini', 'hyperliquid', 'polymarket_us']
const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 7 })

test('gives every venue one process and each process at most its even share, independent of the order of the list', () => {
  fc.assert(
    fc.property(ids, (names) => {
      const shares = assignPartitions(names.map((id) => ({ id, venues })))
      expect([...shares.keys()].sort()).toEqual([...venues].sort())
      for (const id of names) {
        const has = [...shares.values()].filter((owner) => owner === id).length
        expect(has).toBeLessThanOrEqual(Math.ceil(venues.length / names.length))
      }
      const reversed = assignPartitions([...names].reverse().map((id) => ({ id, venues: [...venues].reverse() })))
      expect(new Map([...reversed].sort())).toEqual(new Map([...shares].sort()))
    }),
  )
})

test('assigns a process only venues that it can feed', () => {
  const shares = assignPartitions([
    { id: 'a', venues: ['kalshi'] },
    { id: 'b', venues: ['kalshi', 'gemini', 'polymarket'] },
  ])
  expect(Object.fromEntries(shares)).toEqual({ kalshi: 'a', gemini: 'b', polymarket: 'b' })
})

test('spreads the parts of a venue over the processes, two to one only when there are more parts than processes', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 2, max: 6 }), (names, count) => {
      const parts = listLeases('kalshi', count)
      const all = ['polymarket', 'gemini', ...parts]
      const shares = assignPartitions(names.map((id) => ({ id, venues: all })))
      expect([...shares.keys()].sort()).toEqual([...all].sort())
      for (const id of names) {
        const has = (leases: readonly string[]) => leases.filter((lease) => shares.get(lease) === id).length
        expect(has(all)).toBeLessThanOrEqual(Math.ceil(all.length / names.length))
        expect(has(parts)).toBeLessThanOrEqual(Math.ceil(count / names.length))
      }
    }),
  )
})

test('gives processes that divide a venue differently their own division of it', () => {
  const shares = assignPartitions([
    { id: 'a', venues: ['kalshi'] },
    { id: 'b', venues: ['kalshi#1/2', 'kalshi#2/2'] },
  ])
  expect(Object.fromEntries(shares)).toEqual({ kalshi: 'a', 'kalshi#1/2': 'b', 'kalshi#2/2': 'b' })
})
