// The `orders` channel on real sockets over a real database: a snapshot, then every change of the account's own orders, by any process.
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { type OrderFeed, startOrderFeed } from '#actors/orders/orderChangePublisher'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { ordersChannel } from '#orders/stream/channel'
import { queueFramesMax } from '#orders/stream/subscriber'
import { OrdersData } from '#schemas/stream'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import { createPool, type Pool } from '#storage/postgres/pool'
import { Client, startServer, type TestServer } from '#test/src/server/gateway/support'
import { principal } from '#test/src/stream/support'
import { openConditionalOrders } from '#test/support/conditional/book'
import { executionSuite, idOf } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
/** On a busy machine. */
const patiently = { timeout: 15_000 }

const { pg, worldOf, count } = executionSuite()
const open: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

const store = (pool: Pool) => createExecutionStore(pool, createNotifier(pool))
const traders = (): Promise<ExecutionWorld> => worldOf({ wrap: () => store(pg.pool) })

async function serve(world: ExecutionWorld, options: Parameters<typeof startServer>[0] = {}) {
  const feed = startOrderFeed({ pool: pg.pool, clock: systemClock, log: silentLog })
  open.push(feed)
  const server = await startServer({ channels: { orders: ordersChannel(feed) }, ...options })
  open.push(server)
  const key = (name: string, accountId: string, scopes: ('read' | 'trade')[] = ['read', 'trade']) =>
    server.keys.keys.set(name, principal({ accountId, keyId: name, scopes }))
  key('good', world.accountId)
  return { feed, server, key }
}

const dataOf = (client: Client): OrdersData[] =>
  client.frames.filter(({ type }) => type === 'orders').map((frame) => OrdersData.parse(frame.data))
const ofKind = <K extends OrdersData['kind']>(client: Client, kind: K) =>
  dataOf(client).filter((data): data is Extract<OrdersData, { kind: K }> => data.kind === kind)
/** `previous>status` of one execution. */
const storyOf = (client: Client, id: string) =>
  ofKind(client, 'execution')
    .filter(({ execution }) => execution.executionId === id)
    .map(({ previousStatus, execution }) => `${previousStatus}>${execution.status}`)

async function subscribed(server: TestServer, key = 'good'): Promise<Client> {
  const client = await Client.open(server.url, key)
  open.push({ stop: async () => client.close() })
  client.send({ op: 'subscribeOrders' })
  await client.frame(({ type }) => type === 'orders')
  return client
}

describe('the orders channel', () => {
  it('acknowledges, sends open orders, then every status and every fill, and no artifact', async () => {
    const world = await traders()
    const resting = idOf(await world.build('resting'))
    await world.submit(resting, 'r')
    const ended = idOf(await world.build('ended'))
    await world.world.call('DELETE', `/v1/exec/novig/orders/${ended}`)
    const { server } = await serve(world)
    const client = await subscribed(server)
    expect(client.frames[0]).toEqual({ type: 'subscribed', channel: 'orders' })
    expect(client.frames[1]).toMatchObject({ type: 'orders', ts: expect.any(Number) })
    const [snapshot] = ofKind(client, 'snapshot')
    expect(snapshot).toMatchObject({ reason: 'subscribed', conditionals: [], truncated: false, part: { i: 1, n: 1 } })
    expect(snapshot!.executions).toEqual([
      expect.objectContaining({ executionId: resting, status: 'acked', venue: 'novig', intent: 'order' }),
    ])

    const { data } = (await world.build('b')).json
    await world.submit(data.executionId, 's')
    world.venue.fills.set(data.unsigned.id, ['f1', 'f2'])
    world.venue.status.set(data.unsigned.id, 'filled')
    await world.refresh(data.executionId)
    await client.frame((frame) => (frame.data as OrdersData | undefined)?.kind === 'fill')
    await expect
      .poll(() => storyOf(client, data.executionId), patiently)
      .toEqual(['built>submitted', 'submitted>acked', 'acked>filled'])
    expect(ofKind(client, 'fill').map(({ fill }) => [fill.executionId, fill.fill])).toEqual([
      [data.executionId, { key: 'f1' }],
      [data.executionId, { key: 'f2' }],
    ])
    // Every fill was sent before the final status.
    const kinds = dataOf(client).map(({ kind, ...rest }) => ('execution' in rest ? rest.execution.status : kind))
    expect(kinds.lastIndexOf('fill')).toBeLessThan(kinds.indexOf('filled'))
    expect(JSON.stringify(client.frames)).not.toMatch(/unsigned|artifact|canary|bounds|account/i)

    client.send({ op: 'subscribeOrders' })
    await expect.poll(() => client.frames.filter(({ type }) => type === 'subscribed').length, patiently).toBe(2)
    expect(ofKind(client, 'snapshot')).toHaveLength(1)
    client.send({ op: 'unsubscribeOrders' })
    await client.frame(({ type }) => type === 'unsubscribed')
    client.send({ op: 'unsubscribeOrders' })
    expect(await client.frame(({ type }) => type === 'error')).toMatchObject({
      code: 'NOT_SUBSCRIBED',
      channel: 'orders',
    })
  })

  it('sends waiting conditional orders and their transitions', async () => {
    const world = await traders()
    const { server } = await serve(world)
    const book = await openConditionalOrders(pg.pool, world.accountId)
    const armed = await book.arm()
    const client = await subscribed(server)
    const [snapshot] = ofKind(client, 'snapshot')
    expect(snapshot!.conditionals).toEqual([
      expect.objectContaining({ id: armed.id, status: 'armed', trigger: armed.trigger_rule }),
    ])
    const later = await book.arm()
    await book.trigger(armed.id)
    const story = () =>
      ofKind(client, 'conditional').map(({ previousStatus, conditional }) => [
        conditional.id,
        previousStatus,
        conditional.status,
      ])
    await expect.poll(story, patiently).toEqual([
      [later.id, null, 'armed'],
      [armed.id, 'armed', 'triggered'],
    ])
  })

  it('requires the trade scope: a key that loses it loses the subscription, and a revoked key gets an error', async () => {
    const world = await traders()
    const clock = new ManualClock()
    const { server, key, feed } = await serve(world, { clock })
    key('reader', world.accountId, ['read'])
    const reader = await Client.open(server.url, 'reader')
    open.push({ stop: async () => reader.close() })
    reader.send({ op: 'subscribeOrders' })
    expect(await reader.frame(({ type }) => type === 'error')).toMatchObject({
      code: 'SCOPE_MISSING',
      channel: 'orders',
    })

    for (const [scopes, code] of [
      [['read'], 'SCOPE_MISSING'],
      [null, 'UNAUTHORIZED'],
    ] as const) {
      key('trader', world.accountId)
      const client = await subscribed(server, 'trader')
      expect(feed.size).toBe(1)
      if (scopes === null) server.keys.keys.delete('trader')
      else key('trader', world.accountId, [...scopes])
      clock.advance(60_000)
      await client.frame((frame) => frame.code === code)
      await expect.poll(() => feed.size, patiently).toBe(0)
    }
  })

  it('counts as a subscription', async () => {
    const world = await traders()
    const { server } = await serve(world, { limitsOf: () => ({ subscriptionsPerConnection: 1, streamConnections: 9 }) })
    const client = await subscribed(server)
    client.subscribe('m')
    expect(await client.frame(({ type }) => type === 'error')).toMatchObject({ code: 'SUBSCRIPTION_LIMIT' })
  })

  it('sends an account nothing of another account', async () => {
    const world = await traders()
    const { server, key } = await serve(world)
    const stranger = await world.newAccount()
    key('stranger', stranger)
    const [mine, theirs] = [await subscribed(server), await subscribed(server, 'stranger')]
    await world.submit(idOf(await world.build('b')), 's')
    world.actAs(stranger)
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    await expect.poll(() => storyOf(theirs, id), patiently).toHaveLength(2)
    await expect.poll(() => dataOf(mine), patiently).toHaveLength(3)
    expect(new Set(ofKind(theirs, 'execution').map(({ execution }) => execution.executionId))).toEqual(new Set([id]))
    expect(JSON.stringify(dataOf(mine))).not.toContain(id)
  })
})

describe('no change is missed', () => {
  it('under writes while sockets subscribe: the changes of each order continue from the snapshot', async () => {
    const world = await traders()
    const { server } = await serve(world)
    const orders = long ? 1_500 : 36
    const clients: Client[] = []
    const writer = async (from: number) => {
      for (let i = from; i < orders; i += 6) {
        const { executionId, unsigned } = (await world.build(`b${i}`)).json.data
        await world.submit(executionId, `s${i}`)
        // Avoids the rate limit.
        world.world.clock.advance(1_000)
        if (i % 3 === 0) continue
        world.venue.fills.set(unsigned.id, [`f${i}`])
        world.venue.status.set(unsigned.id, i % 3 === 1 ? 'filled' : 'canceled')
        await world.refresh(executionId)
      }
    }
    const joiner = async (from: number) => {
      for (let i = 0; i < (long ? 20 : 4); i++) {
        await expect
          .poll(() => count('executions WHERE account_id = $1', [world.accountId]), patiently)
          .toBeGreaterThan(from + i * 6)
        clients.push(await subscribed(server))
      }
    }
    await Promise.all([...[0, 1, 2, 3, 4, 5].map(writer), joiner(0), joiner(6)])
    const { rows } = await pg.pool.query<{ id: string; status: string }>(
      'SELECT id, status FROM executions WHERE account_id = $1',
      [world.accountId],
    )
    const truth = new Map(rows.map(({ id, status }) => [id, status]))
    const fills = await count('execution_fills WHERE account_id = $1', [world.accountId])
    expect(fills).toBe((orders / 3) * 2)
    for (const client of clients) {
      const lives = (): Map<string, string> => {
        const state = new Map<string, string>()
        for (const data of dataOf(client)) {
          if (data.kind === 'snapshot')
            for (const { executionId, status } of data.executions) state.set(executionId, status)
          if (data.kind !== 'execution') continue
          const { executionId, status } = data.execution
          const known = state.get(executionId)
          if (known !== undefined) expect(data.previousStatus).toBe(known)
          state.set(executionId, status)
        }
        return state
      }
      const living = () => [...lives()].filter(([, status]) => status === 'submitted' || status === 'acked').sort()
      await expect
        .poll(living, patiently)
        .toEqual([...truth].filter(([, status]) => status === 'submitted' || status === 'acked').sort())
      for (const [id, status] of lives()) expect(status).toBe(truth.get(id))
      // An order that the client saw open and later filled had its fill sent.
      const filled = new Set(ofKind(client, 'fill').map(({ fill }) => fill.executionId))
      for (const [id, status] of lives()) if (status === 'filled') expect(filled).toContain(id)
      const ids = ofKind(client, 'fill').map(({ fill }) => fill.fillId)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it('when transactions commit in a different order than their numbers', async () => {
    const world = await traders()
    const { server, feed } = await serve(world)
    const client = await subscribed(server)
    const ids = await Promise.all(Array.from({ length: 4 }, async (_, i) => idOf(await world.build(`b${i}`))))
    const late = await pg.pool.connect()
    const write = (db: Pick<Pool, 'query'>, id: string) =>
      db.query(
        `WITH e AS (UPDATE executions SET status = 'submitted' WHERE id = $1 RETURNING id)
         INSERT INTO execution_audit (execution_id, from_status, to_status, event, at) SELECT id, 'built', 'submitted', 'submit', now() FROM e`,
        [id],
      )
    await late.query('BEGIN')
    await write(late, ids[0]!)
    for (const id of ids.slice(1)) await write(pg.pool, id)
    feed.look()
    await expect.poll(() => ofKind(client, 'execution'), patiently).toHaveLength(3)
    await late.query('COMMIT')
    late.release()
    feed.look()
    await expect.poll(() => storyOf(client, ids[0]!), patiently).toEqual(['built>submitted'])
    expect(ofKind(client, 'execution')).toHaveLength(4)
  })

  it('of another process, with or without a notification, and while the listener’s connection is lost', async () => {
    const world = await traders()
    const { server } = await serve(world)
    const client = await subscribed(server)
    const other = createPool({ url: pg.url, log: silentLog, connectionsMax: 2 })
    open.push({ stop: () => other.end() })
    const listening = `pg_stat_activity WHERE application_name = 'crossbook-listen' AND datname = current_database()`
    await expect.poll(() => count(listening), patiently).toBe(1)
    const writers = [store(other), createExecutionStore(other)]
    for (const [i, writer] of [...writers, writers[0]!].entries()) {
      if (i === 2) await pg.pool.query(`SELECT pg_terminate_backend(pid) FROM ${listening}`)
      const id = idOf(await world.build(`b${i}`))
      const row = (await writer.find(world.accountId, id))!
      await writer.move({
        id,
        venue: row.venue,
        from: 'built',
        to: 'canceled',
        event: 'discard',
        fills: [],
        at: new Date(row.created_at),
      })
      await expect.poll(() => storyOf(client, id), patiently).toEqual(['built>canceled'])
    }
    await expect.poll(() => count(listening), patiently).toBe(1)
  })

  it('while the database is unavailable', async () => {
    const world = await traders()
    const failing = { left: 0 }
    /** Its next statements fail. */
    const flaky = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(object, name) {
          const own = Reflect.get(object, name)
          if (name === 'connect') return async () => flaky((await Reflect.apply(own as never, object, [])) as object)
          if (name !== 'query') return typeof own === 'function' ? own.bind(object) : own
          return (...given: unknown[]) =>
            failing.left-- > 0 ? Promise.reject(new Error('away')) : Reflect.apply(own as never, object, given)
        },
      })
    const feed = startOrderFeed({ pool: flaky(pg.pool), clock: systemClock, log: silentLog })
    open.push(feed)
    const server = await startServer({ channels: { orders: ordersChannel(feed) } })
    open.push(server)
    server.keys.keys.set('good', principal({ accountId: world.accountId, scopes: ['read', 'trade'] }))
    const client = await subscribed(server)
    const rounds = long ? 20 : 2
    for (let i = 0; i < rounds; i++) {
      // Now its first read fails, and then a later one.
      const { executionId, unsigned } = (await world.build(`b${i}`)).json.data
      await world.submit(executionId, `s${i}`)
      world.venue.fills.set(unsigned.id, [`f${i}`])
      world.venue.status.set(unsigned.id, 'filled')
      failing.left = 1 + (i % 8)
      await world.refresh(executionId)
      await expect
        .poll(() => storyOf(client, executionId), patiently)
        .toEqual(['built>submitted', 'submitted>acked', 'acked>filled'])
    }
    expect(ofKind(client, 'fill')).toHaveLength(rounds)
  })
})

describe('a slow reader', () => {
  it('gets a new snapshot with the reason `behind`', async () => {
    const world = await traders()
    const feed: OrderFeed = startOrderFeed({ pool: pg.pool, clock: systemClock, log: silentLog })
    open.push(feed)
    const reader = () => {
      const received: OrdersData[] = []
      const socket = { takes: true }
      const offer = (_topic: string, frame: Buffer) => {
        if (!socket.takes) return 'dropped' as const
        received.push(OrdersData.parse(JSON.parse(String(frame)).data))
        return 'sent' as const
      }
      const peer = { id: 1, principal: () => ({ accountId: world.accountId }), offer }
      feed.add(peer, 'orders')
      return { received, socket, peer }
    }
    const [quick, slow] = [reader(), reader()]
    await expect.poll(() => [quick.received.length, slow.received.length], patiently).toEqual([1, 1])
    slow.socket.takes = false
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    const more = queueFramesMax
    await pg.pool.query(
      `INSERT INTO execution_audit (execution_id, from_status, to_status, event, at)
       SELECT $1, 'submitted', 'acked', 'accepted', now() FROM generate_series(1, $2)`,
      [id, more],
    )
    feed.look()
    await expect.poll(() => quick.received, patiently).toHaveLength(1 + 2 + more)
    slow.socket.takes = true
    await expect
      .poll(() => slow.received, patiently)
      .toMatchObject([
        { reason: 'subscribed' },
        { reason: 'behind', executions: [{ executionId: id, status: 'acked' }] },
      ])
    for (const { peer } of [quick, slow, slow]) feed.remove(peer)
    expect(feed.size).toBe(0)
  })

  it('gets a long snapshot in parts, and a marker that it is truncated', async () => {
    const world = await traders()
    await pg.pool.query(
      `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'novig', 'order', 'acked', 1, '{}', decode(repeat('00', 32), 'hex'), '{}', now(), now()
       FROM generate_series(1, 501)`,
      [world.accountId, randomUUID()],
    )
    const { server } = await serve(world)
    const client = await subscribed(server)
    await expect.poll(() => ofKind(client, 'snapshot'), patiently).toHaveLength(5)
    const parts = ofKind(client, 'snapshot')
    expect(parts.map(({ part }) => `${part.i}/${part.n}`)).toEqual(['1/5', '2/5', '3/5', '4/5', '5/5'])
    expect(parts.every(({ truncated }) => truncated)).toBe(true)
    expect(new Set(parts.flatMap(({ executions }) => executions.map(({ executionId }) => executionId))).size).toBe(500)
  })
})
