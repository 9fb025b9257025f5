import { describe, expect, it } from 'vitest'
import { compileFee } from '#arbitrage/fees'
import { feeEstimate } from '#venues/polymarket_us/exec/fees'
import { feeModel } from '#venues/polymarket_us/fees'

const of = (feeCoefficient: unknown) => feeModel({ sourceMetadata: { feeCoefficient } })

describe('fees', () => {
  it('the published vector: 100 contracts at 0.50 cost a taker 1.74 dollars; earlier schedules 1.50 and 1.25', () => {
    expect(feeEstimate('0.0695', '100', '0.5')).toMatchObject({ taker: '1.74', currency: 'USD' })
    expect(feeEstimate('0.06', '100', '0.5')).toMatchObject({ taker: '1.5' })
    expect(feeEstimate('0.05', '100', '0.5')).toMatchObject({ taker: '1.25' })
  })

  it('halves go to the even cent', () => {
    // 0.06 × 25 × 0.25 = 0.375; 0.04 × 12.5 × 0.25 = 0.125
    expect(feeEstimate('0.06', '25', '0.5')).toMatchObject({ taker: '0.38' })
    expect(feeEstimate('0.04', '12.5', '0.5')).toMatchObject({ taker: '0.12' })
  })

  it('the market’s own coefficient is the rate, in a model the surface can compile', () => {
    const { fee } = of(0.0695)
    expect(fee).toEqual({ kind: 'kalshi_quadratic', rate: 0.0695, multiplier: 1, rounding: 'cent' })
    expect(compileFee(fee).mode).not.toBe('unknown')
  })

  it.each([undefined, null, 'much', -0.01, 1.5])('a coefficient of %j is unknown, never nothing', (value) => {
    expect(of(value).fee.kind).toBe('unknown')
  })

  it('a coefficient of zero is a fee of nothing; what settlement costs is unknown', () => {
    expect(of(0).fee).toEqual({ kind: 'none' })
    expect(of(0).settlementFee.kind).toBe('unknown')
  })
})
