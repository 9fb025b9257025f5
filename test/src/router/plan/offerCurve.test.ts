import { describe, expect, it } from 'vitest'
import { compileFee, feeOfLevels, type TakenLevel } from '#arbitrage/fees'
import { bundleCurve } from '#router/plan/bundleCurve'
import { OfferCurve } from '#router/plan/offerCurve'
import { curvesOf, feeModels, offer, sizesOf } from '#test/support/router'

const levels: [number, number][] = [
  [40, 130],
  [41, 250],
  [47, 1_000],
]

function taken(units: number): TakenLevel[] {
  let left = units
  return levels.flatMap(([cents, offered]) => {
    const some = Math.min(left, offered)
    left -= some
    return some === 0 ? [] : [{ micros: cents * 10_000, units: some }]
  })
}

describe('an offer', () => {
  it.each(feeModels)('costs its levels and the fee of $kind as the surface computes it', (fee) => {
    const [curve] = curvesOf([offer(levels, { fee })])
    const program = compileFee(fee)
    for (const units of [1, 130, 131, 377, 380, 381, 1_380]) {
      const { notional, fee: charged } = curve!.quote(units)
      const exact = taken(units).reduce((sum, level) => sum + level.micros * level.units, 0) / 100
      expect(notional).toBe(Math.ceil(exact))
      expect(charged).toBe(feeOfLevels(program, taken(units), 100))
      expect(curve!.lower(units)).toBeLessThanOrEqual(curve!.cost(units) + 1e-3)
    }
  })

  it('off the common grid, has the same fee in big integers', () => {
    const fee = { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' } as const
    const fine = [{ micros: 401_250, units: 333 }]
    const curve = OfferCurve.of(offer([], { fee, levels: fine, tickMicros: 10 })) as OfferCurve
    expect(curve.quote(333).fee).toBe(feeOfLevels(compileFee(fee), fine, 100))
  })

  it('of a sale brings its price rounded down, less the fee', () => {
    const [curve] = curvesOf([offer([[55, 3]], { isBuy: false })])
    expect(curve!.cost(3)).toBe(-16_500)
    expect(curve!.quote(3)).toMatchObject({ notional: 16_500, limitMicros: 550_000, settlement: 0 })
  })

  it('has limits on the tick that still reach the worst level', () => {
    const quoted = (isBuy: boolean) => {
      const fine = [{ micros: 555_000, units: 5 }]
      return (OfferCurve.of(offer([], { isBuy, levels: fine, tickMicros: 10_000 })) as OfferCurve).quote(5).limitMicros
    }
    expect([quoted(true), quoted(false)]).toEqual([560_000, 550_000])
  })

  it('is ordered in steps from its minimums on', () => {
    const [curve] = curvesOf([
      offer(
        [
          [50, 40],
          [60, 40],
        ],
        { stepUnits: 8, minimumUnits: 16, minimumMicros: 150_000 },
      ),
    ])
    expect(sizesOf(curve!)).toEqual([32, 40, 48, 56, 64, 72, 80])
  })

  it.each([
    ['fee_unknown', { fee: { kind: 'unknown', reason: 'not published' } }],
    ['settlement_fee_unknown', { settlementFee: { kind: 'unknown', reason: 'not published' } }],
    ['no_offers', { levels: [] }],
    ['worst_price', { worstMicros: 390_000 }],
    ['no_balance', { available: 100 }],
    ['below_minimum_order', { minimumUnits: 5_000 }],
  ] as const)('is left out with the reason %s', (reason, more) => {
    expect(OfferCurve.of(offer(levels, more))).toBe(reason)
  })

  it('is limited by the cash that is available, fees included', () => {
    const [curve] = curvesOf([offer([[50, 1_000]], { available: 100_000 })])
    expect(curve!.ranges).toEqual([{ from: 1, to: 20 }])
  })
})

it('a bundle has the sizes that all its parts take, and costs their sum', () => {
  const curves = curvesOf([
    offer([[20, 30]], { stepUnits: 2 }),
    offer(
      [
        [30, 12],
        [31, 30],
      ],
      { stepUnits: 3 },
    ),
  ])
  const bundle = bundleCurve(curves)
  expect(sizesOf(bundle)).toEqual([6, 12, 18, 24, 30])
  expect(bundle.cost(18)).toBe(curves[0]!.cost(18) + curves[1]!.cost(18))
})
