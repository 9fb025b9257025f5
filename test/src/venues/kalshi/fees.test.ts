import { describe, expect, test } from 'vitest'
import { type FeeSchedule, feeModel, feeSchedule, feeUsd } from '#venues/kalshi/fees'

const quadratic: FeeSchedule = { feeType: 'quadratic', multiplier: 1, takerRate: 0.07, makerRate: 0 }
const withMakers: FeeSchedule = { ...quadratic, feeType: 'quadratic_with_maker_fees', makerRate: 0.0175 }

describe('the published schedule, rounded up to the cent', () => {
  test.each([
    [100, 500_000, 1.75],
    [100, 250_000, 1.32],
    [100, 100_000, 0.63],
    [100, 50_000, 0.34],
    [100, 10_000, 0.07],
    [1, 500_000, 0.02],
  ])('a taker of %d at %d micros pays %d', (contracts, priceMicros, usd) => {
    expect(feeUsd({ schedule: quadratic, role: 'taker', contracts, priceMicros, rounding: 'cent' })).toBe(usd)
  })

  test.each([
    [1, 0.01],
    [100, 0.44],
  ])('a maker of %d at one half pays %d', (contracts, usd) => {
    expect(feeUsd({ schedule: withMakers, role: 'maker', contracts, priceMicros: 500_000, rounding: 'cent' })).toBe(usd)
  })

  test('a multiplier of one half', () => {
    const schedule = { ...withMakers, multiplier: 0.5 }
    const at = { schedule, contracts: 100, priceMicros: 500_000, rounding: 'cent' } as const
    expect(feeUsd({ ...at, role: 'taker' })).toBe(0.88)
    expect(feeUsd({ ...at, role: 'maker' })).toBe(0.22)
  })

  test('makers of a plain quadratic market pay nothing, and no one pays at multiplier 0', () => {
    const at = { contracts: 100, priceMicros: 500_000, rounding: 'cent' } as const
    expect(feeUsd({ ...at, schedule: quadratic, role: 'maker' })).toBe(0)
    expect(feeUsd({ ...at, schedule: { ...withMakers, multiplier: 0 }, role: 'taker' })).toBe(0)
  })

  test('an exact cent is not rounded up further', () => {
    expect(feeUsd({ schedule: quadratic, role: 'taker', contracts: 4, priceMicros: 500_000, rounding: 'cent' })).toBe(
      0.07,
    )
  })
})

test.each([
  [520_000, 0.0175],
  [990_000, 0.0007],
])('the recorded exchange fee of one contract at %d micros is %d', (priceMicros, usd) => {
  expect(feeUsd({ schedule: quadratic, role: 'taker', contracts: 1, priceMicros, rounding: 'centicent' })).toBe(usd)
})

describe('which schedule applies', () => {
  test('the event overrides the series', () => {
    const series = { fee_type: 'quadratic', fee_multiplier: 1 }
    expect(feeSchedule(series, null)).toEqual(quadratic)
    expect(feeSchedule(series, { fee_type_override: 'quadratic_with_maker_fees' })).toEqual(withMakers)
    expect(feeSchedule(series, { fee_multiplier_override: 0 })).toEqual({ ...quadratic, multiplier: 0 })
  })

  test.each([['flat'], ['constructor'], ['a new word'], [null]])('%j has no verified model', (fee_type) => {
    expect(feeSchedule({ fee_type, fee_multiplier: 1 }, null)).toBeNull()
    expect(feeSchedule({ fee_type: 'quadratic', fee_multiplier: null }, null)).toBeNull()
  })

  test('makers of combos are charged at an unpublished rate', () => {
    const schedule = feeSchedule({ fee_type: 'quadratic_with_combo_maker_fees', fee_multiplier: 1 }, null)!
    expect(feeUsd({ schedule, role: 'maker', contracts: 1, priceMicros: 500_000, rounding: 'cent' })).toBeNull()
    expect(feeUsd({ schedule, role: 'taker', contracts: 1, priceMicros: 500_000, rounding: 'cent' })).toBe(0.02)
  })
})

describe('the fee model of a market in the catalog', () => {
  const fees = { feeType: 'quadratic', multiplier: 0.5, takerRate: 0.07, makerRate: 0 }

  test('is the series’ schedule, rounded up to the cent, with free settlement', () => {
    expect(feeModel({ sourceMetadata: { fees, marketType: 'binary' } })).toEqual({
      fee: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 0.5, rounding: 'cent' },
      settlementFee: { kind: 'none' },
    })
  })

  test.each([{}, { fees: null }, { fees: { feeType: 'flat' } }, { fees: { takerRate: -1, multiplier: 1 } }])(
    'is unknown, not zero, when the row has %j',
    (sourceMetadata) => {
      expect(feeModel({ sourceMetadata }).fee.kind).toBe('unknown')
    },
  )

  test('leaves the settlement fee of a scalar market unknown', () => {
    expect(feeModel({ sourceMetadata: { fees, marketType: 'scalar' } }).settlementFee.kind).toBe('unknown')
  })
})
