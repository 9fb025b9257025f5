import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileFee, feeOfLevels, feeOfWeight } from '#arbitrage/fees'
import { fromUnits } from '#core/decimal'
import { feeEstimate } from '#venues/polymarket_us/exec/build'
import { feeModel } from '#venues/polymarket_us/fees'

const of = (feeCoefficient: unknown) => feeModel({ sourceMetadata: { feeCoefficient } })

describe('fees', () => {
  it('match the published vector: 100 contracts at 0.50 cost a taker 1.74 dollars; earlier schedules 1.50 and 1.25', () => {
    expect(feeEstimate('0.0695', '100', '0.5')).toMatchObject({ taker: '1.74', currency: 'USD' })
    expect(feeEstimate('0.06', '100', '0.5')).toMatchObject({ taker: '1.5' })
    expect(feeEstimate('0.05', '100', '0.5')).toMatchObject({ taker: '1.25' })
  })

  it('round halves to the even cent', () => {
    // 0.06 × 25 × 0.25 = 0.375; 0.04 × 12.5 × 0.25 = 0.125
    expect(feeEstimate('0.06', '25', '0.5')).toMatchObject({ taker: '0.38' })
    expect(feeEstimate('0.04', '12.5', '0.5')).toMatchObject({ taker: '0.12' })
  })

  it('use the market’s own coefficient as the rate, in a model that the arbitrage surface can compile', () => {
    const { fee } = of(0.0695)
    expect(fee).toEqual({ kind: 'quadratic_half_even', rate: 0.0695 })
    expect(compileFee(fee).mode).not.toBe('unknown')
  })

  it('are equal to the cent on the surface and in order estimates, for every price and size', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0.0695, 0.06, 0.05, 0.04, 0.0125),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 1, max: 999 }),
        (rate, hundredths, thousandths) => {
          const program = compileFee(of(rate).fee)
          const k = thousandths * 10
          const fast = feeOfWeight(program, hundredths * k * (10_000 - k))
          const exact = feeOfLevels(program, [{ micros: k * 100, units: hundredths * 10_000 }], 1_000_000)
          const estimate = feeEstimate(
            String(rate),
            fromUnits(BigInt(hundredths), 2),
            fromUnits(BigInt(thousandths), 3),
          )
          expect([fast / 1e6, exact / 1e6]).toEqual([Number(estimate!.taker), Number(estimate!.taker)])
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([undefined, null, 'much', -0.01, 1.5])('are unknown, not zero, with a coefficient of %j', (value) => {
    expect(of(value).fee.kind).toBe('unknown')
  })

  it('are zero with a coefficient of zero, and unknown for settlement', () => {
    expect(of(0).fee).toEqual({ kind: 'none' })
    expect(of(0).settlementFee.kind).toBe('unknown')
  })
})
