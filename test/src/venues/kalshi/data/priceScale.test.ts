import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ONE } from '#core/price'
import { yesPriceByEvidence } from '#venues/kalshi/data/priceScale'

test('the evidence never contradicts the true scale, and deep books nearly always give evidence', () => {
  const Cents = fc.noBias(fc.integer({ min: 1, max: 98 }))
  let decided = 0
  let books = 0
  fc.assert(
    fc.property(
      Cents,
      fc.array(Cents, { minLength: 20, maxLength: 30 }),
      fc.array(Cents, { minLength: 20, maxLength: 30 }),
      (bid, lower, higher) => {
        const bids = [bid, ...lower.filter((cents) => cents < bid)]
        const asks = [bid + 1, ...higher.filter((cents) => cents > bid)]
        const flat = (cents: number[]) => cents.flatMap((level) => [level * 10_000, 1])
        const mirrored = flat(asks).map((value, i) => (i % 2 === 0 ? ONE - value : value))
        const verdicts = [yesPriceByEvidence(flat(bids), flat(asks)), yesPriceByEvidence(flat(bids), mirrored)]
        expect(verdicts[0]).not.toBe(false)
        expect(verdicts[1]).not.toBe(true)
        books += 2
        decided += verdicts.filter((verdict) => verdict !== null).length
      },
    ),
    { numRuns: 2_000 },
  )
  expect(decided / books).toBeGreaterThan(0.8)
})

test('one side alone proves nothing', () => {
  expect(yesPriceByEvidence([], [10_000, 1])).toBeNull()
  expect(yesPriceByEvidence([10_000, 1], [])).toBeNull()
})
