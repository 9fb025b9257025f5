import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bestOf } from '#arbitrage/topK'

it('the best few are the first of all in order, whatever comes and in whatever order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.integer({ min: 0, max: 40 }), (items, limit) => {
      const order = (a: number, b: number): number => b - a
      expect(bestOf(items, limit, order)).toEqual([...items].sort(order).slice(0, limit))
    }),
  )
})
