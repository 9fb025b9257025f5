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
const starts = 'risk_day_starts WHERE day = $1::date'
const patiently = { timeout: 15_000 }

const bookAt = (bid: number, ask: number) => ({
  bids: [{ price: bid, size: 1e6 }],
  asks: [{ price: ask, size: 1e6 }],
  lastPrice: null,
})
const booksAt = (bid: number, ask: number): PositionBooks => ({
  read: async (instruments) => instruments.map(() => bookAt(bid, ask)),
})

/** Entered the day before. */
const hold = (accountId: string, venue = 'novig') =>
  pg.pool.query(
    `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, market_id, outcome_id, size, cost, at, created_at)
     VALUES ($1, $1, $2, decode(repeat('00', 32), 'hex'), 'position', $4, $2, 'USD', 'market', 'yes', 100, 50, $3, $3)`,
    [accountId, randomUUID(), new Date(midnight - 86_400_000), venue],
  )

it('is the profit at its first minute, for accounts with a limit, and stays', async () => {
  const clock = new ManualClock(midnight)
  let current = booksAt(0.39, 0.41)
  const books: PositionBooks = { read: (instruments) => current.read(instruments) }
  const world = await worldOf({ lanes: [tradingLane()], clock, risk: { books } })
  const orders = limitedOrders(world)
  await hold(world.accountId)
  await hold(await world.newAccount())
  await orders.set('dailyLoss', '10')
  const days = startRiskDays(world.risk)
  try {
    clock.advance(60_000)
    await expect.poll(() => count(starts, ['2026-11-30'])).toBe(1)
    current = booksAt(0.29, 0.31)
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

it('is read again for a venue whose figure was unknown, and not any more once every venue has one', async () => {
  const clock = new ManualClock(midnight)
  const silent = new Set(['kalshi'])
  const books: PositionBooks = {
    read: async (instruments) => instruments.map(({ venue }) => (silent.has(venue) ? 'silent' : bookAt(0.39, 0.41))),
  }
  const world = await worldOf({ lanes: [tradingLane('novig'), tradingLane('kalshi')], clock, risk: { books } })
  const { accountId } = world
  const limit = { keyId: null, venue: null, kind: 'dailyLoss', value: '10', onBreach: 'refuse', by: 'anna' } as const
  const reads = new Map<string, number>()
  const portfolio = {
    read: (id: string) => {
      reads.set(id, (reads.get(id) ?? 0) + 1)
      return world.risk.portfolio.read(id)
    },
  }
  const startsOf = (id: string) => count(`${starts} AND account_id = $2`, ['2026-11-30', id])
  /** Minutes pass until the account has so many figures. */
  const untilStarted = (id: string, figures: number) =>
    expect
      .poll(async () => {
        clock.advance(60_000)
        return startsOf(id)
      }, patiently)
      .toBe(figures)
  await hold(accountId, 'novig')
  await hold(accountId, 'kalshi')
  await world.risk.store.set({ ...limit, accountId, at: new Date(midnight) })
  const days = startRiskDays({ ...world.risk, portfolio })
  try {
    await untilStarted(accountId, 1)
    silent.clear()
    await untilStarted(accountId, 2)
    const complete = reads.get(accountId)
    expect(complete).toBeGreaterThanOrEqual(2)
    // Later passes, which another account shows to have been made.
    const other = await world.newAccount()
    await hold(other)
    await world.risk.store.set({ ...limit, accountId: other, at: new Date(midnight) })
    await untilStarted(other, 1)
    expect(reads.get(accountId)).toBe(complete)
  } finally {
    await days.stop()
  }
})
