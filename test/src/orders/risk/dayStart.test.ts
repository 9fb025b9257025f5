// The beginning of a day, recorded without an order.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { startRiskDays } from '#orders/risk/index'
import type { PositionBooks } from '#portfolio/ports'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, refused } from '#test/support/execution/suite'
import { tradingLane } from '#test/support/execution/tradingLane'

const { pg, worldOf, count } = executionSuite()
const midnight = Date.parse('2026-11-30T00:00:00Z')
const bookAt = (bid: number, ask: number): PositionBooks => ({
  read: async (instruments) =>
    instruments.map(() => ({ bids: [{ price: bid, size: 1e6 }], asks: [{ price: ask, size: 1e6 }], lastPrice: null })),
})

it('is the profit at its first minute, for accounts with a limit, and stays', async () => {
  const clock = new ManualClock(midnight)
  let book = bookAt(0.39, 0.41)
  const books: PositionBooks = { read: (instruments) => book.read(instruments) }
  const world = await worldOf({ lanes: [tradingLane()], clock, risk: { books } })
  const orders = limitedOrders(world)
  const hold = (accountId: string) =>
    pg.pool.query(
      `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, market_id, outcome_id, size, cost, at, created_at)
       VALUES ($1, $1, $2, decode(repeat('00', 32), 'hex'), 'position', 'novig', $2, 'USD', 'market', 'yes', 100, 50, $3, now())`,
      [accountId, randomUUID(), new Date(midnight - 86_400_000)],
    )
  await hold(world.accountId)
  await hold(await world.newAccount())
  await orders.set('dailyLoss', '10')
  const starts = 'risk_day_starts WHERE day = $1::date'
  const days = startRiskDays(world.risk)
  try {
    clock.advance(60_000)
    await expect.poll(() => count(starts, ['2026-11-30'])).toBe(1)
    book = bookAt(0.29, 0.31)
    clock.advance(60_000)
    expect(refused(await orders.place({ size: 1 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
    clock.stall(86_400_000)
    clock.advance(60_000)
    await expect.poll(() => count(starts, ['2026-12-01'])).toBe(1)
    expect((await orders.place({ size: 1 })).status).toBe(200)
    expect(await count(`${starts} AND pnl = -10`, ['2026-11-30'])).toBe(1)
  } finally {
    await days.stop()
  }
})
