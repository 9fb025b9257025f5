import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backoffMs } from '#core/backoff'

it('grows to its cap and stays between half and the whole of the ceiling', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
      const ceiling = Math.min(30_000, 250 * 2 ** attempt)
      const delay = backoffMs(attempt, { baseMs: 250, capMs: 30_000 }, () => random)
      expect(delay).toBeGreaterThanOrEqual(Math.floor(ceiling / 2))
      expect(delay).toBeLessThanOrEqual(ceiling)
    }),
  )
})
