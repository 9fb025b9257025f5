import { describe, expect, it } from 'vitest'
import {
  compileFee,
  curveFee,
  type FeeModel,
  feeBasis,
  feeOfLevels,
  feeOfWeight,
  settlementMicros,
} from '#arbitrage/fees'
import { takerFee } from '#venues/polymarket/fees'

const kalshi = (multiplier = 1, rounding: 'cent' | 'centicent' = 'cent', rate = 0.07): FeeModel => ({
  kind: 'kalshi_quadratic',
  rate,
  multiplier,
  rounding,
})
/** Dollars for contracts at one price, computed both ways. */
function fee(model: FeeModel, contracts: number, price: number): number {
  const program = compileFee(model)
  const k = Math.round(price * 1e4)
  const fast = feeOfWeight(program, Math.round(contracts * 100) * k * (10_000 - k))
  const exact = feeOfLevels(program, [{ micros: k * 100, units: Math.round(contracts * 1e6) }], 1_000_000)
  expect(fast).toBe(exact)
  return fast / 1e6
}

describe('taker fees', () => {
  it('equal the published Kalshi schedule', () => {
    const at = [0.5, 0.25, 0.1, 0.05, 0.01]
    expect(at.map((price) => fee(kalshi(), 100, price))).toEqual([1.75, 1.32, 0.63, 0.34, 0.07])
    expect([fee(kalshi(), 1, 0.5), fee(kalshi(0.5), 100, 0.5)]).toEqual([0.02, 0.88])
    expect([fee(kalshi(1, 'cent', 0.0175), 1, 0.5), fee(kalshi(1, 'cent', 0.0175), 100, 0.5)]).toEqual([0.01, 0.44])
    expect([fee(kalshi(0), 100, 0.5), fee(kalshi(1, 'centicent'), 1, 0.52)]).toEqual([0, 0.0175])
    expect(fee(kalshi(1, 'centicent'), 1, 0.99)).toBe(0.0007)
  })

  it('follow the venue’s own curve where it has one', () => {
    for (const exponent of [1, 2, 0.5, 0]) {
      for (const price of [0.01, 0.335, 0.5, 0.87]) {
        const model: FeeModel = { kind: 'polymarket_curve', rate: 0.05, exponent }
        const program = compileFee(model)
        const levels = [{ micros: Math.round(price * 1e6), units: 137_250_000 }]
        const micros = exponent === 1 ? feeOfLevels(program, levels, 1e6) : curveFee(program, levels, 1e6)
        expect(micros / 1e6).toBeCloseTo(takerFee(137.25, price, { rate: 0.05, exponent }), 9)
      }
    }
  })

  it('are unknown for an unverified model or one out of bounds', () => {
    const models: FeeModel[] = [{ kind: 'unknown', reason: 'flat' }, kalshi(-1), kalshi(1, 'cent', NaN)]
    expect(models.map((model) => compileFee(model).mode)).toEqual(['unknown', 'unknown', 'unknown'])
    expect(compileFee({ kind: 'polymarket_curve', rate: 2, exponent: 1 }).mode).toBe('unknown')
  })

  it('name their formula', () => {
    expect(feeBasis(kalshi(0.5))).toContain('0.07 x 0.5 x C x P x (1-P)')
    expect(feeBasis({ kind: 'unknown', reason: 'flat' })).toBe('no verified fee model: flat')
  })
})

describe('settlement fees', () => {
  it('are zero when there are none, null when unknown, and never rounded down', () => {
    expect(settlementMicros({ kind: 'none' }, 100e6, 40e6)).toBe(0)
    expect(settlementMicros({ kind: 'unknown', reason: '' }, 100e6, 40e6)).toBe(-1)
    expect(settlementMicros({ kind: 'payout_rate', rate: 0.02 }, 100e6, 40e6)).toBe(2e6)
    expect(settlementMicros({ kind: 'profit_rate', rate: 0.1 }, 100e6, 40e6)).toBe(6e6)
    expect(settlementMicros({ kind: 'profit_rate', rate: 0.1 }, 100e6, 100e6 + 1)).toBe(0)
    expect(settlementMicros({ kind: 'payout_rate', rate: 0.0001 }, 1, 0)).toBe(1)
  })
})
