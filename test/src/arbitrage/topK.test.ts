import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bestOf } from '#arbitrage/topK'

it('returns the first items of the sorted list, in whatever order they arrive', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.integer({ min: 0, max: 40 }), (items, limit) => {
      const order = (a: number, b: number): number => b - a
      expect(bestOf(items, limit, order)).toEqual([...items].sort(order).slice(0, limit))
    }),
  )
})
