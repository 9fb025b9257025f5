// Metering from end to end: sockets, the real gateway, keys and credits on a real database.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKey } from '#platform/auth/keys'
import { createPostgresKeyVerifier } from '#platform/auth/postgresVerifier'
import { plansWith } from '#platform/plans/plans'
import { type Credits, openCredits } from '#roles/credits'
import { createMetrics } from '#roles/metrics'
import { Account, Usage } from '#schemas/account'
import { upsertCap } from '#storage/postgres/caps/spendCaps'
import { withPostgres } from '#test/support/postgres'
import { startServer, type TestServer } from '../../server/gateway/support.ts'
import { createWorld, longId } from '../../server/http/world.ts'
import { booksOf } from '../credits/ledger.ts'
import { grant } from '../credits/support.ts'

const postgres = withPostgres()
const plans = plansWith({
  free: { requestsPerMinute: 100_000, creditsPerMonth: 40 },
  builder: { creditsPerMonth: 0, requestsPerMinute: 100_000 },
})
const metrics = createMetrics()
let credits: Credits
let server: TestServer
const gateways: TestServer[] = []
/** The rows that every gateway replays. */
const replayed: string[] = []

async function startGateway(): Promise<[TestServer, Credits]> {
  const { pool } = postgres
  const opened = openCredits({
    pool,
    plans,
    metrics: gateways.length === 0 ? metrics : createMetrics(),
    clock: systemClock,
    log: silentLog,
  })
  const world = createWorld({
    families: { history: true },
    verifier: createPostgresKeyVerifier(pool, { clock: systemClock, log: silentLog }),
    plans,
    credits: opened.meter,
    accounts: opened.accounts,
  })
  world.tape.replayed = replayed
  // The date is today's, like that of the books.
  world.clock.advance(Date.now() - world.clock.now())
  const started = await startServer({ http: world.handler })
  gateways.push(started)
  return [started, opened]
}

beforeAll(async () => {
  ;[server, credits] = await startGateway()
})
afterAll(async () => {
  for (const { stop } of gateways) await stop()
  await credits?.stop()
})

const today = new Date().toISOString().slice(0, 10)
const read = '/api/kalshi/fetchSeries'
let made = 0
const newKey = (plan: 'free' | 'builder' | 'enterprise' = 'free', account = `metered-${made++}`) =>
  createKey(postgres.pool, { account, plan, scopes: ['read'] })
const request = async (apiKey: string, path: string, at = server) => {
  const response = await fetch(`http://127.0.0.1:${at.gateway.port}${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  return {
    status: response.status,
    charged: response.headers.get('x-credits-charged'),
    balance: response.headers.get('x-credits-balance'),
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
    body: (await response.json()) as any,
  }
}

describe('a new key', () => {
  it('reads at once what its plan includes, with its charge and its balance', async () => {
    const { apiKey, accountId, keyId } = await newKey()
    expect(await request(apiKey, read)).toMatchObject({ status: 200, charged: '1', balance: '39' })
    expect(await request(apiKey, read)).toMatchObject({ status: 200, charged: '1', balance: '38' })
    // Refused and free calls do not change it.
    expect(await request(apiKey, `${read}?limit=x`)).toMatchObject({ status: 400, charged: '0', balance: '38' })
    expect(await request(apiKey, '/api/kalshi/fetchBalance')).toMatchObject({ status: 501, charged: null })
    const { status, charged, body } = await request(apiKey, '/v1/account')
    expect([status, charged]).toEqual([200, null])
    expect(Account.parse(body.data)).toEqual({
      accountId,
      name: expect.stringMatching(/^metered-/),
      createdAt: expect.any(String),
      keyId,
      plan: 'free',
      scopes: ['read'],
      features: plans.free.features,
      limits: {
        requestsPerMinute: 100_000,
        creditsPerMonth: 40,
        streamConnections: 5,
        subscriptionsPerConnection: 50,
        historyDays: 0,
      },
      credits: {
        unlimited: false,
        balance: 38,
        leased: expect.any(Number),
        included: { month: today.slice(0, 7), credits: 40 },
      },
      spendCaps: [],
    })
  })

  it('sees its usage by day and route before and after it is settled', async () => {
    const { apiKey, keyId } = await newKey()
    await request(apiKey, read)
    await request(apiKey, read)
    await request(apiKey, '/api/kalshi/fetchMarkets?limit=1')
    const usage = {
      from: expect.any(String),
      to: today,
      total: { calls: 3, credits: 3 },
      lines: [
        { day: today, operationId: 'fetchMarkets', calls: 1, credits: 1 },
        { day: today, operationId: 'fetchSeries', calls: 2, credits: 2 },
      ],
      byKey: [{ keyId, calls: 3, credits: 3 }],
    }
    expect(Usage.parse((await request(apiKey, '/v1/account/usage')).body.data)).toEqual(usage)
    await vi.waitFor(() => expect(credits.meter.totals().unsettled).toBe(0), { timeout: 25_000 })
    expect((await request(apiKey, `/v1/account/usage?keyId=${keyId}`)).body.data).toEqual(usage)
    const other = await request(apiKey, '/v1/account/usage?keyId=00000000-0000-4000-8000-000000000000')
    expect(other.body.data).toMatchObject({ total: { calls: 0, credits: 0 }, lines: [], byKey: [] })
    const before = await request(apiKey, '/v1/account/usage?from=2026-01-01&to=2026-01-31')
    expect(before.body.data.lines).toEqual([])
  })

  it.each([
    ['from=2026-02-01&to=2026-01-01', 'from'],
    ['from=2026-01-01&to=2026-12-31', 'at most 92 days'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    ['keyId=me', 'keyId'],
  ])('refuses a window of %s', async (query, word) => {
    const { apiKey } = await newKey('enterprise')
    const { status, body } = await request(apiKey, `/v1/account/usage?${query}`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.message).toContain(word)
  })
})

it('100 reads at once at the end of the balance: as many as it covers succeed, the others get 402, none fails otherwise', async () => {
  const { apiKey, accountId } = await newKey('builder')
  await grant(postgres.pool, accountId, 65)
  const replies = await Promise.all(Array.from({ length: 100 }, () => request(apiKey, read)))
  const answered = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status === 402)
  expect([answered.length, refused.length]).toEqual([65, 35])
  for (const { charged, body } of refused) {
    expect([charged, body.error.code, body.error.retryable]).toEqual(['0', 'INSUFFICIENT_CREDITS', false])
  }
  expect((await request(apiKey, '/v1/account')).body.data.credits).toMatchObject({ balance: 0, included: null })
  await vi.waitFor(async () => {
    expect(await booksOf(postgres.pool, accountId)).toEqual({ balance: 0, held: 0, granted: 65, usage: 65 })
  })
})

it('two gateways share one balance and do not overspend it', async () => {
  const [second, theirs] = await startGateway()
  const { apiKey, accountId } = await newKey('builder')
  await grant(postgres.pool, accountId, 300)
  let answered = 0
  await vi.waitFor(
    async () => {
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, i) => request(apiKey, read, i % 2 === 0 ? server : second)),
      )
      answered += replies.filter(({ status }) => status === 200).length
      expect(answered).toBe(300)
    },
    { timeout: 20_000, interval: 200 },
  )
  await second.stop()
  await theirs.stop()
  await vi.waitFor(async () => {
    expect(await booksOf(postgres.pool, accountId)).toEqual({ balance: 0, held: 0, granted: 300, usage: 300 })
  })
})

it('an unlimited account is counted and has no balance', async () => {
  const { apiKey } = await newKey('enterprise')
  expect(await request(apiKey, read)).toMatchObject({ status: 200, charged: '1', balance: null })
  const { body } = await request(apiKey, '/v1/account')
  expect(body.data.credits).toEqual({ unlimited: true, balance: null, leased: null, included: null })
  expect(body.data.limits.creditsPerMonth).toBeNull()
})

it('reports the caps of the account and the key, and today’s spending', async () => {
  const { apiKey, accountId, keyId } = await newKey()
  await upsertCap(postgres.pool, accountId, '1000')
  await upsertCap(postgres.pool, keyId, '250.5')
  await postgres.pool.query(`INSERT INTO spend_reserved (scope_id, day, reserved, cap) VALUES ($1, $2, 12.5, 1000)`, [
    accountId,
    today,
  ])
  expect((await request(apiKey, '/v1/account')).body.data.spendCaps).toEqual([
    { scope: 'account', day: today, dailyUsd: '1000', reservedUsd: '12.5' },
    { scope: 'key', day: today, dailyUsd: '250.5', reservedUsd: '0' },
  ])
})

it('a replay page costs a flat amount, reported in its headers, whatever it contains', async () => {
  const { apiKey, accountId } = await newKey('builder')
  await grant(postgres.pool, accountId, 25)
  const until = Date.now() - 60_000
  const path = `/v1/history/replay?venue=polymarket&outcomeId=${longId}&kind=tob&since=${until - 1_000}&until=${until}`
  const page = async () => {
    const response = await fetch(`http://127.0.0.1:${server.gateway.port}${path}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    const lines = (await response.text()).trim().split('\n').length
    const { status, headers } = response
    return [status, lines, headers.get('x-credits-charged'), headers.get('x-credits-balance')]
  }
  expect(await page()).toEqual([200, 1, '10', '15'])
  const side = '"bid":0.4,"bidSize":1,"ask":null,"askSize":null'
  for (const ts of [1, 2]) replayed.push(`{"k":"tob","ts":${ts},${side},"recvTs":${ts},"seq":0}\n`)
  expect(await page()).toEqual([200, 3, '10', '5'])
  expect(await page()).toEqual([402, 1, '0', '5'])
})

it('a HEAD costs as much as its GET, also of a page', async () => {
  const { apiKey, accountId } = await newKey('builder')
  await grant(postgres.pool, accountId, 25)
  const until = Date.now() - 60_000
  const page = `/v1/history/replay?venue=polymarket&outcomeId=${longId}&kind=tob&since=${until - 1_000}&until=${until}`
  const costs = []
  for (const path of [read, page]) {
    const { status, headers } = await fetch(`http://127.0.0.1:${server.gateway.port}${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${apiKey}` },
    })
    costs.push([status, headers.get('x-credits-charged'), headers.get('x-credits-balance')])
  }
  expect(costs).toEqual([
    [200, '1', '24'],
    [200, '10', '14'],
  ])
  await vi.waitFor(async () => {
    expect(await booksOf(postgres.pool, accountId)).toMatchObject({ usage: 11 })
  }, 5_000)
})

it('metrics report held, spent and refused credits', async () => {
  const { text } = await metrics.text()
  for (const name of ['leased', 'unsettled', 'spent_total', 'refused_total', 'written_off_total', 'accounts'])
    expect(text).toMatch(new RegExp(`^crossbook_credits_${name} \\d+$`, 'm'))
  expect(text).toMatch(/^crossbook_credits_refused_total [1-9]/m)
})
