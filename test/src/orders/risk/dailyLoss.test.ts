// The limit of the loss of a day.
import { describe, expect, it } from 'vitest'
import { executionSuite, refused } from '#test/support/execution/suite'
import { beyond, filled, limitedAccount, noon } from './limitedAccount.ts'

const suite = executionSuite()
const limited = () => limitedAccount(suite)

describe('dailyLoss', () => {
  it('counts what positions lost since the day began, and lets what reduces risk pass', async () => {
    const { orders, books, hold } = await limited()
    // Bought at 0.5 the day before, worth 0.4 at the first read of this day.
    await hold(100, 50)
    books.tops.set('novig yes', [0.39, 0.41])
    await orders.set('dailyLoss', '10')
    expect((await orders.place({ size: 1 })).status).toBe(200)
    books.tops.set('novig yes', [0.3, 0.32])
    expect((await orders.place({ size: 1 })).status).toBe(200)
    books.tops.set('novig yes', [0.29, 0.31])
    const reply = await orders.place({ size: 1 })
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('10 USD: the loss of this day is 10')
    expect((await orders.place({ size: 100, price: 0.3, isBuy: false })).status).toBe(200)
    books.tops.set('novig yes', [0.34, 0.36])
    expect((await orders.place({ size: 1 })).status).toBe(200)
  })

  it('counts a venue from zero whose first position is of this day, and begins again on the next day', async () => {
    const { orders, books, trade, clock } = await limited()
    await orders.set('dailyLoss', '10')
    await trade(filled)
    books.tops.set('novig yes', [0.39, 0.41])
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
    clock.advance(12 * 3_600_000)
    expect((await orders.place({ size: 1 })).status).toBe(200)
    books.tops.set('novig yes', [0.29, 0.31])
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
  })

  it('is of one venue where the limit names one', async () => {
    const { orders, books, trade } = await limited()
    await orders.set('dailyLoss', '10', { venue: 'kalshi' })
    await trade(filled)
    books.tops.set('novig yes', [0.01, 0.03])
    expect((await orders.place({ size: 1 }, 'novig')).status).toBe(200)
    expect((await orders.place({ size: 1 }, 'kalshi')).status).toBe(200)
  })

  it('is not changed by what the owner enters on that day: a position, the undoing of one, a transfer', async () => {
    const { orders, books, hold, deposit } = await limited()
    await hold(100, 50)
    books.tops.set('novig yes', [0.39, 0.41])
    await orders.set('dailyLoss', '10')
    expect((await orders.place({ size: 1 })).status).toBe(200)
    books.tops.set('novig yes', [0.29, 0.31])
    const refusedAt10 = async () => {
      const reply = await orders.place({ size: 1, outcome: 'no' })
      expect(refused(reply)).toEqual(beyond)
      expect(reply.json.error.message).toContain('the loss of this day is 10;')
    }
    await refusedAt10()
    // At a false cost, which would be a gain of 29, and then of 58.
    await hold(100, 1, { at: noon - 1_000 })
    await refusedAt10()
    await hold(100, 1, { enteredAt: noon })
    await refusedAt10()
    await hold(-100, -50, { enteredAt: noon })
    await refusedAt10()
    await deposit(1_000)
    await refusedAt10()
  })

  it('counts shares that are sold out of a position entered on that day like shares sold short', async () => {
    const { orders, books, hold, trade } = await limited()
    await orders.set('dailyLoss', '10')
    await hold(100, 90, { at: noon - 1_000 })
    await trade(filled, { isBuy: false })
    books.tops.set('novig yes', [0.49, 0.51])
    expect((await orders.place({ size: 1 })).status).toBe(200)
    books.tops.set('novig yes', [0.59, 0.61])
    expect(refused(await orders.place({ size: 1, outcome: 'no' }))).toEqual(beyond)
  })

  it.each([
    ['rests', 'acked', noon - 7_200_000],
    ['has just ended', 'canceled', noon - 60_000],
  ])(
    'counts what is filled of an order without stored fills at its limit price, if it %s',
    async (_name, status, at) => {
      const { orders, books, trade } = await limited()
      await orders.set('dailyLoss', '10')
      await trade(null, { status, at })
      books.tops.set('novig yes', [0.44, 0.46])
      expect((await orders.place({ size: 1 })).status).toBe(200)
      books.tops.set('novig yes', [0.39, 0.41])
      const reply = await orders.place({ size: 1 })
      expect(refused(reply)).toEqual(beyond)
      expect(reply.json.error.message).toContain('the loss of this day is 10;')
    },
  )

  it.each([
    ['fills that are missing two minutes after the end of their order', null],
    ['a fill that cannot be read', { other: true }],
    ['a fill without a price', { size: '100' }],
  ])('is unknown, and refused, with %s', async (_name, fill) => {
    const { orders, books, trade } = await limited()
    await orders.set('dailyLoss', '10')
    await trade(fill, { at: noon - 120_000 })
    books.tops.set('novig yes', [0.49, 0.51])
    const reply = await orders.place({ size: 1 })
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('an amount that is not known in dollars')
    // What reduces risk passes.
    expect((await orders.place({ size: 100, isBuy: false })).status).toBe(200)
  })

  it('is unknown, and refused, with a completed split that does not say what it exchanged', async () => {
    const { world, orders, books, trade } = await limited()
    await orders.set('dailyLoss', '10')
    await trade(filled)
    books.tops.set('novig yes', [0.49, 0.51])
    expect((await orders.place({ size: 1 })).status).toBe(200)
    const at = noon - 300_000
    await trade(null, { at })
    await suite.pg.pool.query(
      `UPDATE executions SET intent = 'split', summary = '{}', matched_size = NULL WHERE account_id = $1 AND updated_at = $2`,
      [world.accountId, new Date(at)],
    )
    const reply = await orders.place({ size: 1 })
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('an amount that is not known in dollars')
  })

  it('refuses while the loss is unknown, and halts nothing for it', async () => {
    const { world, orders, books, hold } = await limited()
    await orders.set('dailyLoss', '10', { onBreach: 'halt' })
    await hold(100, 50)
    const reply = await orders.place({ size: 1 })
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('an amount that is not known in dollars')
    expect(await suite.count('trading_halts WHERE account_id = $1', [world.accountId])).toBe(0)
    books.tops.set('novig yes', [0.49, 0.51])
    expect((await orders.place({ size: 1 })).status).toBe(200)
  })
})
