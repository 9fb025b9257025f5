// Random histories of paper accounts in a real database, with a process that dies at any statement. However they end: cash and shares are
// conserved, reservations are exactly those of the working orders, and the portfolio's ledger has the same cash. Many more histories, without a
// database: test/src/paper/exchange/histories.test.ts.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { compareDecimals, fromUnits, multiplyDecimals, readDecimal, roundDecimal, toUnits } from '#core/decimal'
import { exactPaperFee, type PaperFeeModel, purchaseReserve } from '#paper/accounts/fees'
import { readingPaperFills } from '#paper/lane/index'
import { createPortfolioReader } from '#portfolio/index'
import { paperRules } from '#roles/paperRules'
import type { Market } from '#schemas/market'
import { ensurePaperAccount } from '#storage/postgres/paper/accounts'
import type { PaperOrderEvent } from '#storage/postgres/paper/apply'
import type { PaperLease } from '#storage/postgres/paper/lease'
import { createPaperExchangeStore, createPaperStore, PaperEventsRefused } from '#storage/postgres/paper/store'
import type { Pool } from '#storage/postgres/pool'
import { createPortfolioStore } from '#storage/postgres/portfolio/store'
import { Crashed, crashingPool } from '#test/support/paper/crashingPool'
import { market } from '#test/support/paper/histories'
import { withPostgres } from '#test/support/postgres'
import { isLong } from '#test/support/shortRuns'
import '#test/support/seed'
import { systemClock } from '#core/clock'
import { kalshiLane } from '#venues/kalshi/exec/index'

const postgres = withPostgres()
const startCash = '50'
/** At the same time, each with an account and a market of its own. */
const together = 10
/** Each takes some tens of milliseconds. */
const cases = isLong ? 500 : 60
const model: PaperFeeModel = {
  taker: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
  makerRate: 0.0175,
}

type Step = { crashAt: number } & (
  | { kind: 'place'; isBuy: boolean; isYes: boolean; price: number; size: number }
  | { kind: 'fill'; order: number; part: number; better: number; isTaker: boolean; ends: boolean }
  | { kind: 'end'; order: number }
  | { kind: 'cancel'; order: number }
  | { kind: 'modify'; order: number; price: number; size: number }
  | { kind: 'deposit'; amount: number }
  | { kind: 'settle' }
  | { kind: 'reset' }
)

const crashAt = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 }))
const order = fc.nat(5)
const price = fc.integer({ min: 1, max: 99 })
const size = fc.integer({ min: 1, max: 60 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('place' as const),
        isBuy: fc.boolean(),
        isYes: fc.boolean(),
        price,
        size,
        crashAt,
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        ...{ kind: fc.constant('fill' as const), order, crashAt, isTaker: fc.boolean(), ends: fc.boolean() },
        part: fc.double({ min: 0.05, max: 1, noNaN: true }),
        better: fc.nat(20),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), order, crashAt }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), order, crashAt }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('modify' as const), order, price, size, crashAt }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('deposit' as const), amount: fc.integer({ min: 1, max: 30 }), crashAt }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const), crashAt }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), crashAt }) },
  ),
  { minLength: 3, maxLength: 14 },
)

interface History {
  accountId: string
  /** The outcomes of its market, of which the first is its id, too. */
  yes: string
  no: string
  /** The market once it has been resolved; null: it trades. */
  resolved: Market | null
}

let lease: PaperLease
beforeAll(async () => {
  lease = (await createPaperExchangeStore(postgres.pool, paperRules).hold('test', null))!
})

async function begin(): Promise<History> {
  const { id: accountId } = await ensurePaperAccount(postgres.pool, randomUUID())
  const yes = `KX-${randomUUID()}`
  return { accountId, yes, no: `${yes}-NO`, resolved: null }
}

async function play(steps: readonly Step[]): Promise<void> {
  const { pool } = postgres
  const history = await begin()
  for (const step of steps) {
    const crash = crashingPool(pool, step.crashAt)
    try {
      await perform(crash.pool, history, step)
    } catch (error) {
      const cause = error instanceof PaperEventsRefused ? error.cause : error
      if (!(cause instanceof Crashed)) throw error
    }
    if (!crash.crashed()) continue
    await check(pool, history)
    // It is done again after the restart.
    await perform(pool, history, step)
  }
  await check(pool, history)
}

async function perform(pool: Pool, history: History, step: Step): Promise<void> {
  const { accountId, yes, no } = history
  const store = createPaperStore(pool, paperRules)
  const exchange = createPaperExchangeStore(pool, paperRules)
  const at = new Date()
  const working = async () => {
    const { rows } = await postgres.pool.query<{
      execution_id: string
      version: number
      price: string
      size: string
      filled: string
      is_buy: boolean
    }>(
      `SELECT execution_id, version, price, size, filled, is_buy FROM paper_orders WHERE account_id = $1 AND state = 'working' ORDER BY seq`,
      [accountId],
    )
    return 'order' in step && rows.length > 0 ? rows[step.order % rows.length]! : null
  }
  const apply = async (executionId: string, version: number, events: PaperOrderEvent[]): Promise<void> => {
    await exchange.apply(lease, [{ executionId, accountId, version, events }])
  }
  switch (step.kind) {
    case 'place': {
      if (history.resolved !== null) return
      const executionId = await submitted(postgres.pool, history, step)
      const limit = fromUnits(BigInt(step.price), 2)
      await store.place({
        ...{
          executionId,
          accountId,
          startCash,
          at,
          feeModel: model,
          venue: 'kalshi',
          ref: executionId,
          isBuy: step.isBuy,
        },
        ...{ marketId: yes, outcomeId: step.isYes ? yes : no, bookId: yes, complement: !step.isYes, currency: 'USD' },
        ...{ timeInForce: 'GTC', postOnly: false, expiresAt: null, price: limit, size: String(step.size) },
        reserve: step.isBuy
          ? purchaseReserve(model, { price: limit, size: String(step.size), hasFills: false })
          : String(step.size),
      })
      return
    }
    case 'fill': {
      const row = await working()
      if (row === null) return
      const left = toUnits(readDecimal(row.size)!, 6) - toUnits(readDecimal(row.filled)!, 6)
      const part = (left * BigInt(Math.max(1, Math.round(step.part * 1_000)))) / 1_000n
      if (part === 0n) return
      const limit = Math.round(Number(row.price) * 100)
      const cents = row.is_buy ? Math.max(1, limit - step.better) : Math.min(99, limit + step.better)
      const fill: PaperOrderEvent = {
        ...{ kind: 'fill', price: fromUnits(BigInt(cents), 2), size: fromUnits(part, 6), at },
        liquidity: step.isTaker ? 'taker' : 'maker',
        evidence: { bookEpoch: 1, bookSeq: 1, tradeIds: [] },
      }
      const end: PaperOrderEvent[] = step.ends ? [{ kind: 'ended', state: 'canceled', reason: null, at }] : []
      await apply(row.execution_id, row.version, [fill, ...end])
      return
    }
    case 'end': {
      const row = await working()
      if (row !== null)
        await apply(row.execution_id, row.version, [{ kind: 'ended', state: 'expired', reason: null, at }])
      return
    }
    case 'cancel': {
      const row = await working()
      if (row !== null) await store.cancel({ accountId, venue: 'kalshi', ref: row.execution_id, byExecution: null, at })
      return
    }
    case 'modify': {
      const row = await working()
      if (row === null) return
      const limit = fromUnits(BigInt(step.price), 2)
      await store.modify({
        ...{
          accountId,
          venue: 'kalshi',
          ref: row.execution_id,
          byExecution: null,
          at,
          price: limit,
          size: String(step.size),
        },
        reserveOf: (found, to, remaining) =>
          purchaseReserve(model, { price: to, size: remaining, hasFills: found.fills > 0 }),
      })
      return
    }
    case 'deposit': {
      const amount = String(step.amount)
      const place = { accountId, keyId: accountId, venue: 'kalshi', currency: 'USD' }
      await store.deposit({
        ...place,
        id: randomUUID(),
        amount,
        key: randomUUID(),
        bodySha256: Buffer.alloc(32),
        cashMax: '1000000',
        startCash,
        at,
      })
      return
    }
    case 'settle': {
      history.resolved = market(history, 'resolved', { [yes]: 1, [no]: 0 })
      const values = new Map([
        [yes, '1'],
        [no, '0'],
      ])
      await exchange.settle(lease, { venue: 'kalshi', marketId: yes, values, at }, 1_000)
      return
    }
    case 'reset':
      await store.reset({ accountId, keyId: accountId, id: randomUUID(), startCash, at })
  }
}

/** An execution as its submit leaves it. */
async function submitted(
  pool: Pool,
  { accountId, yes, no }: History,
  { isBuy, isYes, price: cents, size: contracts }: Extract<Step, { kind: 'place' }>,
): Promise<string> {
  const id = randomUUID()
  const terms = {
    ...{ marketId: yes, outcomeId: isYes ? yes : no, outcomeSide: isYes ? 'YES' : 'NO', isBuy },
    price: fromUnits(BigInt(cents), 2),
    size: String(contracts),
  }
  await pool.query(
    `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, terms, summary,
       venue_ref, created_at, updated_at)
     VALUES ($1::uuid, $2, $2, 'kalshi', 'order', 'submitted', 1, '{}', decode(repeat('00', 32), 'hex'), '{}', $3, '{"currency": "USD"}', $1::uuid::text,
       now(), now())`,
    [id, accountId, JSON.stringify(terms)],
  )
  return id
}

const sums = `
  SELECT
    coalesce((SELECT sum(cash) FROM paper_balances WHERE account_id = $1), 0) AS cash,
    coalesce((SELECT sum(reserved) FROM paper_balances WHERE account_id = $1), 0) AS reserved,
    coalesce((SELECT sum(cash) FROM portfolio_imports WHERE account_id = $1 AND kind = 'transfer'), 0)
      + coalesce((SELECT sum(CASE WHEN is_buy THEN -cash - fee ELSE cash - fee END) FROM paper_fills WHERE account_id = $1), 0)
      + coalesce((SELECT sum(cash) FROM paper_settlements WHERE account_id = $1), 0) AS flow,
    coalesce((SELECT sum(reserved) FROM paper_orders WHERE account_id = $1 AND state = 'working' AND is_buy), 0) AS held,
    coalesce((SELECT sum(reserved) FROM paper_positions WHERE account_id = $1), 0) AS reserved_shares,
    coalesce((SELECT sum(size - filled) FROM paper_orders WHERE account_id = $1 AND state = 'working' AND NOT is_buy), 0) AS held_shares,
    coalesce((SELECT sum(quantity) FROM paper_positions WHERE account_id = $1), 0) AS shares,
    coalesce((SELECT sum(CASE WHEN is_buy THEN size ELSE -size END) FROM paper_fills WHERE account_id = $1), 0)
      + coalesce((SELECT sum(size) FROM portfolio_imports WHERE account_id = $1 AND kind = 'position'), 0)
      - coalesce((SELECT sum(quantity) FROM paper_settlements WHERE account_id = $1), 0) AS share_flow,
    (SELECT count(*) FROM paper_fills WHERE account_id = $1) AS fills,
    (SELECT count(*) FROM execution_fills WHERE account_id = $1) AS recorded,
    (SELECT count(*) FROM paper_orders o JOIN executions e ON e.id = o.execution_id WHERE o.account_id = $1
       AND e.status <> CASE o.state WHEN 'working' THEN e.status WHEN 'rejected' THEN 'failed' ELSE o.state END) AS apart`

async function check(pool: Pool, history: History): Promise<void> {
  const { accountId, resolved } = history
  const { rows } = await pool.query<Record<string, string>>(sums, [accountId])
  const found = Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, readDecimal(value)!]))
  expect(found.cash, 'cash is what came in and what went out').toBe(found.flow)
  expect(found.reserved, 'what purchases hold').toBe(found.held)
  expect(found.shares, 'shares are those of the fills').toBe(found.share_flow)
  expect(found.reserved_shares, 'what sales hold').toBe(found.held_shares)
  expect(found.recorded, 'every fill is in the journal once').toBe(found.fills)
  expect(found.apart, 'every execution follows its order').toBe('0')
  expect(compareDecimals(found.cash!, found.reserved!)).toBeGreaterThanOrEqual(0)
  const { ledger, unreadable, unexplained } = await readerOf(pool, history).read(accountId)
  expect([unreadable, unexplained]).toEqual([[], []])
  const cash = ledger.cash.find(({ venue }) => venue === 'kalshi')?.cash ?? '0'
  if (resolved === null) expect(cash, 'the ledger has the same cash').toBe(found.cash)
}

const readerOf = (pool: Pool, { resolved, yes }: History) =>
  createPortfolioReader({
    store: createPortfolioStore(pool),
    lanes: new Map([['kalshi', readingPaperFills(kalshiLane)]]),
    catalog: { findMarketsByIds: async () => new Map(resolved === null ? [] : [[`kalshi:${yes}`, resolved]]) },
    books: { read: async (instruments) => instruments.map(() => 'none' as const) },
    clock: systemClock,
  })

it(
  'conserves cash and shares over random histories with crashes',
  async () => {
    const several = fc.array(steps, { minLength: together, maxLength: together })
    const property = fc.asyncProperty(several, async (histories) => void (await Promise.all(histories.map(play))))
    await fc.assert(property, { numRuns: cases / together })
  },
  isLong ? 3_600_000 : 120_000,
)

it('charges the exact fee of its model, rounded once per order', async () => {
  const { pool } = postgres
  const history = await begin()
  await perform(pool, history, { kind: 'place', isBuy: true, isYes: true, price: 40, size: 30, crashAt: 0 })
  const one = { kind: 'fill', order: 0, better: 0, isTaker: true, ends: false, crashAt: 0 } as const
  await perform(pool, history, { ...one, part: 0.3333 })
  await perform(pool, history, { ...one, part: 1 })
  const { rows } = await pool.query<{ fee: string; size: string }>(
    'SELECT sum(fee) AS fee, sum(size) AS size FROM paper_fills WHERE account_id = $1',
    [history.accountId],
  )
  const exact = exactPaperFee(model, { price: '0.4', size: readDecimal(rows[0]!.size)!, liquidity: 'taker' })
  expect(readDecimal(rows[0]!.fee)).toBe(roundDecimal(exact, 2, 'up'))
  expect(multiplyDecimals('0.4', readDecimal(rows[0]!.size)!)).toBe('12')
})
