// Round ids, with Chainlink's own examples and manual arithmetic.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aggregatorRoundOf, earlierRounds, phaseOf } from '#marketData/feeds/chainlink/roundIds'

it.each([
  ['92233720368547771158', 5n, 13_078n],
  ['92233720368547758081', 5n, 1n],
  ['73786976294838206465', 4n, 1n],
  // From Chainlink's page on historical data.
  ['18446744073709551978', 1n, 362n],
  ['36893488147419106612', 2n, 3_380n],
])('%s is of phase %s, round %s', (id, phase, round) => {
  expect([phaseOf(BigInt(id)), aggregatorRoundOf(BigInt(id))]).toEqual([phase, round])
})

it('iterates down to round 1 of its phase and not below', () => {
  expect(earlierRounds(92233720368547758084n, 50)).toEqual([
    92233720368547758083n,
    92233720368547758082n,
    92233720368547758081n,
  ])
  expect(earlierRounds(92233720368547758081n, 50)).toEqual([])
  expect(earlierRounds(5n << 64n, 50)).toEqual([])
  fc.assert(
    fc.property(fc.bigInt(0n, (1n << 80n) - 1n), fc.integer({ min: 0, max: 50 }), (id, count) => {
      const below = earlierRounds(id, count)
      const length = Math.min(count, Math.max(0, Number(aggregatorRoundOf(id)) - 1))
      expect(below).toEqual(Array.from({ length }, (_, n) => id - BigInt(n + 1)))
      expect(below.every((each) => phaseOf(each) === phaseOf(id) && aggregatorRoundOf(each) >= 1n)).toBe(true)
    }),
  )
})
