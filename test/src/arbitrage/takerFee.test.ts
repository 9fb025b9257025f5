import { describe, expect, it } from 'vitest'
import { takerFeeAt } from '#arbitrage/takerFee'
import type { FeeModel } from '#schemas/fees'
import { gemini } from '#venues/gemini/index'
import { kalshi } from '#venues/kalshi/index'
import { limitless } from '#venues/limitless/index'
import { myriad } from '#venues/myriad/index'
import { novig } from '#venues/novig/index'
import { pascal } from '#venues/pascal/index'
import { polymarket } from '#venues/polymarket/index'
import { predictfun } from '#venues/predictfun/index'
import { predictstreet } from '#venues/predictstreet/index'
import { xo } from '#venues/xo/index'

describe('a taker’s fee for one contract at a price', () => {
  it.each<[FeeModel, number, number]>([
    [{ kind: 'none' }, 0.5, 0],
    // 7 % of 100 contracts at one half are 1.75 dollars; at 0.1 63 cents.
    [{ kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' }, 0.5, 0.0175],
    [{ kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' }, 0.1, 0.0063],
    [{ kind: 'quadratic_half_even', rate: 0.06 }, 0.5, 0.015],
    [{ kind: 'polymarket_curve', rate: 0.05, exponent: 1 }, 0.2, 0.008],
    [{ kind: 'polymarket_curve', rate: 0.25, exponent: 2 }, 0.5, 0.015625],
  ])('follows the model %j at %d', (model, price, fee) => expect(takerFeeAt(model, price)).toBeCloseTo(fee, 9))

  it('is 7 % of the cheaper side if nothing is known, or if a rate is impossible', () => {
    const models: FeeModel[] = [
      { kind: 'unknown', reason: 'not published' },
      { kind: 'polymarket_curve', rate: 2, exponent: 1 },
    ]
    for (const model of models) {
      expect(takerFeeAt(model, 0.3)).toBeCloseTo(0.021, 9)
      expect(takerFeeAt(model, 0.9)).toBeCloseTo(0.007, 9)
    }
  })
})

describe('a fee that no model covers is the highest that the venue publishes', () => {
  const venues = { gemini, kalshi, limitless, myriad, novig, pascal, polymarket, predictfun, predictstreet, xo }
  it.each<[keyof typeof venues, Record<string, unknown>, number]>([
    ['gemini', {}, 0.05 * 0.2],
    ['limitless', {}, 0.03 * 0.8],
    ['limitless', { synthetic: true }, 0.004 * 0.8],
    ['myriad', { fees: { taker_fee_bps: 150 } }, 0.015 * 0.8],
    ['myriad', { fees: {} }, 0.07 * 0.2],
    ['novig', { fee: { coefficient: '0.03' } }, 0.03 * 0.8 * 0.2],
    ['pascal', { takerFeeRate: 0.02 }, 0.02 * 0.8 * 0.2],
    ['predictfun', { fees: { taker: '0.02' } }, 0.02 * 0.2],
    ['predictfun', {}, 0.07 * 0.2],
    ['predictstreet', { fees: { takerBps: 200 } }, 0.02 * 0.8 * 0.2],
    ['predictstreet', {}, 0.07 * 0.2],
    ['kalshi', {}, 0.07 * 0.2],
    ['polymarket', {}, 0.07 * 0.2],
    ['xo', {}, 0.07 * 0.2],
  ])('%s with %j', (venue, sourceMetadata, fee) => {
    const model = venues[venue].data.feeModel({ sourceMetadata })
    expect(model.fee.kind).toBe('unknown')
    expect(takerFeeAt(model.fee, 0.8)).toBeCloseTo(fee, 9)
  })
})
