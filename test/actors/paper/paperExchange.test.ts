// The paper exchange with a real database and books made by hand: what orders become, what their executions show, and what a restart, a second
// process or a closed market does.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  type PaperExchangeActor,
  type PaperExchangeActorOptions,
  startPaperExchange,
} from '#actors/paper/paperExchangeActor'
import { type Clock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { readingPaperFills } from '#paper/lane/index'
import { createPortfolioReader } from '#portfolio/index'
import { paperRules } from '#roles/paperRules'
import type { Market } from '#schemas/market'
import type { BookUpdate, TradeUpdate } from '#schemas/topics'
import { applyPaperEvents } from '#storage/postgres/paper/apply'
import { fencePaperLease } from '#storage/postgres/paper/lease'
import { createPaperExchangeStore } from '#storage/postgres/paper/store'
import { createPortfolioStore } from '#storage/postgres/portfolio/store'
import { type AccountWorld, createAccountWorld, no, yes } from '#test/support/paper/accountWorld'
import { withPostgres } from '#test/support/postgres'
import { kalshiLane } from '#venues/kalshi/exec/index'
import { kalshi } from '#venues/kalshi/index'

const postgres = withPostgres()
const waiting = { timeout: 20_000, interval: 20 }
let here: AccountWorld
const running: PaperExchangeActor[] = []
/** As the exchange finds it; null: not in the catalog. */
let listed: Market | null
let held: BookUpdate | undefined
let seq = 0

beforeEach(async () => {
  here = await createAccountWorld(postgres.pool)
  listed = here.listed.market
  held = undefined
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((exchange) => exchange.stop()))
  // Its orders must not be taken up by the next test.
  await postgres.pool.query(`UPDATE paper_orders SET state = 'canceled', reserved = 0 WHERE state = 'working'`)
})

function start(more: Partial<PaperExchangeActorOptions> = {}): PaperExchangeActor {
  const exchange = startPaperExchange({
    holder: randomUUID(),
    store: createPaperExchangeStore(postgres.pool, paperRules),
    settings: { latencyMedianMs: 0, latencySigma: 0, cancelShareAhead: 0.5, seed: 't' },
    bookAt: () => held,
    isComplement: (_venue, outcomeId, marketId) => kalshi.data.bookRef(outcomeId, marketId)?.complement ?? null,
    watch: () => undefined,
    findMarkets: async (wanted) =>
      new Map(wanted.flatMap(({ venue, marketId }) => (listed === null ? [] : [[`${venue}:${marketId}`, listed]]))),
    paysItself: () => true,
    clock: systemClock,
    log: silentLog,
    ...more,
  })
  running.push(exchange)
  return exchange
}

function book(bids: [number, number][], asks: [number, number][]): BookUpdate {
  const levels = (side: [number, number][]) => side.map(([price, size]) => ({ price, size }))
  const core = JSON.stringify({ bids: levels(bids), asks: levels(asks), timestamp: 1 }).slice(0, -1)
  held = {
    ...{ venue: 'kalshi', marketId: yes, state: 'live', seq: ++seq, epoch: 1, eventTs: null, recvTs: 1 },
    core: Buffer.from(core),
    lastTradeMicros: null,
  }
  return held
}

const trade = (price: number, shares: number): TradeUpdate => ({
  ...{ venue: 'kalshi', marketId: yes, outcomeId: yes, recvTs: 1 },
  data: {
    ...{ id: `t-${++seq}`, price, shares, type: 'Sell', time: '', timestamp: Date.now(), usd: null, outcome: null },
    ...{ outcomeIndex: null, maker: null, transactionHash: null, wallet: null, counterparty: null },
  },
})

const becomes = (id: string, status: string): Promise<void> =>
  vi.waitFor(async () => expect((await here.execution(id)).status).toBe(status), waiting)

const filled = (id: string, size: string): Promise<void> =>
  vi.waitFor(async () => {
    const { json } = await here.world.get(`/v1/paper/orders/${id}`)
    expect(json.data.filled).toBe(size)
  }, waiting)

const ledgerCash = async (): Promise<string | null | undefined> => {
  const reader = createPortfolioReader({
    store: createPortfolioStore(postgres.pool),
    lanes: new Map([['kalshi', readingPaperFills(kalshiLane)]]),
    catalog: {
      findMarketsByIds: async () => new Map(listed === null ? [] : [[`kalshi:${yes}`, listed]]),
    },
    books: { read: async (instruments) => instruments.map(() => 'none' as const) },
    clock: systemClock,
  })
  const { ledger } = await reader.read(here.accountId)
  return ledger.cash.find(({ venue }) => venue === 'kalshi')?.cash
}

it('takes from the book level by level, and the portfolio has the same cash', async () => {
  book(
    [[0.4, 10]],
    [
      [0.5, 4],
      [0.55, 20],
    ],
  )
  start()
  const id = await here.place({ price: '0.60', size: 10 })
  await becomes(id, 'filled')
  const { json } = await here.world.get('/v1/paper/fills')
  expect(json.data.map(({ price, size, liquidity }: Record<string, string>) => [price, size, liquidity])).toEqual([
    ['0.5', '4', 'taker'],
    ['0.55', '6', 'taker'],
  ])
  const { balances, positions } = await here.account()
  expect(positions).toMatchObject([{ outcomeId: yes, quantity: '10', reserved: '0' }])
  expect(balances[0].reserved).toBe('0')
  expect(await ledgerCash()).toBe(balances[0].cash)
})

it('records the fills of a resting order as they happen, and keeps the order on a restart', async () => {
  book([[0.3, 10]], [[0.7, 10]])
  const first = start()
  const id = await here.place({ price: '0.40', size: 10 })
  await vi.waitFor(async () => {
    expect((await here.world.get(`/v1/paper/orders/${id}`)).json.data.queueAhead).toBe('0')
  }, waiting)
  first.onTrade(trade(0.4, 3))
  await filled(id, '3')
  expect(await here.execution(id)).toMatchObject({ status: 'acked', matched_size: '3' })
  expect(await ledgerCash()).toBe((await here.account()).balances[0].cash)

  await running.pop()!.stop()
  const second = start()
  await vi.waitFor(() => expect(second.stats().working).toBe(1), waiting)
  second.onTrade(trade(0.35, 50))
  await becomes(id, 'filled')
  expect((await here.account()).positions).toMatchObject([{ quantity: '10' }])
})

it('records a fill once when the answer to its transaction is lost before the commit', async () => {
  book([[0.3, 10]], [[0.5, 4]])
  const id = await here.place({ price: '0.60', size: 10 })
  const store = createPaperExchangeStore(postgres.pool, paperRules)
  const late = await postgres.pool.connect()
  let isLost = false
  const exchange = start({
    store: {
      ...store,
      async apply(lease, batch) {
        if (isLost) return store.apply(lease, batch)
        isLost = true
        await late.query('BEGIN')
        await fencePaperLease(late, lease)
        await applyPaperEvents(late, paperRules, batch)
        throw new Error('the answer was lost')
      },
    },
  })
  try {
    await vi.waitFor(async () => {
      const { rows } = await postgres.pool.query<{ waits: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`,
      )
      expect(rows[0]!.waits).toBe(true)
    }, waiting)
    await late.query('COMMIT')
    await vi.waitFor(() => expect(exchange.stats()).toMatchObject({ working: 1, restarts: 1 }), waiting)
    exchange.onTrade(trade(0.35, 50))
    await becomes(id, 'filled')
  } finally {
    await late.query('ROLLBACK')
    late.release()
  }
  const { json } = await here.world.get('/v1/paper/fills')
  expect(json.data.map(({ size }: Record<string, string>) => size)).toEqual(['4', '6'])
})

it('stores the events of the other orders while those of one cannot be stored, and tries these again', async () => {
  book([[0.3, 10]], [[0.5, 100]])
  const bad = await here.place({ price: '0.60', size: 10 })
  const good = await here.place({ price: '0.60', size: 4 })
  await postgres.pool.query(
    `CREATE FUNCTION refuse_fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no fill'; END $$;
     CREATE TRIGGER refuse_fill BEFORE INSERT ON paper_fills FOR EACH ROW WHEN (NEW.execution_id = '${bad}') EXECUTE FUNCTION refuse_fill()`,
  )
  const exchange = start()
  try {
    await becomes(good, 'filled')
    await vi.waitFor(() => expect(exchange.stats()).toMatchObject({ held: 1, waiting: 1, restarts: 0 }), waiting)
    expect((await here.execution(bad)).status).toBe('acked')
    const later = await here.place({ price: '0.60', size: 2 })
    exchange.ordersChanged()
    await becomes(later, 'filled')
  } finally {
    await postgres.pool.query('DROP FUNCTION refuse_fill CASCADE')
  }
  await becomes(bad, 'filled')
  expect(exchange.stats()).toMatchObject({ held: 0, waiting: 0, restarts: 0 })
  expect(exchange.stats().refused).toBeGreaterThan(0)
  const { rows } = await postgres.pool.query<{ size: string }>(
    'SELECT sum(size)::text AS size FROM paper_fills WHERE account_id = $1',
    [here.accountId],
  )
  expect(Number(rows[0]!.size)).toBe(16)
})

it('sets no timer that the runtime cannot hold for an order that expires in months', async () => {
  book([[0.3, 10]], [[0.7, 10]])
  const id = await here.place({ price: '0.40', size: 10 })
  await postgres.pool.query(
    `UPDATE paper_orders SET time_in_force = 'GTD', expires_at = now() + interval '60 days' WHERE execution_id = $1`,
    [id],
  )
  const delays: number[] = []
  const clock: Clock = {
    ...systemClock,
    after(delayMs, run) {
      delays.push(delayMs)
      return systemClock.after(delayMs, run)
    },
  }
  const store = createPaperExchangeStore(postgres.pool, paperRules)
  let reads = 0
  const listWorking: typeof store.listWorking = (page) => {
    reads++
    return store.listWorking(page)
  }
  const exchange = start({ clock, store: { ...store, listWorking } })
  await vi.waitFor(() => {
    exchange.ordersChanged()
    // The order arrives at its book before the second read, and the timer is set before the third.
    expect(reads).toBeGreaterThan(2)
  }, waiting)
  expect(Math.max(...delays)).toBeLessThan(2 ** 31)
})

it('is run by one process at a time', async () => {
  book([[0.3, 10]], [[0.7, 10]])
  const first = start()
  await vi.waitFor(() => expect(first.stats().isRunning).toBe(true), waiting)
  const second = start()
  const id = await here.place({ price: '0.40', size: 10 })
  await vi.waitFor(() => expect(first.stats().working).toBe(1), waiting)
  expect(second.stats()).toMatchObject({ isRunning: false, working: 0 })
  await first.stop()
  running.splice(running.indexOf(first), 1)
  await vi.waitFor(() => expect(second.stats().working).toBe(1), waiting)
  second.onTrade(trade(0.3, 10))
  await becomes(id, 'filled')
})

it('cancels when the request reaches the book, and gives the reservation back', async () => {
  book([[0.3, 10]], [[0.7, 10]])
  start()
  const id = await here.place({ price: '0.40', size: 10 })
  const built = await here.post(`${id}/cancel`, {})
  await here.post(`${built.json.data.executionId}/submit`, {})
  await becomes(id, 'canceled')
  expect((await here.account()).balances[0]).toMatchObject({ cash: '100', reserved: '0' })
})

it('puts a modified order at the end of the queue with its new terms', async () => {
  book([[0.3, 10]], [[0.7, 10]])
  const exchange = start()
  const id = await here.place({ price: '0.40', size: 10 })
  await vi.waitFor(() => expect(exchange.stats().working).toBe(1), waiting)
  const built = await here.post(`${id}/modify`, { price: '0.70', size: 12 })
  const sent = await here.post(`${built.json.data.executionId}/submit`, {})
  expect(sent.json.data?.status, sent.text).toBe('acked')
  await filled(id, '10')
  expect((await here.world.get('/v1/paper/fills')).json.data).toMatchObject([{ price: '0.7', size: '10' }])
})

it('sells what is held, also of the outcome that is one minus the book', async () => {
  book([[0.6, 50]], [[0.7, 50]])
  start()
  await becomes(await here.place({ outcome: 'NO', price: '0.45', size: 20 }), 'filled')
  expect((await here.account()).positions).toMatchObject([{ outcomeId: no, quantity: '20' }])
  await becomes(await here.place({ outcome: 'NO', isBuy: false, price: '0.25', size: 20 }), 'filled')
  const { positions, balances } = await here.account()
  expect(positions).toEqual([])
  expect(await ledgerCash()).toBe(balances[0].cash)
})

it('pays the positions of a resolved market, and cancels its orders', async () => {
  book([[0.4, 10]], [[0.5, 50]])
  start()
  await becomes(await here.place({ price: '0.60', size: 10 }), 'filled')
  const resting = await here.place({ price: '0.20', size: 10 })
  const before = (await here.account()).balances[0].cash
  const resolved = listed!.outcomes.map((outcome) => ({ ...outcome, price: outcome.outcomeId === yes ? 1 : 0 }))
  await running.pop()!.stop()
  listed = { ...listed!, status: 'resolved', outcomes: resolved }
  start()
  await becomes(resting, 'canceled')
  await vi.waitFor(async () => expect((await here.account()).positions).toEqual([]), waiting)
  const { balances } = await here.account()
  expect(Number(balances[0].cash)).toBeCloseTo(Number(before) + 10, 6)
  expect(await ledgerCash()).toBe(balances[0].cash)
})

it('renews its lease between the transactions that pay a resolved market', async () => {
  const accountIds = [here.accountId, await here.newAccount()]
  for (const accountId of accountIds) {
    await postgres.pool.query(
      `WITH b AS (INSERT INTO paper_balances (account_id, venue, currency, cash) VALUES ($1, 'kalshi', 'USD', 0))
       INSERT INTO paper_positions (account_id, venue, market_id, outcome_id, currency, quantity) VALUES ($1, 'kalshi', $2, $2, 'USD', 10)`,
      [accountId, yes],
    )
  }
  const resolved = listed!.outcomes.map((outcome) => ({ ...outcome, price: outcome.outcomeId === yes ? 1 : 0 }))
  listed = { ...listed!, status: 'resolved', outcomes: resolved }
  const store = createPaperExchangeStore(postgres.pool, paperRules)
  const steps: string[] = []
  let later = 0
  start({
    clock: { ...systemClock, monotonic: () => systemClock.monotonic() + later },
    store: {
      ...store,
      hold(holder, term) {
        steps.push('hold')
        return store.hold(holder, term)
      },
      async settle(lease, market, limit) {
        steps.push('settle')
        // A slow database.
        later += 3_000
        return (await store.settle(lease, market, 1)) === 1 ? limit : 0
      },
    },
  })
  await vi.waitFor(async () => {
    const { rows } = await postgres.pool.query(
      'SELECT 1 FROM paper_positions WHERE account_id = ANY($1::uuid[]) AND quantity > 0',
      [accountIds],
    )
    expect(rows).toEqual([])
  }, waiting)
  const settled = steps.flatMap((step, index) => (step === 'settle' ? [index] : []))
  expect(settled.length).toBeGreaterThan(1)
  for (const index of settled) expect(steps[index - 1]).toBe('hold')
})

it('rejects a post-only order that would take, and says so', async () => {
  book([[0.4, 10]], [[0.5, 10]])
  start()
  const id = await here.place({ price: '0.60', size: 5, postOnly: true })
  await becomes(id, 'failed')
  expect((await here.execution(id)).error).toContain('post-only')
  expect((await here.account()).balances[0]).toMatchObject({ cash: '100', reserved: '0' })
})

it('ends an execution that was submitted and never reached it', async () => {
  const id = await here.build()
  await postgres.pool.query(
    `UPDATE executions SET status = 'submitted', updated_at = now() - interval '2 minutes' WHERE id = $1`,
    [id],
  )
  start()
  await becomes(id, 'failed')
})
