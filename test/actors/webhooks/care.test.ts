// Endpoints that are paused, tested, given another secret or resent to while deliveries are sent. What receivers get is verified with the
// published library of Standard Webhooks.
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { attemptsMax, attemptTimeoutMs, retryAfterMs, secretOverlapMs, sign } from '#platform/webhooks/index'
import { pausedQueueMax } from '#storage/postgres/webhooks/fanOut'
import { createDeliveryStore } from '#storage/postgres/webhooks/store'
import type { Received } from '#test/src/platform/webhooks/receiver'
import { createWebhookWorld, type Endpoint, type WebhookWorld } from '#test/src/platform/webhooks/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const event = 'ingest.run.completed'
const pollMs = 100
const patient = { timeout: 20_000, interval: 10 }
let clock: ManualClock
let world: WebhookWorld
let endpoint: Endpoint
beforeEach(async () => {
  clock = new ManualClock(Date.now())
  world = await createWebhookWorld(pg.pool, { clock })
  endpoint = await world.endpoint('/hook', [event])
})
afterEach(() => world.close())

async function pass(ms: number): Promise<void> {
  await world.settled()
  clock.advance(ms)
  await world.settled()
}
const post = async (path: string) => {
  const reply = await world.http.post(`/v1/webhooks/${endpoint.id}/${path}`, undefined)
  expect(reply.status, reply.text).toBe(200)
  return reply.json.data
}
const setActive = (active: boolean) =>
  world.http.call('PATCH', `/v1/webhooks/${endpoint.id}`, { body: JSON.stringify({ active }) })
const resend = (id: string) => post(`deliveries/${id}/resend`)
const rows = () => world.stored(endpoint.id)
const publish = (n: number) => world.emit(event, { n }, null)
const idOf = ({ headers }: Received) => headers['webhook-id']

/** By the library, which reads the machine's clock, and by the specification's own signature. */
function verifies(secret: string, { headers, raw }: Received): { standard: boolean; specified: boolean } {
  const timestamp = Number(headers['webhook-timestamp'])
  expect([headers['x-service-timestamp'], headers['x-service-delivery']]).toEqual([
    String(timestamp),
    idOf({ headers } as Received),
  ])
  vi.useFakeTimers({ toFake: ['Date'], now: timestamp * 1000 })
  let standard = true
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>)
  } catch (error) {
    expect((error as Error).name).toBe('WebhookVerificationError')
    standard = false
  } finally {
    vi.useRealTimers()
  }
  return { standard, specified: headers['x-service-signature'] === sign(secret, timestamp, raw.toString()) }
}
const both = { standard: true, specified: true }
const neither = { standard: false, specified: false }

it('signs every attempt so that the library verifies it with the secret as shown, and no changed byte passes', async () => {
  world.receiver.behavior = 500
  await publish(1)
  world.deliveries()
  await world.settled()
  await pass(retryAfterMs[0]!)
  const [first, second] = world.receiver.received
  for (const one of [first!, second!]) {
    expect(verifies(endpoint.secret, one)).toEqual(both)
    expect(verifies(endpoint.secret, { ...one, raw: Buffer.from(`${one.raw} `) })).toEqual(neither)
    const headers = { ...one.headers, 'webhook-id': 'another', 'x-service-delivery': 'another' }
    expect(verifies(endpoint.secret, { ...one, headers }).standard).toBe(false)
  }
  expect(idOf(second!)).toBe(idOf(first!))
  expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp'])
})

it('sends a test like any other delivery', async () => {
  world.deliveries()
  await world.settled()
  const { id, payload } = await post('test')
  await pass(pollMs)
  const [received] = world.receiver.received
  expect(received!.headers).toMatchObject({ 'x-service-event': 'webhook.test', 'webhook-id': id })
  expect(JSON.parse(received!.raw.toString())).toEqual(payload)
  expect(verifies(endpoint.secret, received!)).toEqual(both)
  expect(await rows()).toMatchObject([{ id, status: 'delivered', attempts: 1 }])
})

describe('a resend', () => {
  it.each([
    ['delivered', 200],
    ['failed', 500],
  ] as const)(
    'of a %s delivery keeps its id and bytes, and makes up to five attempts of its own',
    async (status, response) => {
      world.receiver.behavior = response
      await publish(1)
      world.deliveries()
      await world.settled()
      for (const waitMs of retryAfterMs) await pass(waitMs)
      const [row] = await rows()
      expect(row!.status).toBe(status)
      const before = world.receiver.received.length
      world.receiver.behavior = 500
      expect(await resend(row!.id)).toMatchObject({ id: row!.id, status: 'queued', deliveredAt: null })
      await pass(pollMs)
      for (const waitMs of retryAfterMs) await pass(waitMs)
      expect(await rows()).toMatchObject([{ status: 'failed', attempts: before + attemptsMax }])
      const { received } = world.receiver
      expect(received).toHaveLength(before + attemptsMax)
      expect(new Set(received.map(idOf))).toEqual(new Set([row!.id]))
      expect(new Set(received.map(({ raw }) => raw.toString())).size).toBe(1)
    },
  )

  it('of a waiting delivery makes the next attempt immediately, without resetting the attempts', async () => {
    world.receiver.behavior = 500
    await publish(1)
    world.deliveries()
    await world.settled()
    await resend((await rows())[0]!.id)
    await pass(pollMs)
    expect(await rows()).toMatchObject([{ status: 'queued', attempts: 2, attempts_before: 0 }])
  })

  it('of a delivery in progress is that attempt', async () => {
    world.receiver.behavior = 'hang'
    await publish(1)
    world.deliveries()
    await vi.waitFor(() => expect(world.receiver.received).toHaveLength(1), patient)
    await resend((await rows())[0]!.id)
    world.receiver.behavior = 200
    clock.advance(attemptTimeoutMs)
    await world.settled()
    // It was due again before it had failed, and is retried after the usual first delay.
    await pass(retryAfterMs[0]!)
    expect(await rows()).toMatchObject([{ status: 'delivered', attempts: 2 }])
    expect(world.receiver.received).toHaveLength(2)
  })

  it('during the deletion of its endpoint returns 404, and nothing is left or sent', async () => {
    await publish(1)
    world.deliveries()
    await world.settled()
    const { id } = (await rows())[0]!
    // The deletion holds a lock on the endpoint; the resend waits for it and finds none.
    const other = await pg.pool.connect()
    try {
      await other.query('BEGIN')
      await other.query('DELETE FROM webhook_endpoints WHERE id = $1', [endpoint.id])
      const resent = world.http.post(`/v1/webhooks/${endpoint.id}/deliveries/${id}/resend`, undefined)
      const waiting = async () => (await pg.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length
      await vi.waitFor(async () => expect(await waiting()).toBe(1), patient)
      await other.query('COMMIT')
      expect((await resent).status).toBe(404)
    } finally {
      other.release()
    }
    await pass(pollMs)
    expect(world.receiver.received).toHaveLength(1)
    expect(await rows()).toEqual([])
  })
})

describe('a rotation', () => {
  it('signs the following deliveries with both secrets, and the specification’s header with the new one only', async () => {
    world.receiver.behavior = 'hang'
    for (let n = 0; n < 3; n++) await publish(n)
    world.deliveries()
    await vi.waitFor(() => expect(world.receiver.received).toHaveLength(1), patient)
    const { secret } = await post('rotate')
    world.receiver.behavior = 200
    clock.advance(attemptTimeoutMs)
    await world.settled()
    await pass(pollMs)
    await pass(retryAfterMs[0]!)
    const [before, ...after] = world.receiver.received
    expect([verifies(endpoint.secret, before!), verifies(secret, before!)]).toEqual([both, neither])
    expect(after).toHaveLength(3)
    for (const one of after) {
      expect(verifies(secret, one)).toEqual(both)
      expect(verifies(endpoint.secret, one)).toEqual({ standard: true, specified: false })
      expect(String(one.headers['webhook-signature'])).toMatch(/^v1,\S{44} v1,\S{44}$/)
    }
  })

  it('ends each old secret exactly 24 hours after it was replaced', async () => {
    const second = await post('rotate')
    clock.advance(3_600_000)
    const third = await post('rotate')
    world.deliveries()
    const secrets = [endpoint.secret, second.secret, third.secret]
    const signing = async () => {
      await publish(0)
      await pass(pollMs)
      return secrets.map((secret) => verifies(secret, world.receiver.received.at(-1)!).standard)
    }
    expect(await signing()).toEqual([true, true, true])
    clock.advance(secretOverlapMs - 3_600_000 - pollMs - 1 - pollMs)
    expect(await signing()).toEqual([true, true, true])
    clock.advance(1)
    expect(await signing()).toEqual([false, true, true])
    clock.advance(3_600_000)
    expect(await signing()).toEqual([false, false, true])
  })
})

describe('a pause', () => {
  it('sends nothing more than attempts in progress, and everything after the resume', async () => {
    world.receiver.behavior = 'hang'
    for (let n = 0; n < 3; n++) await publish(n)
    world.deliveries()
    await vi.waitFor(() => expect(world.receiver.received).toHaveLength(1), patient)
    expect((await setActive(false)).status).toBe(200)
    world.receiver.behavior = 200
    clock.advance(attemptTimeoutMs)
    await world.settled()
    await publish(3)
    for (const waitMs of [pollMs, ...retryAfterMs]) await pass(waitMs)
    expect(world.receiver.received).toHaveLength(1)
    expect((await rows()).map(({ status }) => status)).toEqual(Array(4).fill('queued'))
    await setActive(true)
    await pass(pollMs)
    await pass(pollMs)
    const receivedEvents = world.receiver.received.slice(1).map(({ raw }) => JSON.parse(raw.toString()).n)
    expect(receivedEvents.sort()).toEqual([0, 1, 2, 3])
  })

  it(`keeps ${pausedQueueMax} deliveries (here 5); further ones fail immediately, and can be resent`, async () => {
    await setActive(false)
    const store = createDeliveryStore(pg.pool)
    world.deliveries({ store: { ...store, fanOut: (given) => store.fanOut({ ...given, pausedMax: 5 }) } })
    for (let n = 0; n < 3; n++) await publish(n)
    await pass(pollMs)
    for (let n = 3; n < 8; n++) await publish(n)
    await pass(pollMs)
    const stored = await rows()
    expect(stored.map(({ status }) => status)).toEqual([...Array(5).fill('queued'), ...Array(3).fill('failed')])
    expect(stored.slice(5)).toMatchObject(Array(3).fill({ attempts: 0, last_result: 'paused, and 5 waited' }))
    expect(world.receiver.received).toEqual([])
    await setActive(true)
    await resend(stored[5]!.id)
    await pass(pollMs)
    await pass(pollMs)
    expect((await rows()).map(({ status }) => status)).toEqual([
      ...Array(6).fill('delivered'),
      ...Array(2).fill('failed'),
    ])
    // A new pause has its own limit.
    await setActive(false)
    await publish(8)
    await pass(pollMs)
    expect((await rows()).at(-1)).toMatchObject({ status: 'queued' })
  })

  it('does not lose what is queued while the endpoint is resumed', async () => {
    await setActive(false)
    const other = await pg.pool.connect()
    try {
      // A fan-out that saw it paused and has not committed yet.
      await other.query('BEGIN')
      await other.query(
        `INSERT INTO webhook_deliveries (endpoint_id, outbox_id, event, payload, due_at, created_at) VALUES ($1, -1, $2, '{}', $3, $3)`,
        [endpoint.id, event, new Date(clock.now())],
      )
      await other.query('UPDATE webhook_endpoints SET queued_count = queued_count + 1')
      const resumed = setActive(true)
      const waiting = async () => (await pg.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length
      await vi.waitFor(async () => expect(await waiting()).toBe(1), patient)
      await other.query('COMMIT')
      expect((await resumed).status).toBe(200)
    } finally {
      other.release()
    }
    world.deliveries()
    await world.settled()
    expect((await rows()).map(({ status }) => status)).toEqual(['delivered'])
  })
})
