import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Account, type OutcomeKey } from '#backtest/account/account'
import { moneyOf, notional } from '#backtest/account/money'

const yes: OutcomeKey = { venue: 'v', marketId: 'm', outcomeId: 'yes', currency: 'USD' }
const no: OutcomeKey = { ...yes, outcomeId: 'no' }
const fill = (side: 'buy' | 'sell', price: number, size: number, fee = 0n) => ({ side, price, size, fee, at: 1 })

it('keeps average cost, and realizes what is sold', () => {
  const account = new Account('100')
  account.apply(yes, fill('buy', 400_000, 10_000_000, moneyOf('0.1')))
  account.apply(yes, fill('sell', 500_000, 4_000_000))
  const [position] = account.positions
  expect(position).toMatchObject({ quantity: 6_000_000, cost: moneyOf('2.46'), realized: moneyOf('0.36') })
  expect(account.available('v', 'USD')).toBe(moneyOf('97.9'))
})

it('does not sell more than is held', () => {
  const account = new Account('100')
  account.apply(no, fill('buy', 500_000, 5))
  expect(() => account.apply(yes, fill('sell', 500_000, 1))).toThrow('more was sold')
})

it('conserves money: cash and payouts equal the opening cash, what was traded and fees', () => {
  const step = fc.record({
    outcome: fc.constantFrom(yes, no),
    isSale: fc.boolean(),
    price: fc.integer({ min: 1, max: 99 }).map((cents) => cents * 10_000),
    size: fc.integer({ min: 1, max: 50 }).map((contracts) => contracts * 1_000_000),
    fee: fc.integer({ min: 0, max: 5 }).map((cents) => moneyOf(`0.0${cents}`)),
  })
  const property = fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, paysYes) => {
    const account = new Account('1000')
    let expected = moneyOf('1000')
    const payout = (key: OutcomeKey): bigint => ((key === yes) === paysYes ? 1n : 0n)
    for (const { outcome, isSale, price, size, fee } of steps) {
      const held = account.quantity(outcome)
      const side = isSale && held > 0 ? 'sell' : 'buy'
      const traded = side === 'sell' ? Math.min(held, size) : size
      account.apply(outcome, { side, price, size: traded, fee, at: 1 })
      const gained = payout(outcome) * notional(1_000_000, traded) - notional(price, traded)
      expected += (side === 'buy' ? gained : -gained) - fee
    }
    for (const position of account.positions) {
      const isYes = position.outcomeId === 'yes'
      account.settle(position, isYes === paysYes ? 1_000_000 : 0, 2)
    }
    expect(account.available('v', 'USD')).toBe(expected)
    const realized = account.positions.reduce((sum, each) => sum + each.realized, 0n)
    expect(realized).toBe(expected - moneyOf('1000'))
  })
  fc.assert(property)
})
