// Limits that the store alone decides: each at, below and beyond its value, for accounts, keys and venues.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import { tradingLane } from '#test/support/execution/tradingLane'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf, count } = executionSuite()
const beyond = [402, 'SPEND_CAP_EXCEEDED']
const lanes = [tradingLane('novig'), tradingLane('kalshi')]

async function limited() {
  const world = await worldOf({ lanes })
  return { world, orders: limitedOrders(world) }
}
const venueOrder = async (world: ExecutionWorld, id: string): Promise<string> =>
  (await world.get(`/v1/exec/executions/${id}`)).json.data.unsigned.id

describe('notional', () => {
  it('allows an order that costs its value, and refuses one that costs more, without a call of the venue', async () => {
    const { world, orders } = await limited()
    await orders.set('notional', '5')
    expect((await orders.place({ size: 10, price: 0.5 })).json.data.status).toBe('acked')
    const id = idOf(await orders.build({ size: 10, price: 0.51 }))
    const { calls } = world.venue
    const reply = await orders.submit(id)
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error).toMatchObject({
      retryable: false,
      message: 'risk limit notional of the account at all venues, 5 USD: this order can cost 5.1; nothing was sent',
    })
    expect(world.venue.calls).toBe(calls)
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe('built')
    await orders.set('notional', '5.1')
    expect((await orders.submit(id)).json.data.status).toBe('acked')
  })

  it('refuses an order without a known dollar value', async () => {
    const { orders } = await limited()
    const id = idOf(await orders.build({ size: 1 }))
    await pg.pool.query('UPDATE executions SET notional_usd = NULL WHERE id = $1', [id])
    await orders.set('notional', '1000')
    const reply = await orders.submit(id)
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('an amount that is not known in dollars')
  })
})

describe('openNotional', () => {
  it('counts what open orders can still cost, until they end', async () => {
    const { world, orders } = await limited()
    await orders.set('openNotional', '10')
    const first = await orders.place({ size: 12, price: 0.5 })
    expect(refused(await orders.place({ size: 9, price: 0.5 }))).toEqual(beyond)
    expect((await orders.place({ size: 8, price: 0.5 })).status).toBe(200)
    expect(refused(await orders.place({ size: 1, price: 0.5 }))).toEqual(beyond)
    world.venue.status.set(await venueOrder(world, idOf(first)), 'canceled')
    await world.refresh(idOf(first))
    expect((await orders.place({ size: 12, price: 0.5 })).status).toBe(200)
  })

  it('counts only the rest of a partly filled order', async () => {
    const { world, orders } = await limited()
    await orders.set('openNotional', '10')
    const first = await orders.place({ size: 20, price: 0.5 })
    await world.store.recordSighting({ id: idOf(first), at: new Date(), shown: true, matchedSize: '15' })
    expect((await orders.place({ size: 15, price: 0.5 })).status).toBe(200)
    expect(refused(await orders.place({ size: 1, price: 0.5 }))).toEqual(beyond)
  })
})

describe('openOrders', () => {
  it('counts an order and its modifications once', async () => {
    const { world, orders } = await limited()
    await orders.set('openOrders', '2')
    const first = idOf(await orders.place({ size: 5 }))
    const change = idOf(await world.modify(first, randomUUID(), 9))
    expect((await orders.submit(change)).json.data.status).toBe('acked')
    expect((await orders.place({ size: 5 })).status).toBe(200)
    const reply = await orders.place({ size: 5 })
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('2 orders: open orders would be 3')
    const again = idOf(await world.modify(change, randomUUID(), 7))
    expect((await orders.submit(again)).status).toBe(200)
  })
})

describe('position', () => {
  it('counts fills and open orders of one outcome', async () => {
    const { world, orders } = await limited()
    await orders.set('position', '100')
    world.venue.mode = 'fill'
    expect((await orders.place({ size: 60 })).json.data.status).toBe('filled')
    world.venue.mode = 'accept'
    expect(refused(await orders.place({ size: 41 }))).toEqual(beyond)
    expect((await orders.place({ size: 40 })).status).toBe(200)
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
    expect((await orders.place({ size: 100, outcome: 'no' })).status).toBe(200)
  })

  it('counts a short position, and positions that the owner has entered', async () => {
    const { world, orders } = await limited()
    await orders.set('position', '100')
    const short = await orders.place({ size: 101, isBuy: false })
    expect(refused(short)).toEqual(beyond)
    expect(short.json.error.message).toContain('with open orders the short position could be 101')
    await pg.pool.query(
      `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, market_id, outcome_id, size, cost, at, created_at)
       VALUES ($1, $1, 'k', decode(repeat('00', 32), 'hex'), 'position', 'novig', 'r', 'USD', 'market', 'yes', 80, 40, now(), now())`,
      [world.accountId],
    )
    expect((await orders.place({ size: 101, isBuy: false })).status).toBe(200)
    expect(refused(await orders.place({ size: 80, isBuy: false }))).toEqual(beyond)
    expect(refused(await orders.place({ size: 21 }))).toEqual(beyond)
    expect((await orders.place({ size: 20 })).status).toBe(200)
  })

  it('never refuses what reduces it', async () => {
    const { world, orders } = await limited()
    world.venue.mode = 'fill'
    await orders.place({ size: 60 })
    world.venue.mode = 'accept'
    for (const kind of ['position', 'notional', 'openNotional', 'openOrders'] as const) await orders.set(kind, '0')
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
    expect((await orders.place({ size: 40, isBuy: false })).status).toBe(200)
    // Twenty are left that are not for sale yet.
    expect(refused(await orders.place({ size: 21, isBuy: false }))).toEqual(beyond)
    expect((await orders.place({ size: 20, isBuy: false })).status).toBe(200)
    expect(refused(await orders.place({ size: 1, isBuy: false }))).toEqual(beyond)
    // The venue itself sells only what is held.
    expect((await orders.place({ size: 21, isBuy: false, closesOnly: true })).status).toBe(200)
  })

  it('lets a modification to less through, and cancellations', async () => {
    const { world, orders } = await limited()
    const id = idOf(await orders.place({ size: 60 }))
    for (const kind of ['position', 'notional', 'openNotional', 'openOrders'] as const) await orders.set(kind, '0')
    expect(refused(await orders.submit(idOf(await world.modify(id, randomUUID(), 61))))).toEqual(beyond)
    const change = idOf(await world.modify(id, randomUUID(), 30))
    expect((await orders.submit(change)).json.data.status).toBe('acked')
    expect((await orders.submit(idOf(await world.cancel(change, randomUUID())))).json.data.status).toBe('acked')
  })
})

describe('orderRate', () => {
  it('counts orders and modifications of the last minute, not cancellations, and says when to try again', async () => {
    const { world, orders } = await limited()
    await orders.set('orderRate', '3')
    const id = idOf(await orders.place({ size: 5 }))
    await orders.submit(idOf(await world.modify(id, randomUUID(), 4)))
    await orders.place({ size: 5 })
    const late = idOf(await orders.build({ size: 5 }))
    const reply = await orders.submit(late)
    expect(refused(reply)).toEqual([429, 'RATE_LIMITED'])
    expect(reply.json.error.retryable).toBe(true)
    expect(reply.json.error.retryAfter).toBeGreaterThan(0)
    expect(reply.json.error.retryAfter).toBeLessThanOrEqual(60)
    expect(reply.json.error.message).toContain('3 orders per minute: this order would be number 4 of a minute')
    // A refused one is not counted.
    expect(await count('risk_order_times WHERE account_id = $1', [world.accountId])).toBe(3)
    expect((await orders.submit(idOf(await world.cancel(id, randomUUID())))).status).toBe(200)
    await pg.pool.query(`UPDATE risk_order_times SET at = at - interval '1 minute' WHERE account_id = $1`, [
      world.accountId,
    ])
    expect((await orders.submit(late)).status).toBe(200)
    expect(await count('risk_order_times WHERE account_id = $1', [world.accountId])).toBe(1)
  })

  it('applies to what reduces risk', async () => {
    const { world, orders } = await limited()
    world.venue.mode = 'fill'
    await orders.place({ size: 60 })
    await orders.set('orderRate', '0')
    expect(refused(await orders.place({ size: 1, isBuy: false }))).toEqual([429, 'RATE_LIMITED'])
  })
})

describe('the scope of a limit', () => {
  it('is one venue, and does not count the others', async () => {
    const { orders } = await limited()
    await orders.set('openNotional', '5', { venue: 'kalshi' })
    expect((await orders.place({ size: 100 }, 'novig')).status).toBe(200)
    expect((await orders.place({ size: 10 }, 'kalshi')).status).toBe(200)
    const reply = await orders.place({ size: 1 }, 'kalshi')
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain('openNotional of the account at kalshi, 5 USD')
  })

  it('is all venues together', async () => {
    const { orders } = await limited()
    await orders.set('openNotional', '10')
    expect((await orders.place({ size: 10 }, 'novig')).status).toBe(200)
    expect((await orders.place({ size: 10 }, 'kalshi')).status).toBe(200)
    expect(refused(await orders.place({ size: 1 }, 'novig'))).toEqual(beyond)
  })

  it('is one key, that of the build, and does not count the others', async () => {
    const { orders } = await limited()
    const [one, other] = [randomUUID(), randomUUID()]
    await orders.set('openOrders', '1', { keyId: one })
    orders.useKey(other)
    for (let n = 0; n < 3; n++) expect((await orders.place({ size: 1 })).status).toBe(200)
    orders.useKey(one)
    expect((await orders.place({ size: 1 })).status).toBe(200)
    const built = idOf(await orders.build({ size: 1 }))
    expect(refused(await orders.submit(built))).toEqual(beyond)
    orders.useKey(other)
    const reply = await orders.submit(built)
    expect(refused(reply)).toEqual(beyond)
    expect(reply.json.error.message).toContain(`openOrders of key ${one} at all venues`)
    expect((await orders.place({ size: 1 })).status).toBe(200)
  })

  it('is its account, and no other', async () => {
    const { world, orders } = await limited()
    await orders.set('openOrders', '0')
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
    world.actAs(await world.newAccount())
    expect((await orders.place({ size: 1 })).status).toBe(200)
  })

  it('may have several limits: the narrowest decides', async () => {
    const { orders } = await limited()
    await orders.set('openOrders', '9')
    await orders.set('openOrders', '1', { venue: 'novig' })
    expect((await orders.place({ size: 1 })).status).toBe(200)
    expect(refused(await orders.place({ size: 1 }))).toEqual(beyond)
  })
})

describe('an unlimited account', () => {
  it('sends whatever it builds', async () => {
    const { orders } = await limited()
    for (let n = 0; n < 3; n++) expect((await orders.place({ size: 100_000 })).status).toBe(200)
  })
})

describe('a build', () => {
  it.each([true, false])(
    'names the limit that would refuse its submit, and is not refused: dryRun %s',
    async (dryRun) => {
      const { world, orders } = await limited()
      await orders.set('notional', '1')
      await orders.set('openOrders', '0')
      const reply = await orders.build({ size: 10, ...(dryRun ? { dryRun } : {}) })
      expect(reply.status).toBe(200)
      expect(reply.json.warnings).toEqual([
        'a submit would be refused now: risk limit notional of the account at all venues, 1 USD: this order can cost 5',
      ])
      expect(reply.json.data.warnings).toBeUndefined()
      expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(dryRun ? 0 : 1)
      await orders.set('notional', '5')
      expect((await orders.build({ size: 10, dryRun: true })).json.warnings).toEqual([
        'a submit would be refused now: risk limit openOrders of the account at all venues, 0 orders: open orders would be 1',
      ])
      await orders.set('openOrders', '1')
      expect((await orders.build({ size: 10, dryRun: true })).json.warnings).toBeUndefined()
    },
  )

  it('counts nothing', async () => {
    const { orders } = await limited()
    await orders.set('openOrders', '1')
    await orders.set('orderRate', '1')
    for (let n = 0; n < 3; n++) expect((await orders.build({ size: 10 })).json.warnings).toBeUndefined()
    expect((await orders.place({ size: 10 })).status).toBe(200)
  })
})
