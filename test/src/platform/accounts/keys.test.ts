// The keys of an account and their usage, over sockets, from a real database.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKey, hashKey, type IssuedKey, revokeKey, rotateKey } from '#platform/auth/keys'
import { createPostgresKeyVerifier } from '#platform/auth/postgresVerifier'
import { plansWith } from '#platform/plans/plans'
import { type Credits, openCredits } from '#roles/credits'
import { createMetrics } from '#roles/metrics'
import { AccountKey, Usage } from '#schemas/account'
import { withPostgres } from '#test/support/postgres'
import { startServer, type TestServer } from '../../server/gateway/support.ts'
import { createWorld } from '../../server/http/world.ts'

const postgres = withPostgres()
const plans = plansWith({})
let credits: Credits
let server: TestServer
let own: IssuedKey
let stranger: IssuedKey

beforeAll(async () => {
  const { pool } = postgres
  credits = openCredits({ pool, plans, metrics: createMetrics(), clock: systemClock, log: silentLog })
  const verifier = createPostgresKeyVerifier(pool, { clock: systemClock, log: silentLog })
  const world = createWorld({ verifier, plans, credits: credits.meter, accounts: credits.accounts })
  // The date is today's, like that of the books.
  world.clock.advance(Date.now() - world.clock.now())
  server = await startServer({ http: world.handler })
  own = await createKey(pool, { account: 'keys-own', plan: 'builder', scopes: ['read', 'trade'] })
  stranger = await createKey(pool, { account: 'keys-stranger', plan: 'free', scopes: ['read'] })
})
afterAll(async () => {
  await server?.stop()
  await credits?.stop()
})

async function request(path: string, key = own) {
  const response = await fetch(`http://127.0.0.1:${server.gateway.port}${path}`, {
    headers: { authorization: `Bearer ${key.apiKey}` },
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  return { status: response.status, text, body: JSON.parse(text) as any }
}
const read = '/api/kalshi/fetchSeries'
const today = new Date().toISOString().slice(0, 10)

describe('GET /v1/account/keys', () => {
  it('lists live, expiring and revoked keys of this account only, newest first, and none of them in full', async () => {
    const { pool } = postgres
    const gone = await createKey(pool, { account: 'keys-own', plan: 'free', scopes: ['read'] })
    await revokeKey(pool, gone.keyId)
    const ending = await createKey(pool, { account: 'keys-own', plan: 'pro', scopes: ['read'] })
    const next = (await rotateKey(pool, ending.keyId, 3_600))!
    const { status, text, body } = await request('/v1/account/keys')
    expect(status).toBe(200)
    const rows = z.array(AccountKey).parse(body.data)
    expect(rows.map(({ keyId, live }) => [keyId, live])).toEqual([
      [next.keyId, true],
      [ending.keyId, true],
      [gone.keyId, false],
      [own.keyId, true],
    ])
    expect(Date.parse(rows[1]!.revokedAt!)).toBeGreaterThan(Date.now())
    expect(Date.parse(rows[2]!.revokedAt!)).toBeLessThanOrEqual(Date.now())
    expect(rows[3]).toEqual({
      keyId: own.keyId,
      prefix: own.apiKey.slice(0, 16),
      plan: 'builder',
      scopes: ['read', 'trade'],
      live: true,
      createdAt: own.createdAt.toISOString(),
      lastUsedDay: expect.toBeOneOf([today, null]),
      revokedAt: null,
    })
    for (const { apiKey } of [own, gone, ending, next]) {
      expect(text).not.toContain(apiKey)
      expect(text).not.toContain(hashKey(apiKey))
    }
    expect(body.meta).toEqual({ nextCursor: null })
  })

  it('pages through them, and accepts no cursor of another account', async () => {
    const all = (await request('/v1/account/keys')).body.data as AccountKey[]
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await request(`/v1/account/keys?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ keyId }: AccountKey) => keyId))
      cursor = body.meta.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(all.map(({ keyId }) => keyId))
    expect((await request(`/v1/account/keys?cursor=${seen.at(-1)}`)).body.data).toEqual([])
    for (const wrong of [stranger.keyId, '00000000-0000-4000-8000-000000000000', 'last']) {
      const { status, body } = await request(`/v1/account/keys?cursor=${wrong}`)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.message).toContain('cursor')
    }
  })

  it('shows other accounts only their own keys', async () => {
    const { body } = await request('/v1/account/keys', stranger)
    expect(body.data.map(({ keyId }: AccountKey) => keyId)).toEqual([stranger.keyId])
  })
})

it('reports the usage of an account by key as well, before and after it is settled', async () => {
  const { pool } = postgres
  const second = await createKey(pool, { account: 'keys-own', plan: 'builder', scopes: ['read'] })
  for (const key of [own, second, second]) await request(read, key)
  const byKey = [
    { keyId: second.keyId, calls: 2, credits: 2 },
    { keyId: own.keyId, calls: 1, credits: 1 },
  ]
  const { body } = await request('/v1/account/usage')
  expect(Usage.parse(body.data)).toMatchObject({ total: { calls: 3, credits: 3 }, byKey })
  await vi.waitFor(() => expect(credits.meter.totals().unsettled).toBe(0), { timeout: 25_000 })
  expect((await request('/v1/account/usage')).body.data.byKey).toEqual(byKey)
  const one = (await request(`/v1/account/usage?keyId=${own.keyId}`)).body.data
  expect(one).toMatchObject({ total: { calls: 1, credits: 1 }, byKey: [byKey[1]] })
})
