import { describe, expect, it } from 'vitest'
import { feeModel, takerFee } from '#venues/polymarket/fees'

describe('taker fee', () => {
  it('follows shares × r × (p(1−p))^e, as the venue’s own client computes it', () => {
    expect(takerFee(100, 0.5, { rate: 0.25, exponent: 2 })).toBe(1.5625)
    expect(takerFee(100, 0.3, { rate: 0.25, exponent: 2 })).toBe(1.1025)
  })

  it('is cut to five decimals, like fills settled on chain in September 2026', () => {
    expect(takerFee(7.575758, 0.66, { rate: 0.05, exponent: 1 })).toBe(0.085)
    // Exactly 0.053475: half-up would charge 0.05348.
    expect(takerFee(5, 0.31, { rate: 0.05, exponent: 1 })).toBe(0.05347)
  })

  it('is zero when the rate is zero, and equal for both sides of a price', () => {
    expect(takerFee(1_000, 0.4, { rate: 0, exponent: 1 })).toBe(0)
    expect(takerFee(1_000, 0.2, { rate: 0.07, exponent: 1 })).toBe(takerFee(1_000, 0.8, { rate: 0.07, exponent: 1 }))
  })
})

describe('the fee model of a market in the catalog', () => {
  it('is the market’s own curve', () => {
    const sourceMetadata = { feesEnabled: true, feeSchedule: { rate: 0.07, exponent: 1, takerOnly: true } }
    expect(feeModel({ sourceMetadata })).toEqual({
      fee: { kind: 'polymarket_curve', rate: 0.07, exponent: 1 },
      settlementFee: { kind: 'none' },
    })
  })

  it('is none only when the venue reports that fees are off', () => {
    expect(feeModel({ sourceMetadata: { feesEnabled: false, feeSchedule: null } }).fee).toEqual({ kind: 'none' })
    for (const sourceMetadata of [{}, { feesEnabled: true }, { feesEnabled: null, feeSchedule: { rate: '0.07' } }])
      expect(feeModel({ sourceMetadata }).fee.kind).toBe('unknown')
  })
})
