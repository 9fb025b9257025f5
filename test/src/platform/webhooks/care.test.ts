// Later operations on an endpoint: pause, resume, a new secret, a test, a repeated delivery. Who may do them, how often, and what is
// recorded.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { oldSecretsMax, secretOverlapMs, testRequestsMax, testRequestWindowMs } from '#platform/webhooks/index'
import { WebhookDelivery, WebhookRotated, WebhookTest } from '#schemas/webhooks'
import { withPostgres } from '#test/support/postgres'
import { createWebhookWorld, type Endpoint, type WebhookWorld } from './world.ts'

const pg = withPostgres()
const job = 'ingest.run.completed'
let clock: ManualClock
let world: WebhookWorld
beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2026, 7, 1))
  world = await createWebhookWorld(pg.pool, { clock })
})
afterEach(() => world.close())

type Reply = Awaited<ReturnType<typeof world.create>>
const refusal = ({ status, json }: Reply) => [status, json.error.code]
const post = (id: string, path: string): Promise<Reply> => world.http.post(`/v1/webhooks/${id}/${path}`, undefined)
const setActive = (id: string, active: unknown): Promise<Reply> =>
  world.http.call('PATCH', `/v1/webhooks/${id}`, { body: JSON.stringify({ active }) })
const resend = (id: string, deliveryId: string): Promise<Reply> => post(id, `deliveries/${deliveryId}/resend`)

async function deliveryOf({ id }: Endpoint, event: string, status = 'delivered'): Promise<string> {
  const { rows } = await pg.pool.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (endpoint_id, outbox_id, event, payload, due_at, created_at, status, attempts)
     VALUES ($1, 1, $2, '{}', $3, $3, $4, 1) RETURNING id`,
    [id, event, new Date(clock.now()), status],
  )
  return rows[0]!.id
}

/** Every kind of change, as requests. */
const changes: readonly [name: string, change: (id: string, deliveryId: string) => Promise<Reply>][] = [
  ['pause', (id) => setActive(id, false)],
  ['resume', (id) => setActive(id, true)],
  ['rotate', (id) => post(id, 'rotate')],
  ['test', (id) => post(id, 'test')],
  ['resend', (id, deliveryId) => resend(id, deliveryId)],
  ['delete', (id) => world.http.call('DELETE', `/v1/webhooks/${id}`)],
]

describe.each(changes)('%s', (_name, change) => {
  it('is 404 for another account’s endpoint, an unknown one and an invalid id, and changes nothing', async () => {
    const endpoint = await world.endpoint('/mine', [job])
    const deliveryId = await deliveryOf(endpoint, job)
    const before = JSON.stringify(await everything())
    world.actAs(await world.newAccount())
    for (const id of [endpoint.id, randomUUID(), 'x', `${endpoint.id}0`])
      expect(refusal(await change(id, deliveryId)), id).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    expect(JSON.stringify(await everything())).toBe(before)
  })

  it('needs the scope trade at an endpoint with events about orders, and changes nothing without it', async () => {
    const endpoint = await world.endpoint('/orders', [job, 'execution.status.changed'])
    const deliveryId = await deliveryOf(endpoint, job)
    const before = JSON.stringify(await everything())
    world.actAs(world.accountId, ['read'])
    expect(refusal(await change(endpoint.id, deliveryId))).toEqual([403, 'SCOPE_MISSING'])
    expect(JSON.stringify(await everything())).toBe(before)
    world.actAs(world.accountId, ['read', 'trade'])
    expect((await change(endpoint.id, deliveryId)).status).toBe(200)
  })

  it('needs only the scope read at other endpoints', async () => {
    const endpoint = await world.endpoint('/jobs', [job])
    const deliveryId = await deliveryOf(endpoint, job)
    world.actAs(world.accountId, [])
    expect(refusal(await change(endpoint.id, deliveryId))).toEqual([403, 'SCOPE_MISSING'])
    world.actAs(world.accountId, ['read'])
    expect((await change(endpoint.id, deliveryId)).status).toBe(200)
  })
})

it('records every change of an endpoint with the key that requested it, also after its deletion; ineffective requests are not recorded', async () => {
  const { id } = await world.endpoint('/mine', [job])
  for (const active of [true, false, false, true]) expect((await setActive(id, active)).json.data.active).toBe(active)
  await post(id, 'rotate')
  world.http.verifications.next = {
    kind: 'valid',
    principal: { accountId: world.accountId, keyId: 'another-key', plan: 'pro', scopes: ['read', 'trade'] },
  }
  await world.http.call('DELETE', `/v1/webhooks/${id}`)
  const { rows } = await pg.pool.query('SELECT * FROM webhook_audit WHERE endpoint_id = $1 ORDER BY id', [id])
  expect(rows.map(({ action, key_id, account_id }) => [action, key_id, account_id])).toEqual([
    ...['created', 'paused', 'resumed', 'rotated'].map((action) => [action, world.accountId, world.accountId]),
    ['deleted', 'another-key', world.accountId],
  ])
  await expect(pg.pool.query(`UPDATE webhook_audit SET action = 'created'`)).rejects.toThrow()
})

describe('a rotated secret', () => {
  it('is shown once and stored sealed, as the previous one was', async () => {
    const endpoint = await world.endpoint('/mine', [job])
    const reply = await post(endpoint.id, 'rotate')
    expect(reply.headers['cache-control']).toBe('no-store')
    const rotated = WebhookRotated.strict().parse(reply.json.data)
    expect(rotated).toMatchObject({ id: endpoint.id, url: endpoint.url, active: true })
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rotated.secret).not.toBe(endpoint.secret)
    expect(rotated.previousSecretExpiresAt).toBe(new Date(clock.now() + secretOverlapMs).toISOString())
    const stored = JSON.stringify(await everything()) + (await world.http.get('/v1/webhooks')).text
    for (const secret of [endpoint.secret, rotated.secret]) {
      expect(stored).not.toContain(secret.slice(6))
      expect(stored).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'))
    }
  })

  it('leaves at most three older ones, also after concurrent requests, and deletes expired ones', async () => {
    const { id } = await world.endpoint('/mine', [job])
    const replies = await Promise.all(Array.from({ length: 6 }, () => post(id, 'rotate')))
    expect(new Set(replies.map(({ json }) => json.data.secret)).size).toBe(6)
    const kept = async () =>
      (await pg.pool.query('SELECT old_secrets_sealed, old_secrets_until FROM webhook_endpoints WHERE id = $1', [id]))
        .rows[0]
    expect((await kept()).old_secrets_sealed).toHaveLength(oldSecretsMax)
    expect((await kept()).old_secrets_until).toHaveLength(oldSecretsMax)
    world.deliveries()
    await world.settled()
    clock.advance(secretOverlapMs)
    await vi.waitFor(
      async () => {
        // A cleanup that began during the jump used another day.
        clock.advance(600_000)
        await world.settled()
        const { old_secrets_sealed: sealed, old_secrets_until: until } = await kept()
        expect([sealed.length, until.length]).toEqual([0, 0])
      },
      { timeout: 20_000, interval: 10 },
    )
  })
})

describe('pausing', () => {
  it.each([undefined, null, 'true', 1])('refuses active: %s', async (active) => {
    const { id } = await world.endpoint('/mine', [job])
    expect(refusal(await setActive(id, active))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('shows in the list, and neither tests nor resends are accepted meanwhile', async () => {
    const endpoint = await world.endpoint('/mine', [job])
    const deliveryId = await deliveryOf(endpoint, job)
    expect((await setActive(endpoint.id, false)).json.data).toEqual({ ...withoutSecret(endpoint), active: false })
    expect((await world.http.get('/v1/webhooks')).json.data).toEqual([{ ...withoutSecret(endpoint), active: false }])
    for (const reply of [await post(endpoint.id, 'test'), await resend(endpoint.id, deliveryId)]) {
      expect(refusal(reply)).toEqual([400, 'VALIDATION_ERROR'])
      expect(reply.json.error.message).toContain('resume')
    }
    expect((await world.stored(endpoint.id)).map(({ status }) => status)).toEqual(['delivered'])
  })
})

describe('tests and resends', () => {
  it('a test returns its delivery, of the documented shape', async () => {
    const { id } = await world.endpoint('/mine', [job])
    const { data } = (await post(id, 'test')).json
    expect(WebhookDelivery.strict().parse(data)).toMatchObject({ event: 'webhook.test', status: 'queued' })
    expect(WebhookTest.strict().parse(data.payload)).toEqual({
      test: true,
      webhookId: id,
      occurredAt: new Date(clock.now()).toISOString(),
    })
    expect((await world.http.get(`/v1/webhooks/${id}/deliveries`)).json.data).toEqual([data])
  })

  it('nothing can register for the test event', async () => {
    expect(refusal(await world.create('https://hooks.example.com/', ['webhook.test']))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })

  it('share a limit per endpoint and minute, also under concurrent requests; another endpoint has its own', async () => {
    const [endpoint, other] = [await world.endpoint('/mine', [job]), await world.endpoint('/other', [job])]
    const deliveryId = await deliveryOf(endpoint, job)
    const testOrResend = (_: unknown, i: number) =>
      i % 2 === 0 ? post(endpoint.id, 'test') : resend(endpoint.id, deliveryId)
    for (let i = 0; i < testRequestsMax - 3; i++) expect((await testOrResend(null, i)).status).toBe(200)
    const replies = await Promise.all(Array.from({ length: 8 }, testOrResend))
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(5)
    for (const reply of refused) {
      expect(refusal(reply)).toEqual([429, 'RATE_LIMITED'])
      expect(reply.headers['retry-after']).toBe('60')
    }
    expect((await post(other.id, 'test')).status).toBe(200)
    clock.advance(testRequestWindowMs - 1)
    expect((await post(endpoint.id, 'test')).headers['retry-after']).toBe('1')
    clock.advance(1)
    expect((await post(endpoint.id, 'test')).status).toBe(200)
  })

  it('a resend must be of a delivery of that endpoint, and an unknown one does not count', async () => {
    const [endpoint, other] = [await world.endpoint('/mine', [job]), await world.endpoint('/other', [job])]
    const deliveryId = await deliveryOf(other, job)
    for (const id of [deliveryId, randomUUID(), 'x', `${deliveryId}0`])
      for (let i = 0; i < testRequestsMax / 2; i++)
        expect(refusal(await resend(endpoint.id, id))).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    expect((await post(endpoint.id, 'test')).status).toBe(200)
  })
})

const withoutSecret = ({ secret: _, ...endpoint }: Endpoint) => endpoint

const everything = async () =>
  (
    await pg.pool.query(
      `SELECT e::text AS row FROM webhook_endpoints e UNION ALL SELECT d::text FROM webhook_deliveries d UNION ALL
       SELECT a::text FROM webhook_audit a`,
    )
  ).rows
