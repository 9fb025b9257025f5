import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDecimals } from '#core/decimal'
import { moneyAtRisk } from '#venues/shared/exposure'

it.each([
  [true, false, '0.99'],
  [false, false, '10.01'],
  // The venue limits the order to the existing position.
  [true, true, '0'],
  [false, true, '0'],
])('11 contracts at 0.09, buying %s, closing only %s, costs %s at most', (isBuy, closesOnly, usd) => {
  expect(moneyAtRisk({ isBuy, price: '0.09', size: '11', closesOnly })).toBe(usd)
})

it('buyer and seller together put up a dollar per contract', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 1e9 }), (ticks, contracts) => {
      const order = { price: `0.${String(ticks).padStart(4, '0')}`, size: String(contracts), closesOnly: false }
      const [buyer, seller] = [true, false].map((isBuy) => moneyAtRisk({ ...order, isBuy })) as [string, string]
      expect(addDecimals(buyer, seller)).toBe(String(contracts))
    }),
  )
})
