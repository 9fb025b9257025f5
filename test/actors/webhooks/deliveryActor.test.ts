// Fault 29 and the schedule: which endpoints get which events, when and how often, and the effects of crashes and unresponsive receivers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leaseMs } from '#actors/webhooks/deliveryBatch'
import { backoffCapMs } from '#actors/webhooks/step'
import { ManualClock } from '#core/clock'
import { attemptTimeoutMs, retryAfterMs, sign } from '#platform/webhooks/index'
import { createDeliveryStore } from '#storage/postgres/webhooks/store'
import { traceDials } from '#test/src/platform/webhooks/dialTrace'
import type { Received } from '#test/src/platform/webhooks/receiver'
import { createWebhookWorld, type Endpoint, type WebhookWorld } from '#test/src/platform/webhooks/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const pollMs = 100
const patient = { timeout: 20_000, interval: 10 }
let clock: ManualClock
let world: WebhookWorld
beforeEach(async () => {
  clock = new ManualClock(Date.now())
  world = await createWebhookWorld(pg.pool, { clock })
})
afterEach(() => world.close())

/** Time passes, and all work it causes is finished. */
async function pass(ms: number): Promise<void> {
  await world.settled()
  clock.advance(ms)
  await world.settled()
}

const statuses = async (id: string) => (await world.stored(id)).map(({ status }) => status)
const payload = { executionId: '6f1c0f38-7f0a-4df6-9d1e-2a8b2f3c4d5e', venue: 'kalshi', status: 'acked' }

function expectSigned({ headers, raw }: Received, { secret }: Endpoint, event: string): void {
  const timestamp = Number(headers['x-service-timestamp'])
  expect(timestamp).toBe(Math.floor(clock.now() / 1000))
  expect(headers['x-service-signature']).toBe(sign(secret, timestamp, raw.toString()))
  expect(headers['x-service-event']).toBe(event)
  expect(headers['content-type']).toBe('application/json')
}

describe('the schedule', () => {
  it('retries a failing receiver at 0, 1 m, 5 m, 30 m and 2 h, then fails the delivery for good', async () => {
    world.receiver.behavior = 500
    const endpoint = await world.endpoint('/no')
    await world.emit('execution.status.changed', payload, world.accountId)
    const deliveries = world.deliveries()
    const { received } = world.receiver
    await world.settled()
    expect(received).toHaveLength(1)
    for (const [i, waitMs] of retryAfterMs.entries()) {
      await pass(waitMs - 1_000)
      expect(received, 'a second early').toHaveLength(i + 1)
      await pass(1_000)
      expect(received).toHaveLength(i + 2)
      expectSigned(received[i + 1]!, endpoint, 'execution.status.changed')
    }
    expect(await world.stored(endpoint.id)).toMatchObject([
      { status: 'failed', attempts: 5, last_result: 'status 500' },
    ])
    await pass(86_400_000)
    await pass(86_400_000)
    expect(received).toHaveLength(5)
    expect(new Set(received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1)
    expect(new Set(received.map(({ raw }) => raw.toString())).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['x-service-timestamp'])).size).toBe(5)
    expect(deliveries.stats()).toMatchObject({ attempts: 5, attemptsFailed: 5, failed: 1, delivered: 0 })
    const listed = await world.http.get(`/v1/webhooks/${endpoint.id}/deliveries`)
    expect(listed.json.data).toMatchObject([
      { status: 'failed', deliveredAt: null, payload, attempts: 5, lastResult: 'status 500', nextAttemptAt: null },
    ])
  })

  it('sends once to a receiver that recovers, with the bytes of the first attempt', async () => {
    world.receiver.behavior = 503
    const endpoint = await world.endpoint('/recovers')
    await world.emit('ingest.run.completed', { job: 'ingest', ok: true }, null)
    world.deliveries()
    await world.settled()
    world.receiver.behavior = 204
    await pass(retryAfterMs[0]!)
    expect(world.receiver.received).toHaveLength(2)
    const [row] = (await world.http.get(`/v1/webhooks/${endpoint.id}/deliveries`)).json.data
    expect(row).toMatchObject({ status: 'delivered', deliveredAt: new Date(clock.now()).toISOString() })
  })

  it('limits an attempt to ten seconds in total', async () => {
    world.receiver.behavior = 'hang'
    const endpoint = await world.endpoint('/mute')
    await world.emit('ingest.run.completed', {}, null)
    const deliveries = world.deliveries()
    await vi.waitFor(() => expect(world.receiver.received).toHaveLength(1), patient)
    clock.advance(attemptTimeoutMs - 1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(deliveries.stats()).toMatchObject({ working: 1, attempts: 0 })
    clock.advance(1)
    await world.settled()
    expect((await world.stored(endpoint.id))[0]).toMatchObject({ attempts: 1, last_result: 'timeout' })
    await vi.waitFor(() => expect(world.receiver.connections()).toBe(0), patient)
  })

  it.each([
    ['a dropped connection', 'cut', 'queued', /^network error/],
    ['a redirect, which is not followed', { redirectTo: '/elsewhere' }, 'queued', 'status 307'],
    ['an error status', 400, 'queued', 'status 400'],
    ['gone', 410, 'queued', 'status 410'],
    ['success', 200, 'delivered', 'status 200'],
    ['success, with a body that never ends', 'drip', 'delivered', 'status 200'],
    ['accepted', 202, 'delivered', 'status 202'],
  ] as const)('handles a receiver response: %s', async (_name, response, status, result) => {
    world.receiver.behaviors.set('/hook', response)
    const endpoint = await world.endpoint('/hook')
    await world.emit('ingest.run.completed', {}, null)
    world.deliveries()
    await world.settled()
    const [row] = await world.stored(endpoint.id)
    expect(row!.status).toBe(status)
    expect(row!.last_result).toMatch(result)
    expect(world.receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  })
})

it.each(['http://169.254.169.254/latest/', 'https://127.0.0.1/', 'http://localhost:22/', '//10.0.0.1/', '/back'])(
  'fault 29: fails on a redirect to %s, and connects to nothing but the receiver',
  async (redirectTo) => {
    world.receiver.behavior = { redirectTo }
    const endpoint = await world.endpoint('/hook')
    await world.emit('ingest.run.completed', {}, null)
    const trace = traceDials()
    world.deliveries()
    await world.settled()
    trace.stop()
    expect(await world.stored(endpoint.id)).toMatchObject([
      { status: 'queued', attempts: 1, last_result: 'status 307' },
    ])
    const database = new URL(pg.url).port
    expect(trace.dialled.filter((dialled) => !dialled.endsWith(`:${database}`))).toEqual([world.receiver.hostPort])
  },
)

describe('recipients', () => {
  it('are the account of an execution, all subscribers of a job event, and no endpoint that did not subscribe', async () => {
    const all = await world.endpoint('/all')
    const jobs = await world.endpoint('/jobs', ['ingest.run.completed', 'matcher.run.completed'])
    world.actAs(await world.newAccount())
    const stranger = await world.endpoint('/stranger')
    await world.emit('execution.status.changed', { ...payload, n: 1 }, world.accountId)
    await world.emit('ingest.run.completed', { n: 2 }, null)
    await world.emit('execution.built', { n: 3 }, world.accountId)
    world.deliveries()
    const receivedEvents = () =>
      world.receiver.received.map(({ path, raw }) => `${path} ${JSON.parse(raw.toString()).n}`).sort()
    await world.settled()
    expect(receivedEvents()).toEqual(['/all 1', '/all 2', '/jobs 2', '/stranger 2'])
    expect(await world.stored()).toHaveLength(4)
    for (const endpoint of [all, jobs, stranger]) {
      for (const one of world.receiver.received.filter(({ path }) => endpoint.url.endsWith(path)))
        expectSigned(one, endpoint, String(one.headers['x-service-event']))
    }
    const { rows } = await pg.pool.query('SELECT 1 FROM outbox WHERE taken_at IS NULL')
    expect(rows).toEqual([])
  })

  it('get no events that this deployment does not send, not even later', async () => {
    const endpoint = await world.endpoint('/hook')
    await world.emit('execution.status.changed', payload, world.accountId)
    world.deliveries({ deliverable: ['ingest.run.completed'] })
    await world.settled()
    await world.emit('ingest.run.completed', {}, null)
    await pass(pollMs)
    expect(await statuses(endpoint.id)).toEqual(['delivered'])
    expect(world.receiver.received.map(({ headers }) => headers['x-service-event'])).toEqual(['ingest.run.completed'])
  })

  it('get nothing while sending is disabled; the outbox is emptied nevertheless', async () => {
    await world.endpoint('/hook')
    await world.emit('execution.status.changed', payload, world.accountId)
    world.deliveries({ attempt: null, deliverable: [] })
    await world.settled()
    expect((await pg.pool.query('SELECT 1 FROM outbox WHERE taken_at IS NULL')).rows).toEqual([])
    expect(world.receiver.received).toEqual([])
    expect(await world.stored()).toEqual([])
  })

  it('get nothing more after their endpoint is deleted during an attempt', async () => {
    world.receiver.behavior = 'hang'
    const endpoint = await world.endpoint('/hook')
    for (let n = 0; n < 3; n++) await world.emit('ingest.run.completed', { n }, null)
    world.deliveries()
    await vi.waitFor(() => expect(world.receiver.received).toHaveLength(1), patient)
    await world.http.call('DELETE', `/v1/webhooks/${endpoint.id}`)
    world.receiver.behavior = 200
    clock.advance(attemptTimeoutMs)
    await world.settled()
    expect(await world.stored()).toEqual([])
    expect(world.receiver.received).toHaveLength(1)
  })
})

describe('several processes', () => {
  it('send each delivery once between them, however fast events come', async () => {
    const endpoints = await Promise.all(Array.from({ length: 6 }, (_, i) => world.endpoint(`/${i}`)))
    const three = [world.deliveries(), world.deliveries(), world.deliveries()]
    const events = 60
    for (let n = 0; n < events; n++) {
      await world.emit('ingest.run.completed', { n }, null)
      if (n % 7 === 0) clock.advance(pollMs)
    }
    while ((await world.stored()).filter(({ status }) => status === 'delivered').length < events * endpoints.length)
      await pass(pollMs)
    const ids = world.receiver.received.map(({ headers }) => headers['x-service-delivery'])
    expect(new Set(ids).size).toBe(events * endpoints.length)
    expect(ids).toHaveLength(events * endpoints.length)
    expect(three.map((one) => one.stats().delivered).reduce((a, b) => a + b)).toBe(events * endpoints.length)
  })

  it('repeat a delivery under the same id when one dies between sending it and recording it', async () => {
    const endpoint = await world.endpoint('/hook')
    await world.emit('ingest.run.completed', {}, null)
    const store = createDeliveryStore(pg.pool)
    // Its result never reaches the database, and it releases nothing.
    const dying = world.deliveries({
      store: {
        ...store,
        mark: () => Promise.reject(new Error('died')),
        release: () => Promise.reject(new Error('died')),
      },
    })
    await world.settled()
    await dying.stop()
    world.deliveries()
    await pass(leaseMs - pollMs)
    expect(world.receiver.received, 'the lease still holds').toHaveLength(1)
    await pass(pollMs)
    expect(await statuses(endpoint.id)).toEqual(['delivered'])
    const [first, second, ...more] = world.receiver.received
    expect(more).toEqual([])
    expect(second!.headers['x-service-delivery']).toBe(first!.headers['x-service-delivery'])
    expect(second!.raw.equals(first!.raw)).toBe(true)
  })

  it('ignore a late result of a process presumed dead', async () => {
    const endpoint = await world.endpoint('/hook')
    await world.emit('ingest.run.completed', {}, null)
    world.deliveries()
    await world.settled()
    expect(await statuses(endpoint.id)).toEqual(['delivered'])
    const store = createDeliveryStore(pg.pool)
    const { id } = (await world.stored(endpoint.id))[0]!
    const late = { id, attempts: 0, result: 'late', deliveredAt: null, dueAt: null }
    const written = (['failed', 'queued', 'delivered'] as const).map((status) => store.mark({ ...late, status }))
    expect(await Promise.all(written)).toEqual([null, null, null])
    expect(await world.stored(endpoint.id)).toMatchObject([{ status: 'delivered', last_result: 'status 200' }])
  })
})

describe('recovery', () => {
  it('waits briefly for an attempt in progress at a stop, then discards it, and the next process repeats it', async () => {
    world.receiver.behavior = 'hang'
    const endpoint = await world.endpoint('/hook')
    await world.emit('ingest.run.completed', {}, null)
    const first = world.deliveries()
    await vi.waitFor(() => expect(world.receiver.received).toHaveLength(1), patient)
    const stopped = first.stop()
    clock.advance(3_000)
    await stopped
    expect(clock.pendingCount).toBe(0)
    expect(await world.stored(endpoint.id)).toMatchObject([{ status: 'queued', attempts: 0 }])
    world.receiver.behavior = 200
    world.deliveries()
    await world.settled()
    expect(await statuses(endpoint.id)).toEqual(['delivered'])
  })

  it('delivers after the database was unavailable for a while', async () => {
    const endpoint = await world.endpoint('/hook')
    const store = createDeliveryStore(pg.pool)
    let down = true
    let refused = 0
    const unlessDown = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
      return (...args: A): Promise<R> => {
        if (!down) return work(...args)
        refused++
        return Promise.reject(new Error('down'))
      }
    }
    world.deliveries({ store: { ...store, fanOut: unlessDown(store.fanOut), claim: unlessDown(store.claim) } })
    await world.emit('ingest.run.completed', {}, null)
    while (refused < 8) await pass(backoffCapMs)
    down = false
    await pass(backoffCapMs)
    expect(await statuses(endpoint.id)).toEqual(['delivered'])
  })

  it('queues too many events in smaller batches, without delaying queued deliveries', async () => {
    const endpoint = await world.endpoint('/hook')
    const store = createDeliveryStore(pg.pool)
    world.receiver.behavior = 500
    await world.emit('ingest.run.completed', { n: -1 }, null)
    const limits: number[] = []
    let bearable = 1_000
    world.deliveries({
      store: {
        ...store,
        fanOut(given) {
          limits.push(given.limit)
          return given.limit > bearable ? Promise.reject(new Error('statement timeout')) : store.fanOut(given)
        },
      },
    })
    await world.settled()
    world.receiver.behavior = 200
    bearable = 3
    for (let n = 0; n < 10; n++) await world.emit('ingest.run.completed', { n }, null)
    clock.advance(retryAfterMs[0]!)
    await vi.waitFor(async () => expect(await statuses(endpoint.id)).toContain('delivered'), patient)
    while ((await statuses(endpoint.id)).filter((status) => status === 'delivered').length < 11) await pass(pollMs)
    expect(limits.slice(limits.lastIndexOf(500)).slice(0, 5)).toEqual([500, 125, 31, 7, 1])
  })

  it('deletes deliveries that ended long ago, and keeps queued and recent ones', async () => {
    const endpoint = await world.endpoint('/hook')
    await world.emit('ingest.run.completed', { n: 'old' }, null)
    world.deliveries()
    await world.settled()
    expect(await statuses(endpoint.id)).toEqual(['delivered'])
    await pass(8 * 86_400_000)
    await vi.waitFor(async () => {
      // A cleanup that began during the time jump used an older date.
      await pass(600_000)
      expect(await world.stored(endpoint.id)).toEqual([])
      expect((await pg.pool.query('SELECT 1 FROM outbox')).rows).toEqual([])
    }, patient)
    world.receiver.behavior = 500
    await world.emit('ingest.run.completed', { n: 'young' }, null)
    await pass(pollMs)
    await pass(600_000)
    expect(await statuses(endpoint.id)).toEqual(['queued'])
  })
})
