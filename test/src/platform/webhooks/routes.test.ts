import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointsMax } from '#platform/webhooks/index'
import { WebhookDelivery, WebhookEndpoint, webhookEvents } from '#schemas/webhooks'
import { withPostgres } from '#test/support/postgres'
import { createWebhookWorld, type WebhookWorld } from './world.ts'

const pg = withPostgres()
let world: WebhookWorld
let accountId: string
beforeAll(async () => {
  world = await createWebhookWorld(pg.pool)
})
afterAll(() => world.close())
beforeEach(async () => {
  accountId = await world.newAccount()
  world.actAs(accountId)
})

const refusal = (reply: { status: number; json: { error: { code: string } } }) => [reply.status, reply.json.error.code]
const unknownId = '00000000-0000-4000-8000-000000000000'

describe('registering', () => {
  it('returns the endpoint with its secret, and never the secret again', async () => {
    const reply = await world.create('https://hooks.example.com/in?team=7', ['execution.status.changed'])
    expect(reply.status).toBe(200)
    const { secret, ...endpoint } = reply.json.data
    expect(WebhookEndpoint.parse(endpoint)).toMatchObject({
      url: 'https://hooks.example.com/in?team=7',
      events: ['execution.status.changed'],
      active: true,
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const listed = await world.http.get('/v1/webhooks')
    expect(listed.json).toEqual({ success: true, data: [endpoint] })
    expect(listed.text).not.toContain(secret.slice(6))
  })

  it('a key without the scope trade cannot register for events about orders, nor read their deliveries', async () => {
    const { id } = (await world.create('https://hooks.example.com/', ['execution.status.changed'])).json.data
    await pg.pool.query(
      `INSERT INTO webhook_deliveries (endpoint_id, outbox_id, event, payload, due_at, created_at)
       VALUES ($1, 1, 'execution.status.changed', '{}', now(), now())`,
      [id],
    )
    world.actAs(accountId, ['read'])
    for (const event of webhookEvents) {
      const reply = await world.create('https://hooks.example.com/', ['ingest.run.completed', event])
      const isOfOrders = !event.endsWith('.run.completed')
      expect(reply.status, event).toBe(isOfOrders ? 403 : 200)
      if (isOfOrders) expect(refusal(reply)).toEqual([403, 'SCOPE_MISSING'])
    }
    expect(refusal(await world.http.get(`/v1/webhooks/${id}/deliveries`))).toEqual([403, 'SCOPE_MISSING'])
  })

  it('stores the secret sealed: no table holds it in any form in which it was shown', async () => {
    const { secret } = (await world.create('https://hooks.example.com/')).json.data
    const bytes = Buffer.from(secret.slice(6), 'base64')
    const { rows } = await pg.pool.query<{ row: string; sealed: Buffer }>(
      'SELECT e::text AS row, secret_sealed AS sealed FROM webhook_endpoints e WHERE account_id = $1',
      [accountId],
    )
    for (const { row, sealed } of rows) {
      expect(row).not.toContain(secret.slice(6))
      expect(row).not.toContain(bytes.toString('hex'))
      expect(sealed.includes(bytes)).toBe(false)
      expect(sealed.includes(secret)).toBe(false)
    }
  })

  it('two endpoints never share a secret, and a repeated event counts once', async () => {
    const twice = ['ingest.run.completed', 'ingest.run.completed']
    const [one, two] = [
      await world.create('https://hooks.example.com/', twice),
      await world.create('https://hooks.example.com/', twice),
    ]
    expect(one.json.data.events).toEqual(['ingest.run.completed'])
    expect(one.json.data.secret).not.toBe(two.json.data.secret)
  })

  it.each([
    ['no body at all', undefined],
    ['no url', { events: ['ingest.run.completed'] }],
    ['an empty url', { url: '', events: ['ingest.run.completed'] }],
    ['a url that is not text', { url: 7, events: ['ingest.run.completed'] }],
    ['a url longer than 2048', { url: `https://a.example.com/${'x'.repeat(2_048)}`, events: ['ingest.run.completed'] }],
    ['no events', { url: 'https://a.example.com/' }],
    ['an empty list of events', { url: 'https://a.example.com/', events: [] }],
    ['an unknown event', { url: 'https://a.example.com/', events: ['order.filled'] }],
    ['events that are not a list', { url: 'https://a.example.com/', events: 'ingest.run.completed' }],
  ])('refuses %s', async (_name, body) => {
    expect(refusal(await world.http.post('/v1/webhooks', body))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await world.http.get('/v1/webhooks')).json.data).toEqual([])
  })

  it('accepts every event of the specification', async () => {
    expect((await world.create('https://hooks.example.com/')).json.data.events).toEqual([...webhookEvents])
  })

  it('limits an account, also under concurrent requests, without affecting others', async () => {
    const url = 'https://hooks.example.com/'
    const replies = await Promise.all(Array.from({ length: endpointsMax + 5 }, () => world.create(url)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(endpointsMax)
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(refusal(reply)).toEqual([400, 'VALIDATION_ERROR'])
    world.actAs(await world.newAccount())
    expect((await world.create(url)).status).toBe(200)
  })
})

describe('listing and deleting', () => {
  it('lists the caller’s endpoints, newest first', async () => {
    for (const path of ['a', 'b', 'c']) await world.create(`https://hooks.example.com/${path}`)
    const mine = (await world.http.get('/v1/webhooks')).json.data
    expect(mine.map(({ url }: { url: string }) => url.at(-1))).toEqual(['c', 'b', 'a'])
    world.actAs(await world.newAccount())
    expect((await world.http.get('/v1/webhooks')).json.data).toEqual([])
  })

  it('another account’s endpoint, an unknown one and an invalid id are 404 alike', async () => {
    const { id } = (await world.create('https://hooks.example.com/')).json.data
    world.actAs(await world.newAccount())
    for (const path of [id, unknownId, 'x', `${id}0`]) {
      expect(refusal(await world.http.call('DELETE', `/v1/webhooks/${path}`))).toEqual([404, 'WEBHOOK_NOT_FOUND'])
      expect(refusal(await world.http.get(`/v1/webhooks/${path}/deliveries`))).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    }
    world.actAs(accountId)
    expect((await world.http.get('/v1/webhooks')).json.data).toHaveLength(1)
  })

  it('deleting removes the endpoint and its queue, once', async () => {
    const { id } = (await world.create('https://hooks.example.com/')).json.data
    await queue(id, 3)
    expect((await world.http.call('DELETE', `/v1/webhooks/${id}`)).json).toEqual({ success: true, data: null })
    expect(await world.stored(id)).toEqual([])
    expect(refusal(await world.http.call('DELETE', `/v1/webhooks/${id}`))).toEqual([404, 'WEBHOOK_NOT_FOUND'])
  })
})

describe('deliveries', () => {
  it('are read oldest first, page by page with nextCursor, each once', async () => {
    const { id } = (await world.create('https://hooks.example.com/')).json.data
    await queue(id, 7)
    const seen: number[] = []
    let after: string | undefined
    do {
      const query: string = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
      const reply = await world.http.get(`/v1/webhooks/${id}/deliveries?limit=3${query}`)
      expect(reply.status).toBe(200)
      for (const row of reply.json.data) {
        expect(Object.keys(row)).toEqual([
          'id',
          'event',
          'payload',
          'status',
          'createdAt',
          'deliveredAt',
          'attempts',
          'lastResult',
          'nextAttemptAt',
        ])
        expect(WebhookDelivery.parse(row)).toMatchObject({
          status: 'queued',
          deliveredAt: null,
          attempts: 0,
          lastResult: null,
          nextAttemptAt: row.createdAt,
        })
        seen.push(row.payload.n)
      }
      after = reply.json.nextCursor
    } while (after !== undefined)
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('are read newest first on request, each once, and a cursor belongs to its order', async () => {
    const { id } = (await world.create('https://hooks.example.com/')).json.data
    await queue(id, 7)
    const read = async (query: string) => (await world.http.get(`/v1/webhooks/${id}/deliveries?limit=3${query}`)).json
    const numbersOf = ({ data }: { data: { payload: { n: number } }[] }) => data.map(({ payload }) => payload.n)
    const first = await read('&order=newest')
    expect(numbersOf(first)).toEqual([6, 5, 4])
    const after = `&after=${encodeURIComponent(first.nextCursor)}`
    const second = await read(`&order=newest${after}`)
    expect(numbersOf(second)).toEqual([3, 2, 1])
    const last = await read(`&order=newest&after=${encodeURIComponent(second.nextCursor)}`)
    expect([numbersOf(last), last.nextCursor]).toEqual([[0], undefined])
    for (const query of [after, '&order=best'])
      expect((await read(query)).error).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('are 50 a page by default, 200 at most, and a cursor of another endpoint is refused', async () => {
    const { id } = (await world.create('https://hooks.example.com/')).json.data
    const { id: other } = (await world.create('https://hooks.example.com/')).json.data
    await queue(id, 230)
    const read = async (query: string) => (await world.http.get(`/v1/webhooks/${id}/deliveries${query}`)).json
    expect((await read('')).data).toHaveLength(50)
    const page = await read('?limit=1000')
    expect(page.data).toHaveLength(200)
    const cursor = encodeURIComponent(page.nextCursor)
    expect((await read(`?after=${cursor}`)).data).toHaveLength(30)
    const stolen = await world.http.get(`/v1/webhooks/${other}/deliveries?after=${cursor}`)
    expect(refusal(stolen)).toEqual([400, 'VALIDATION_ERROR'])
    for (const query of ['?limit=0', '?limit=x', '?after=nonsense']) {
      expect(refusal(await world.http.get(`/v1/webhooks/${id}/deliveries${query}`))).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

async function queue(endpointId: string, count: number): Promise<void> {
  await pg.pool.query(
    `INSERT INTO webhook_deliveries (endpoint_id, outbox_id, event, payload, due_at, created_at)
     SELECT $1, n, 'ingest.run.completed', jsonb_build_object('n', n), now(), now() FROM generate_series(0, $2::int - 1) AS n`,
    [endpointId, count],
  )
}
