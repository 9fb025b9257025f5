// Limits that need a live book or the portfolio: the price collar, the exposure, and how many portfolios are read at once.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { FairSemaphore } from '#core/fairSemaphore'
import { Fault } from '#core/fault'
import { portfolioReadLimits } from '#roles/risk'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import { beyond, lanes, limitedAccount, noon } from './limitedAccount.ts'

const suite = executionSuite()
const limited = () => limitedAccount(suite)

describe('priceCollar', () => {
  it('allows prices up to its distance from the mid price, on both sides', async () => {
    const { orders, books } = await limited()
    await orders.set('priceCollar', '0.05')
    books.tops.set('novig yes', [0.48, 0.52])
    for (const price of [0.45, 0.5, 0.55]) expect((await orders.place({ size: 1, price })).status).toBe(200)
    for (const isBuy of [true, false])
      for (const price of [0.44, 0.56]) expect(refused(await orders.place({ size: 1, price, isBuy }))).toEqual(beyond)
    const { message } = (await orders.place({ size: 1, price: 0.56 })).json.error
    expect(message).toBe(
      'risk limit priceCollar of the account at all venues, 0.05 probability: the limit price 0.56 is 0.06 from the mid price 0.5; nothing was sent',
    )
  })

  it.each([
    ['no book', undefined],
    ['a book that is not live', 'silent'],
  ] as const)('refuses with %s, unless the order reduces risk', async (_name, top) => {
    const { orders, books, hold } = await limited()
    await orders.set('priceCollar', '1', { venue: 'novig' })
    if (top !== undefined) books.tops.set('novig yes', top)
    const reply = await orders.place({ size: 1, price: 0.5 })
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('the outcome has no live book with both sides here')
    expect((await orders.place({ size: 1, price: 0.5 }, 'kalshi')).status).toBe(200)
    await hold(10, 5)
    expect((await orders.place({ size: 10, price: 0.1, isBuy: false })).status).toBe(200)
  })

  it('refuses a book with one empty side', async () => {
    const { world, orders } = await limited()
    world.risk.books = { read: async () => [{ bids: [{ price: 0.5, size: 1 }], asks: [], lastPrice: '0.5' }] }
    await orders.set('priceCollar', '1')
    expect(refused(await orders.place({ size: 1, price: 0.5 }))).toEqual(beyond)
  })

  it('applies to what reduces risk where there is a live book', async () => {
    const { orders, books, hold } = await limited()
    await hold(10, 5)
    await orders.set('priceCollar', '0.05')
    books.tops.set('novig yes', [0.48, 0.52])
    expect(refused(await orders.place({ size: 10, price: 0.1, isBuy: false }))).toEqual(beyond)
    expect((await orders.place({ size: 10, price: 0.46, isBuy: false })).status).toBe(200)
  })

  it('does not read a book for an account without it, nor for one that another limit refuses', async () => {
    const { orders, books } = await limited()
    await orders.set('openOrders', '1')
    expect((await orders.place({ size: 1 })).status).toBe(200)
    await orders.set('priceCollar', '1')
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
    expect(books.reads).toBe(0)
  })

  it('is named by a build', async () => {
    const { orders, books } = await limited()
    await orders.set('priceCollar', '0.05')
    books.tops.set('novig yes', [0.48, 0.52])
    const { warnings } = (await orders.build({ size: 1, price: 0.9, dryRun: true })).json
    expect(warnings).toEqual([expect.stringContaining('the limit price 0.9 is 0.4 from the mid price 0.5')])
    expect((await orders.build({ size: 1, price: 0.5, dryRun: true })).json.warnings).toBeUndefined()
  })
})

describe('exposure', () => {
  it('counts what positions and open orders can lose over all venues', async () => {
    const { orders, hold } = await limited()
    await hold(100, 30)
    await hold(-100, -60, { venue: 'kalshi' })
    await orders.set('exposure', '80')
    // 30 of the first position, 40 of the second.
    expect((await orders.place({ size: 10, price: 0.5 }, 'novig')).status).toBe(200)
    const reply = await orders.place({ size: 11, price: 0.5, outcome: 'no' }, 'kalshi')
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('80 USD: positions and open orders could lose 80.5')
    expect((await orders.place({ size: 10, price: 0.5, outcome: 'no' }, 'kalshi')).status).toBe(200)
    expect((await orders.place({ size: 100, price: 0.2, isBuy: false }, 'novig')).status).toBe(200)
  })

  it.each([[null], ['novig']] as const)('is unknown, and refused, while fills are missing: %s', async (venue) => {
    const { orders, trade, clock } = await limited()
    await orders.set('exposure', '1000', { venue })
    await trade(null, { at: noon - 60_000 })
    expect((await orders.place({ size: 1 })).status).toBe(200)
    clock.advance(60_000)
    const reply = await orders.place({ size: 1 })
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('an amount that is not known in dollars')
  })

  it.each([[null], ['novig']] as const)('counts an order that has just ended at its limit price: %s', async (venue) => {
    const { orders, trade } = await limited()
    await orders.set('exposure', '50.5', { venue })
    await trade(null, { at: noon - 60_000 })
    expect((await orders.place({ size: 1 })).status).toBe(200)
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
  })

  it('of a position without a known cost is unknown, and refused', async () => {
    const { orders, hold } = await limited()
    await hold(100, null)
    await orders.set('exposure', '1000')
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
    expect((await orders.place({ size: 100, isBuy: false })).status).toBe(200)
  })
})

describe('reads of the whole portfolio', () => {
  it('are bounded per account: an order beyond them is refused with 429, is not sent, and can be sent again', async () => {
    const reading = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const world = await suite.worldOf({
      lanes,
      clock: new ManualClock(noon),
      risk: {
        portfolioReads: new FairSemaphore({ ...portfolioReadLimits, perKey: 1, waitingPerKey: 0 }),
        portfolio: {
          async read() {
            reading.resolve()
            await goOn.promise
            throw new Fault('NOT_SUPPORTED', 'too large')
          },
        },
      },
    })
    const orders = limitedOrders(world)
    const [one, other] = [idOf(await orders.build({ size: 1 })), idOf(await orders.build({ size: 1 }))]
    await orders.set('dailyLoss', '10')
    const first = orders.submit(one)
    await reading.promise
    const second = await orders.submit(other)
    expect(refused(second)).toEqual([429, 'RATE_LIMITED'])
    expect(second.headers['retry-after']).toBeDefined()
    goOn.resolve()
    expect(refused(await first)).toEqual(beyond)
    expect(world.venue.placed).toEqual([])
    expect(refused(await orders.submit(other))).toEqual(beyond)
  })
})
