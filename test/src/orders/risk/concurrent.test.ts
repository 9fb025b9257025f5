// Submits at once, crashes and late answers: together they never exceed a limit, and what was not sent is not counted.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { submitExecution } from '#orders/executions/submit'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, idOf, refused, untilAnswered } from '#test/support/execution/suite'
import { tradingLane } from '#test/support/execution/tradingLane'

const { pg, worldOf, count } = executionSuite()
const lanes = [tradingLane('novig'), tradingLane('kalshi')]
/** On a busy machine. */
const patiently = { timeout: 60_000 }
const many = 60

it.each([
  ['openOrders', '7'],
  ['openNotional', '3.5'],
  ['position', '7'],
  ['orderRate', '7'],
  ['exposure', '3.5'],
] as const)(
  'many submits at once never pass the limit %s together, at two venues and in two processes',
  patiently,
  async (kind, value) => {
    const world = await worldOf({ lanes })
    const orders = limitedOrders(world)
    await orders.set(kind, value)
    const venues = kind === 'position' ? ['novig'] : ['novig', 'kalshi']
    const built = await Promise.all(
      Array.from({ length: many }, async (_, n) => {
        const venue = venues[n % venues.length]!
        return { venue, id: idOf(await orders.build({ size: 1, price: 0.5 }, venue)) }
      }),
    )
    // As in another gateway: with its own connections.
    const pool = createPool({ url: pg.url, log: silentLog, connectionsMax: 4 })
    const other = { ...world.deps, store: createExecutionStore(pool) }
    const caller = {
      accountId: world.accountId,
      keyId: world.accountId,
      country: null,
      isBlocked: false,
      signal: new AbortController().signal,
    }
    const elsewhere = async ({ venue, id }: { venue: string; id: string }): Promise<unknown> => {
      const request = { venue, executionId: id, key: randomUUID(), body: { apiSecret: 'secret' } }
      try {
        await submitExecution(other, caller, request)
        return 200
      } catch (error) {
        return error instanceof Fault ? error.code : error
      }
    }
    try {
      const results = await Promise.all(
        built.map(async (order, n) => {
          if (n % 3 === 0) return elsewhere(order)
          const { reply } = await untilAnswered(() => orders.submit(order.id, order.venue, `key ${n}`))
          return reply.status === 200 ? 200 : reply.json.error.code
        }),
      )
      const sent = results.filter((result) => result === 200).length
      const refusals = new Set(results.filter((result) => result !== 200))
      for (const each of refusals) expect(['SPEND_CAP_EXCEEDED', 'RATE_LIMITED', 'EXEC_UNAVAILABLE']).toContain(each)
      expect(sent).toBeLessThanOrEqual(7)
      // A process whose store did not answer in time sent nothing.
      if (!refusals.has('EXEC_UNAVAILABLE')) expect(sent).toBe(7)
      expect(world.venue.placed).toHaveLength(sent)
      expect(new Set(world.venue.placed).size).toBe(sent)
      expect(await count(`executions WHERE account_id = $1 AND status = 'acked'`, [world.accountId])).toBe(sent)
    } finally {
      await pool.end()
    }
  },
)

it('orders of one account do not wait for those of another one that is limited', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  await orders.set('openOrders', '5')
  const other = await world.newAccount()
  const holder = await pg.pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT pg_advisory_xact_lock(724605, hashtext($1))', [world.accountId])
    const waiting = idOf(await orders.build({ size: 1 }))
    const stopped = orders.submit(waiting)
    await expect.poll(() => count(`pg_locks WHERE locktype = 'advisory' AND NOT granted`), patiently).toBe(1)
    world.actAs(other)
    expect((await orders.place({ size: 1 })).status).toBe(200)
    await holder.query('COMMIT')
    world.actAs(world.accountId)
    expect([200, 503]).toContain((await stopped).status)
  } finally {
    holder.release()
  }
})

it('a claim whose process died before it was sent counts until its outcome is known, and then no more', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  await orders.set('openOrders', '1')
  await orders.set('openNotional', '0.5')
  await orders.set('position', '1')
  // The venue cuts the connection without having seen it, as if the process had died before the first byte.
  world.venue.mode = 'forget'
  const lost = await orders.place({ size: 1 })
  expect(lost.json.data.status).toBe('submitted')
  world.venue.mode = 'accept'
  expect(refused(await orders.place({ size: 1 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
  await pg.pool.query(`UPDATE executions SET status = 'failed', last_event = 'provedUndone' WHERE id = $1`, [
    idOf(lost),
  ])
  expect((await orders.place({ size: 1 })).status).toBe(200)
  expect(refused(await orders.place({ size: 1 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
})

it('a request that never left, and credentials that were refused, count no more, except for the rate', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  await orders.set('openOrders', '1')
  await orders.set('orderRate', '3')
  const id = idOf(await orders.build({ size: 1 }))
  world.venue.mode = 'limit'
  expect((await orders.submit(id)).json.error.code).toBe('NETWORK_ERROR')
  expect((await orders.submit(id)).json.error.code).toBe('NETWORK_ERROR')
  world.venue.mode = 'accept'
  expect((await orders.submit(id)).json.data.status).toBe('acked')
  expect(await count('risk_order_times WHERE account_id = $1', [world.accountId])).toBe(3)
})

it('a claim that commits after its caller got an error is undone, and is not counted', async () => {
  let isLate = true
  const world = await worldOf({
    lanes,
    wrap: (store) => ({
      ...store,
      async claim({ late, ...claim }) {
        const claimed = await store.claim({ ...claim, late })
        if (!isLate || claimed.kind !== 'claimed') return claimed
        isLate = false
        late(claimed.row)
        throw new Fault('EXEC_UNAVAILABLE', 'no answer', { retryAfterSeconds: 1 })
      },
    }),
  })
  const orders = limitedOrders(world)
  await orders.set('openOrders', '1')
  const id = idOf(await orders.build({ size: 1 }))
  expect(refused(await orders.submit(id))).toEqual([503, 'EXEC_UNAVAILABLE'])
  await expect.poll(() => count(`executions WHERE id = $1 AND status = 'built'`, [id])).toBe(1)
  expect((await orders.submit(id)).json.data.status).toBe('acked')
  expect(refused(await orders.place({ size: 1 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
})

it('a repeated key returns what the first request led to, although a limit would refuse it now', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  const id = idOf(await orders.build({ size: 1 }))
  expect((await world.submit(id, 'once')).json.data.status).toBe('acked')
  await orders.set('openOrders', '0')
  const again = await world.submit(id, 'once')
  expect([again.status, again.headers['idempotency-replay']]).toEqual([200, 'true'])
})

it('a refused submit uses up neither its key nor its reservation', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  await orders.set('openOrders', '0')
  const id = idOf(await orders.build({ size: 1 }))
  const { reservationId } = (await world.post(`${id}/reservations`, {})).json.data
  expect(refused(await world.submit(id, 'key', { reservationId }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
  await orders.set('openOrders', '1')
  expect((await world.submit(id, 'key', { reservationId })).json.data.status).toBe('acked')
})

it('every submit that begins after a limit was set is checked against it', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  const ids = await Promise.all(Array.from({ length: 20 }, async () => idOf(await orders.build({ size: 1 }))))
  const submitted = ids.map(async (id) => (await untilAnswered(() => orders.submit(id, 'novig', id))).reply.status)
  await orders.set('openOrders', '0')
  expect(refused(await orders.place({ size: 1 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
  const placed = (await Promise.all(submitted)).filter((status) => status === 200).length
  expect(world.venue.placed).toHaveLength(placed)
})
