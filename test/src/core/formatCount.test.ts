import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatCount } from '#core/formatCount'

it('equals String for every count', () => {
  const near = fc.tuple(fc.nat(15), fc.integer({ min: -2, max: 2 })).map(([digits, by]) => 10 ** digits + by)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.maxSafeNat(),
        fc.nat(100_000),
        near.filter((count) => count >= 0),
      ),
      (count) => {
        expect(formatCount(count)).toBe(String(count))
      },
    ),
    { numRuns: 2_000 },
  )
})
