// The published schedule as the lane estimates it, compared with what the exchange charges.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feeEstimate } from '#venues/kalshi/exec/build'
import { feeUsd } from '#venues/kalshi/fees'
import { fees, laneSuite, market } from './world.ts'

/** Millionths of a dollar. */
const cent = 10_000

/**
 * What the exchange charges for each fill of one order, as https://docs.kalshi.com/getting_started/fee_rounding describes it: the change of the
 * balance is rounded to the cent against the trader, and a cent is refunded whenever rounding has taken more than one. Millionths of a dollar.
 */
function chargedFees(fills: readonly { costMicros: number; tradeFeeMicros: number }[]): number[] {
  let taken = 0
  return fills.map(({ costMicros, tradeFeeMicros }) => {
    const due = costMicros + tradeFeeMicros
    const rounding = Math.ceil(due / cent) * cent - due
    taken += rounding
    const refund = taken > cent ? cent : 0
    taken -= refund
    return tradeFeeMicros + rounding - refund
  })
}

const here = laneSuite()
const { build } = here

describe('the fee', () => {
  const withMakers = { ...fees, feeType: 'quadratic_with_maker_fees', makerRate: 0.0175 }
  const estimateOf = async (schedule: object | null, price: string, size: number) => {
    const rows = market({
      sourceMetadata: { marketType: 'binary', fees: schedule },
    })
    here.world.outcomes.splice(0, here.world.outcomes.length, ...rows)
    return (await build({ price, size })).feeEstimate
  }

  it.each([
    ['1.75', '0.5', 100],
    ['1.32', '0.25', 100],
    ['0.63', '0.1', 100],
    ['0.34', '0.05', 100],
    ['0.07', '0.01', 100],
    ['0.02', '0.5', 1],
  ])('a taker pays %s at %s for %d', async (taker, price, size) => {
    expect(await estimateOf(fees, price, size)).toMatchObject({ taker, maker: '0.00', currency: 'USD' })
  })

  it.each([
    ['0.01', '0.02', 1, 1],
    ['0.44', '1.75', 1, 100],
    ['0.22', '0.88', 0.5, 100],
    ['0.00', '0.00', 0, 100],
  ])('makers pay %s and takers %s with multiplier %d, for %d at one half', async (maker, taker, multiplier, size) => {
    expect(await estimateOf({ ...withMakers, multiplier }, '0.5', size)).toMatchObject({ maker, taker })
  })

  it('is null without a verified schedule; only the maker fee is null when just the maker rate is unknown', async () => {
    expect(await estimateOf(null, '0.5', 1)).toBeNull()
    expect(await estimateOf({ feeType: 'flat' }, '0.5', 1)).toBeNull()
    expect(await estimateOf({ ...withMakers, makerRate: null }, '0.5', 1)).toMatchObject({
      maker: null,
      taker: '0.02',
    })
  })

  it('equals the exchange’s fee for an order filled at once, and is within a cent for partial fills', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 8 }),
        (cents, lots) => {
          const takes = (contracts: number) => ({
            costMicros: contracts * cents * 10_000,
            tradeFeeMicros: Math.round(
              feeUsd({
                schedule: fees,
                role: 'taker',
                contracts,
                priceMicros: cents * 10_000,
                rounding: 'centicent',
              })! * 1e6,
            ),
          })
          const size = lots.reduce((sum, lot) => sum + lot, 0)
          const estimate = Math.round(Number(feeEstimate(fees, String(cents / 100), String(size))!.taker) * 1e6)
          expect(chargedFees([takes(size)])).toEqual([estimate])
          const pieces = chargedFees(lots.map(takes)).reduce((sum, fee) => sum + fee, 0)
          expect(Math.abs(pieces - estimate)).toBeLessThanOrEqual(10_000 + 100 * lots.length)
        },
      ),
    )
  })
})
