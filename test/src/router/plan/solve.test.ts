import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VenueOffer } from '#router/plan/offer'
import { singleSize, solve, type Wanted } from '#router/plan/solve'
import { newWork, stepsMax } from '#router/plan/work'
import { bruteForce, curvesOf, feeModels, isBetter, offer, settlementFees } from '#test/support/router'

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

const Offers = (isBuy: boolean, levelsMax: number, unitsMax: number): fc.Arbitrary<VenueOffer> =>
  fc
    .record({
      first: isBuy ? fc.integer({ min: 20, max: 70 }) : fc.integer({ min: 30, max: 80 }),
      levels: fc.array(
        fc.record({ gap: fc.integer({ min: 0, max: 4 }), units: fc.integer({ min: 1, max: unitsMax }) }),
        {
          minLength: 1,
          maxLength: levelsMax,
        },
      ),
      step: fc.constantFrom(1, 1, 2, 3, 5, 10),
      least: fc.integer({ min: 1, max: 3 }),
      fee: fc.constantFrom(...feeModels),
      settlementFee: fc.constantFrom(...settlementFees),
      minimumMicros: fc.constantFrom(0, 0, 30_000),
      minimumOtherMicros: fc.constantFrom(0, 0, 0, 20_000),
      worstMicros: fc.constantFrom(null, null, 500_000),
      isLimited: fc.boolean(),
    })
    .map(({ first, levels, step, least, isLimited, ...rest }) => {
      let cents = first
      const prices = levels.map(({ gap, units }): [number, number] => {
        const at = cents
        cents += isBuy ? gap + 1 : -gap - 1
        return [Math.max(1, at), units]
      })
      return offer(prices, {
        ...rest,
        isBuy,
        stepUnits: step,
        minimumUnits: step * least,
        available: isLimited ? (isBuy ? 100_000 : 12) : null,
      })
    })

const Requests = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((units): Wanted => ({ by: 'size', units })),
  fc.integer({ min: 1_000, max: 250_000 }).map((micros): Wanted => ({ by: 'amount', micros })),
)

describe('the best split', () => {
  it.each([
    ['purchases', true, 'table'],
    ['sales', false, 'table'],
    ['purchases', true, 'bounds'],
    ['sales', false, 'bounds'],
  ] as const)('of %s (isBuy %s) equals brute force over all order sizes, by the search %s', (_, isBuy, search) => {
    let proven = 0
    let all = 0
    fc.assert(
      fc.property(fc.array(Offers(isBuy, 3, 9), { minLength: 1, maxLength: 3 }), Requests, (offers, wanted) => {
        const curves = curvesOf(offers)
        const found = solve(curves, wanted, { isBuy, search })
        const best = bruteForce(curves, wanted, isBuy)
        all++
        if (!found.isProven) return
        proven++
        expect({ units: sumOf(found.sizes), cost: found.cost }).toEqual(best)
      }),
      { numRuns: 400 },
    )
    expect(proven / all).toBeGreaterThan(search === 'table' ? 0.999 : 0.9)
  })

  it.each([true, false])('is proven for small books, and never worse than the best venue alone (isBuy %s)', (isBuy) => {
    fc.assert(
      fc.property(fc.array(Offers(isBuy, 6, 14), { minLength: 1, maxLength: 6 }), Requests, (offers, wanted) => {
        const curves = curvesOf(offers)
        const found = solve(curves, wanted, { isBuy })
        expect(found.isProven).toBe(true)
        expectNotWorse(curves, wanted, isBuy, found)
      }),
      { numRuns: 400 },
    )
  })

  it.each([true, false])(
    'is not worse than the best venue alone for large books, within its gap (isBuy %s)',
    (isBuy) => {
      const large = fc.oneof(
        fc.integer({ min: 100, max: 500_000 }).map((units): Wanted => ({ by: 'size', units })),
        fc.integer({ min: 1_000_000, max: 2_000_000_000 }).map((micros): Wanted => ({ by: 'amount', micros })),
      )
      fc.assert(
        fc.property(fc.array(Offers(isBuy, 40, 20_000), { minLength: 2, maxLength: 8 }), large, (offers, wanted) => {
          const curves = curvesOf(offers)
          const found = solve(curves, wanted, { isBuy })
          expectNotWorse(curves, wanted, isBuy, found)
          expect(found.gap).toBeGreaterThanOrEqual(0)
        }),
        { numRuns: 150 },
      )
    },
  )

  it('takes the cheaper venue first, and the other one for the rest', () => {
    const curves = curvesOf([
      offer([
        [40, 300],
        [45, 500],
      ]),
      offer([[42, 400]]),
    ])
    const found = solve(curves, { by: 'size', units: 800 }, { isBuy: true })
    expect(found).toMatchObject({ sizes: [400, 400], isProven: true, gap: 0 })
    expect(found.cost).toBe(3 * 400_000 + 450_000 + 4 * 420_000)
  })

  it('leaves a cheap venue out where its smallest order is more than is wanted', () => {
    const curves = curvesOf([offer([[10, 1_000]], { minimumUnits: 500 }), offer([[50, 1_000]])])
    expect(solve(curves, { by: 'size', units: 499 }, { isBuy: true }).sizes).toEqual([0, 499])
    expect(solve(curves, { by: 'size', units: 500 }, { isBuy: true }).sizes).toEqual([500, 0])
  })

  it('uses a fee that rounds per order once instead of twice', () => {
    const fee = { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' } as const
    const curves = curvesOf([offer([[50, 100]], { fee }), offer([[50, 100]], { fee })])
    // One order of a contract: 1.75 cents of fee, rounded up to 2. Two of a half: 1 cent each.
    expect(solve(curves, { by: 'size', units: 100 }, { isBuy: true })).toMatchObject({ cost: 520_000, isProven: true })
    expect(solve(curves, { by: 'size', units: 4 }, { isBuy: true }).sizes.filter((size) => size > 0)).toHaveLength(1)
  })

  it('ends after a fixed amount of work, whatever the request, and states what it has not proven', () => {
    const fee = { kind: 'quadratic_half_even', rate: 0.06 } as const
    const levels = Array.from({ length: 80 }, (_, index): [number, number] => [10 + index, 1_000_000])
    const curves = curvesOf(Array.from({ length: 10 }, () => offer(levels, { fee })))
    const work = newWork()
    const found = solve(curves, { by: 'size', units: 9_999_999 }, { isBuy: true, work })
    expect(stepsMax - work.steps).toBeLessThanOrEqual(stepsMax + 10_000)
    expect(sumOf(found.sizes)).toBe(9_999_999)
    expect(found.isProven || found.gap > 0).toBe(true)
  })
})

function expectNotWorse(
  curves: ReturnType<typeof curvesOf>,
  wanted: Wanted,
  isBuy: boolean,
  { sizes, cost }: { sizes: readonly number[]; cost: number },
): void {
  const found = { units: sumOf(sizes), cost }
  for (const curve of curves) {
    const units = singleSize(curve, wanted, isBuy)
    if (units > 0) expect(isBetter({ units, cost: curve.cost(units) }, found, wanted, isBuy)).toBe(false)
  }
}
