// Limits that need a live book or the portfolio: the price collar, the loss of the day, and the exposure.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import type { PositionBook, PositionBooks } from '#portfolio/ports'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, refused } from '#test/support/execution/suite'
import { tradingLane } from '#test/support/execution/tradingLane'

const { pg, worldOf, count } = executionSuite()
const beyond = [402, 'SPEND_CAP_EXCEEDED']
const lanes = [tradingLane('novig'), tradingLane('kalshi')]
const noon = Date.parse('2026-11-30T12:00:00Z')

/** The books of each outcome, by venue and outcome. */
class Books implements PositionBooks {
  readonly tops = new Map<string, [bid: number, ask: number] | 'silent'>()
  reads = 0
  async read(instruments: Parameters<PositionBooks['read']>[0]) {
    this.reads++
    return instruments.map(({ venue, outcomeId }) => {
      const top = this.tops.get(`${venue} ${outcomeId}`)
      return top === undefined ? ('none' as const) : top === 'silent' ? top : bookOf(top)
    })
  }
}
const bookOf = ([bid, ask]: [number, number]): PositionBook => ({
  bids: [
    { price: bid, size: 1_000_000 },
    { price: 0.01, size: 5 },
  ],
  asks: [{ price: ask, size: 1_000_000 }],
  lastPrice: null,
})

async function limited(clock = new ManualClock(noon)) {
  const books = new Books()
  const world = await worldOf({ lanes, clock, risk: { books } })
  /** A position that was acquired elsewhere. */
  const hold = (size: number, cost: number | null, { venue = 'novig', outcome = 'yes', at = noon - 86_400_000 } = {}) =>
    pg.pool.query(
      `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, market_id, outcome_id, size, cost, at, created_at)
       VALUES ($1, $1, gen_random_uuid(), decode(repeat('00', 32), 'hex'), 'position', $2, gen_random_uuid(), 'USD', 'market', $3, $4, $5, $6, now())`,
      [world.accountId, venue, outcome, size, cost, new Date(at)],
    )
  return { world, orders: limitedOrders(world), books, hold, clock }
}

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

describe('dailyLoss', () => {
  it('counts what positions lost since the day began, and lets what reduces risk pass', async () => {
    const { orders, books, hold } = await limited()
    // Bought at 0.5 the day before, worth 0.4 when this day is first looked at.
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
    const { orders, books, hold, clock } = await limited()
    await orders.set('dailyLoss', '10')
    await hold(100, 50, { at: noon - 1_000 })
    books.tops.set('novig yes', [0.39, 0.41])
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
    clock.advance(12 * 3_600_000)
    expect((await orders.place({ size: 1 })).status).toBe(200)
    books.tops.set('novig yes', [0.29, 0.31])
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
  })

  it('is of one venue where the limit names one', async () => {
    const { orders, books, hold } = await limited()
    await orders.set('dailyLoss', '10', { venue: 'kalshi' })
    await hold(100, 50, { at: noon - 1_000 })
    books.tops.set('novig yes', [0.01, 0.03])
    expect((await orders.place({ size: 1 }, 'novig')).status).toBe(200)
    expect((await orders.place({ size: 1 }, 'kalshi')).status).toBe(200)
  })

  it('refuses while the loss is unknown, and halts nothing for it', async () => {
    const { world, orders, books, hold } = await limited()
    await orders.set('dailyLoss', '10', { onBreach: 'halt' })
    await hold(100, 50)
    const reply = await orders.place({ size: 1 })
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('an amount that is not known in dollars')
    expect(await count('trading_halts WHERE account_id = $1', [world.accountId])).toBe(0)
    books.tops.set('novig yes', [0.49, 0.51])
    expect((await orders.place({ size: 1 })).status).toBe(200)
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

  it('of a position without a known cost is unknown, and refused', async () => {
    const { orders, hold } = await limited()
    await hold(100, null)
    await orders.set('exposure', '1000')
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
    expect((await orders.place({ size: 100, isBuy: false })).status).toBe(200)
  })
})
