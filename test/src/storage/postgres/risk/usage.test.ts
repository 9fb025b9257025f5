// What an account uses of its limits, from rows as the order path writes them.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RiskOrder, readRiskUse, type ScopeUse } from '#storage/postgres/risk/usage'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
let accountId: string

interface Given {
  status: 'built' | 'submitted' | 'acked' | 'filled' | 'canceled' | 'failed' | 'expired'
  intent?: 'order' | 'modify' | 'cancel'
  isBuy?: boolean
  size?: number
  price?: number
  usd?: string | null
  matched?: string
  /** The venue's id; its own by default. */
  ref?: string | null
  target?: string
  outcome?: string
  venue?: string
  keyId?: string
}

beforeEach(async () => {
  const { rows } = await postgres.pool.query<{ id: string }>('INSERT INTO accounts (name) VALUES ($1) RETURNING id', [
    randomUUID(),
  ])
  accountId = rows[0]!.id
})

async function add(given: Given): Promise<string> {
  const { status, intent = 'order', isBuy = true, size = 10, price = 0.5, matched = null, target = null } = given
  const id = randomUUID()
  const terms = {
    marketId: 'm',
    outcomeId: given.outcome ?? 'yes',
    outcomeSide: 'YES',
    isBuy,
    price: String(price),
    size: String(size),
  }
  await postgres.pool.query(
    `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, terms, venue_ref,
       notional_usd, matched_size, target_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 1, '{}', decode(repeat('00', 32), 'hex'), '{}', $7, $8, $9, $10, $11, now(), now())`,
    [
      ...[id, accountId, given.keyId ?? accountId, given.venue ?? 'novig', intent, status],
      ...[JSON.stringify(terms), given.ref === undefined ? id : given.ref],
      ...[given.usd === undefined ? String((isBuy ? price : 1 - price) * size) : given.usd, matched, target],
    ],
  )
  return id
}

const account = { keyId: null, venue: null }
async function useOf(
  own: Partial<RiskOrder> = {},
  scope: { keyId: string | null; venue: string | null } = account,
): Promise<ScopeUse> {
  const order: RiskOrder = {
    id: randomUUID(),
    accountId,
    keyId: accountId,
    venue: 'novig',
    targetId: null,
    keptRef: null,
    marketId: 'm',
    outcomeId: 'yes',
    isBuy: true,
    size: '10',
    notionalUsd: '5',
    ...own,
  }
  return (await readRiskUse(postgres.pool, order, [scope]))[0]!
}
const useBefore = async (own?: Partial<RiskOrder>) => (await useOf(own)).before

describe('an account without orders', () => {
  it('uses what the order adds', async () => {
    const nothing = { openOrders: 0, openUsd: '0', openUsdWhole: '0', net: '0', openBuys: '0', openSells: '0' }
    expect(await useOf()).toEqual({
      before: nothing,
      after: { ...nothing, openOrders: 1, openUsd: '5', openUsdWhole: '5', openBuys: '10' },
    })
  })
})

describe('open orders', () => {
  it('are those that were sent and have not ended; builds and cancellations are not among them', async () => {
    await add({ status: 'submitted' })
    const acked = await add({ status: 'acked' })
    for (const status of ['built', 'canceled', 'failed', 'expired'] as const) await add({ status })
    await add({ status: 'submitted', intent: 'cancel', target: acked })
    expect(await useBefore()).toMatchObject({ openOrders: 2, openUsd: '10', openBuys: '20', openSells: '0', net: '0' })
  })

  it('count for what is left of them', async () => {
    await add({ status: 'acked', size: 10, matched: '4' })
    expect(await useBefore()).toMatchObject({ openOrders: 1, openUsd: '3', openUsdWhole: '5', net: '4', openBuys: '6' })
  })

  it('of unknown dollar value make the sum unknown', async () => {
    await add({ status: 'acked', usd: null })
    expect(await useBefore()).toMatchObject({ openOrders: 1, openUsd: null, openUsdWhole: null })
  })
})

describe('an order and its modifications', () => {
  it('count once, as last accepted, where the venue keeps the order', async () => {
    const order = await add({ status: 'acked', size: 10, matched: '4' })
    await add({ status: 'acked', intent: 'modify', target: order, ref: order, size: 7, matched: '4' })
    expect(await useBefore()).toMatchObject({
      openOrders: 1,
      openUsd: '1.5',
      openUsdWhole: '3.5',
      net: '4',
      openBuys: '3',
    })
  })

  it('count once where the venue replaces it, with the fills of both', async () => {
    const order = await add({ status: 'acked', size: 10, matched: '4' })
    await add({ status: 'acked', intent: 'modify', target: order, size: 6, matched: '1' })
    expect(await useBefore()).toMatchObject({ openOrders: 1, net: '5', openBuys: '5' })
  })

  it('count for the most that may be open while the outcome of a modification is unknown', async () => {
    const order = await add({ status: 'acked', size: 10 })
    await add({ status: 'submitted', intent: 'modify', target: order, ref: null, size: 25 })
    expect(await useBefore()).toMatchObject({ openOrders: 1, openBuys: '25', openUsd: '12.5' })
  })

  it('are found through modifications of modifications that have ended', async () => {
    const order = await add({ status: 'canceled', size: 10 })
    const first = await add({ status: 'canceled', intent: 'modify', target: order, size: 8 })
    await add({ status: 'acked', intent: 'modify', target: first, size: 6 })
    await add({ status: 'submitted', intent: 'modify', target: first, ref: null, size: 5 })
    expect(await useBefore()).toMatchObject({ openOrders: 1, openBuys: '6' })
  })

  it('with this modification use no more if it is for less', async () => {
    const order = await add({ status: 'acked', size: 10, matched: '4' })
    const less = { targetId: order, keptRef: order, size: '7', notionalUsd: '3.5' }
    const { before: earlier, after } = await useOf(less)
    expect(after).toEqual(earlier)
    expect((await useOf({ ...less, size: '20', notionalUsd: '10' })).after).toMatchObject({
      openOrders: 1,
      openBuys: '16',
      openUsd: '8',
    })
    // A new order has no fills yet.
    expect((await useOf({ ...less, keptRef: null })).after).toMatchObject({ openBuys: '7' })
  })
})

describe('the position', () => {
  it('is what was bought less what was sold of the outcome', async () => {
    await add({ status: 'filled', size: 10 })
    await add({ status: 'canceled', size: 30, matched: '2.5' })
    await add({ status: 'filled', size: 4, isBuy: false })
    await add({ status: 'filled', size: 100, outcome: 'no' })
    await add({ status: 'filled', size: 100, venue: 'kalshi' })
    expect(await useBefore()).toMatchObject({ net: '8.5' })
    expect(await useBefore({ outcomeId: 'no' })).toMatchObject({ net: '100' })
  })

  it('is negative after sales that open one, and not after those that only close one', async () => {
    await add({ status: 'filled', size: 10, isBuy: false })
    expect(await useBefore()).toMatchObject({ net: '-10' })
    await add({ status: 'filled', size: 10, isBuy: false, usd: '0', outcome: 'no' })
    expect(await useBefore({ outcomeId: 'no' })).toMatchObject({ net: '0' })
    await add({ status: 'filled', size: 6, outcome: 'no' })
    await add({ status: 'filled', size: 2, isBuy: false, usd: '0', outcome: 'no' })
    expect(await useBefore({ outcomeId: 'no' })).toMatchObject({ net: '4' })
  })

  it('includes what the owner has entered, for the account but for no key', async () => {
    await postgres.pool.query(
      `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, market_id, outcome_id, size, cost, at, created_at)
       VALUES ($1, $1, 'k', decode(repeat('00', 32), 'hex'), 'position', 'novig', 'r', 'USD', 'm', 'yes', 100, 50, now(), now())`,
      [accountId],
    )
    await add({ status: 'filled', size: 120, isBuy: false, usd: '0' })
    await add({ status: 'filled', size: 5 })
    expect(await useBefore()).toMatchObject({ net: '5' })
    expect((await useOf({}, { keyId: accountId, venue: null })).before).toMatchObject({ net: '5' })
    expect(await useBefore({ venue: 'kalshi' })).toMatchObject({ net: '0' })
  })

  it('of an order that names no outcome is nothing', async () => {
    await add({ status: 'filled', size: 10 })
    const unknown = { marketId: null, outcomeId: null, isBuy: null, size: null }
    expect((await useOf(unknown)).after).toMatchObject({ openOrders: 1, net: '0', openBuys: '0', openSells: '0' })
  })
})

describe('a scope', () => {
  it('counts the orders of its key and venue', async () => {
    const keyId = randomUUID()
    await add({ status: 'acked', keyId })
    await add({ status: 'acked', venue: 'kalshi' })
    await add({ status: 'acked', keyId, venue: 'kalshi' })
    const counted = async (scope: { keyId: string | null; venue: string | null }) =>
      (await useOf({ keyId, venue: 'kalshi' }, scope)).before.openOrders
    expect(await counted({ keyId, venue: null })).toBe(2)
    expect(await counted({ keyId: null, venue: 'kalshi' })).toBe(2)
    expect(await counted({ keyId, venue: 'kalshi' })).toBe(1)
    expect(await counted({ keyId: null, venue: null })).toBe(3)
  })

  it('never counts the orders of another account', async () => {
    await add({ status: 'acked' })
    const first = accountId
    const { rows } = await postgres.pool.query('INSERT INTO accounts (name) VALUES ($1) RETURNING id', [randomUUID()])
    accountId = rows[0].id
    expect(await useBefore({ keyId: first })).toMatchObject({ openOrders: 0, openUsd: '0' })
  })
})
