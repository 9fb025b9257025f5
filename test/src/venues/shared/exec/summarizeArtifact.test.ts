import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareDecimals, multiplyDecimals } from '#core/decimal'
import { describeAmounts, describeLimit } from '#venues/shared/exec/summarizeArtifact'

const six = { cash: 6, shares: 6 }

it.each([
  [true, '4200000', '10000000', six, { price: '0.42', size: '10', costMax: '4.2', bringsMin: null }],
  [false, '10000000', '4200000', six, { price: '0.42', size: '10', costMax: '0', bringsMin: '4.2' }],
  [true, '4200000', `1${'0'.repeat(19)}`, { cash: 6, shares: 18 }, { price: '0.42', size: '10', costMax: '4.2' }],
  [true, '1000000', '3000000', six, { price: '0.333333', size: '3', costMax: '1' }],
  [true, '2000000', '3000000', six, { price: '0.666667', size: '3', costMax: '2' }],
  // Invalid amounts from outside.
  [true, '1000000', '0', six, { price: null, size: '0', costMax: '1' }],
])('buying %s, %s given for %s', (isBuy, makerAmount, takerAmount, decimals, expected) => {
  expect(describeAmounts({ isBuy, makerAmount, takerAmount }, decimals)).toMatchObject({ isBuy, ...expected })
})

it('cash rounded in the owner’s favour never looks like a worse price', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 1e9 }), (ticks, hundredths) => {
      const price = `0.${String(ticks).padStart(3, '0')}`
      // A buyer’s cash is rounded down by less than one unit.
      const cash = (BigInt(ticks) * BigInt(hundredths) * 10_000n - 1n) / 1_000n
      const described = describeAmounts(
        { isBuy: true, makerAmount: String(cash), takerAmount: String(BigInt(hundredths) * 10_000n) },
        six,
      )
      expect(compareDecimals(described.price!, price)).toBeLessThanOrEqual(0)
      expect(compareDecimals(described.costMax!, multiplyDecimals(price, described.size!))).toBeLessThanOrEqual(0)
    }),
  )
})

const limit = {
  intent: 'order',
  instrument: 'T',
  outcomeSide: 'YES',
  price: '0.42',
  size: '10',
  currency: 'USD',
  fee: null,
  timeInForce: 'good-til-cancel',
  expiresAt: null,
} as const

it('a limit costs its price when buying, one minus the price when selling, and zero when it can only close', () => {
  const money = (isBuy: boolean, closesOnly: boolean) => {
    const { costMax, bringsMin, ...described } = describeLimit({ ...limit, isBuy, closesOnly })
    expect(described).toEqual({ ...limit, isBuy })
    return [costMax, bringsMin]
  }
  expect(money(true, false)).toEqual(['4.2', null])
  expect(money(false, false)).toEqual(['5.8', '4.2'])
  expect(money(false, true)).toEqual(['0', '4.2'])
  expect(money(true, true)).toEqual(['0', null])
})
