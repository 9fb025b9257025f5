import fc from 'fast-check'
import { expect, test } from 'vitest'
import { share } from '#actors/ingest/owner/share'

const venues = ['polymarket', 'kalshi', 'gemini', 'hyperliquid', 'polymarket_us']
const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 7 })

test('every venue has one process, nobody more than its even share, and all agree whatever order they read the list in', () => {
  fc.assert(
    fc.property(ids, (names) => {
      const shares = share(names.map((id) => ({ id, venues })))
      expect([...shares.keys()].sort()).toEqual([...venues].sort())
      for (const id of names) {
        const has = [...shares.values()].filter((owner) => owner === id).length
        expect(has).toBeLessThanOrEqual(Math.ceil(venues.length / names.length))
      }
      const reversed = share([...names].reverse().map((id) => ({ id, venues: [...venues].reverse() })))
      expect(new Map([...reversed].sort())).toEqual(new Map([...shares].sort()))
    }),
  )
})

test('a process is given only what it can feed', () => {
  const shares = share([
    { id: 'a', venues: ['kalshi'] },
    { id: 'b', venues: ['kalshi', 'gemini', 'polymarket'] },
  ])
  expect(Object.fromEntries(shares)).toEqual({ kalshi: 'a', gemini: 'b', polymarket: 'b' })
})
