import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { Verification } from '#platform/auth/principal'
import { defaultPlans } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { defineRoute } from '#server/http/defineRoute'
import { createHttpHandler } from '#server/http/pipeline'
import type { HttpDeps } from '#server/http/ports'
import { MemoryCredits } from './purse.ts'
import { callOf, createWorld, keys, liveBook, longId, readAnswer } from './world.ts'

describe('the pipeline', () => {
  it('returns a live book synchronously when the key is known', async () => {
    const world = createWorld()
    world.cache.apply(liveBook('polymarket', longId, { bids: [[0.4, 1]], asks: [[0.5, 1]] }))
    const path = `/api/polymarket/fetchOrderBook?outcomeId=${longId}`
    // The first read loads the market's negative-risk marker; from then on everything is in memory.
    await world.handler(callOf('GET', path))
    const first = world.handler(callOf('GET', path))
    const second = world.handler(
      callOf('POST', '/api/polymarket/fetchOrderBook', { body: JSON.stringify({ args: [longId] }) }),
    )
    expect(first).not.toBeInstanceOf(Promise)
    expect(second).not.toBeInstanceOf(Promise)
    // The very same bytes, encoded once.
    expect((await second).body).toBe((await first).body)
  })

  it('takes the key from Authorization or X-Api-Key, the former first', async () => {
    const world = createWorld()
    const status = async (headers: Record<string, string>) =>
      (await world.get('/v1/status', { key: null, headers })).status
    expect(await status({ authorization: `bearer ${keys.reader}` })).toBe(200)
    expect(await status({ 'x-api-key': keys.reader })).toBe(200)
    expect(await status({ authorization: `Bearer ${keys.reader}`, 'x-api-key': 'unknown' })).toBe(200)
    expect(await status({ authorization: 'Bearer unknown', 'x-api-key': keys.reader })).toBe(401)
    expect(await status({ authorization: 'Basic abc' })).toBe(401)
  })

  it('reports the charge only where credits are metered', async () => {
    const purse = new MemoryCredits(42)
    const metered = createWorld({ credits: purse })
    const reply = await metered.get('/api/kalshi/fetchSeries')
    expect(reply.headers['x-credits-charged']).toBe('1')
    expect(reply.headers['x-credits-balance']).toBe('41')
    expect(purse.kept).toEqual([['k1', 1, 'fetchSeries']])
    expect((await createWorld().get('/api/kalshi/fetchSeries')).headers).not.toHaveProperty('x-credits-charged')
    expect((await metered.get('/v1/status')).headers).not.toHaveProperty('x-credits-charged')
  })

  it('rejects with 402 without credits, and charges nothing', async () => {
    const broke = createWorld({ credits: new MemoryCredits(0) })
    const reply = await broke.get('/api/kalshi/fetchSeries')
    expect([reply.status, reply.json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS'])
    expect(reply.headers).toMatchObject({ 'x-credits-charged': '0', 'x-credits-balance': '0' })
  })

  it('turns an unexpected failure, sync or async, into a logged 500 without details', async () => {
    const logged: unknown[] = []
    const log = Object.assign(Object.create(silentLog), {
      error: (line: unknown) => logged.push(line),
    }) as HttpDeps['log']
    const boom = (path: string, handle: () => Promise<never>) =>
      defineRoute({ operationId: path, method: 'get', path, access: 'public', summary: '', data: z.null(), handle })
    const handler = createHttpHandler(
      [
        boom('/sync', () => {
          throw new Error('secret detail')
        }),
        boom('/async', () => Promise.reject(new Error('secret detail'))),
      ],
      {
        verifier: { verify: () => ({ kind: 'invalid' }) },
        plans: defaultPlans,
        rateLimiter: createRateLimiter(systemClock),
        families: {},
        log,
        clock: systemClock,
      },
    )
    for (const path of ['/sync', '/async']) {
      const reply = await readAnswer(await handler(callOf('GET', path)))
      expect(reply.status).toBe(500)
      expect(reply.json.error).toMatchObject({
        code: 'INTERNAL',
        retryable: true,
        requestId: reply.headers['x-request-id'],
      })
      expect(reply.text).not.toContain('secret')
    }
    expect(logged).toHaveLength(2)
    expect(logged[0]).toMatchObject({ operationId: '/sync' })
  })

  it('accepts only an empty body or an empty object where a route has no body', async () => {
    const route = defineRoute({
      operationId: 'bare',
      method: 'post',
      path: '/bare',
      access: 'public',
      summary: '',
      data: z.null(),
      handle: () => ({ data: null }),
    })
    const handler = createHttpHandler([route], {
      verifier: { verify: () => ({ kind: 'invalid' }) },
      plans: defaultPlans,
      rateLimiter: createRateLimiter(systemClock),
      families: {},
      log: silentLog,
      clock: systemClock,
    })
    const results: unknown[] = []
    for (const body of ['', '{}', '{"x":1}', '[]', '[1]', 'null', '"x"', '0']) {
      const { status, json } = await readAnswer(await handler(callOf('POST', '/bare', { key: null, body })))
      results.push([body, status, status === 200 ? null : [json.error.code, json.error.message.includes('x')]])
    }
    const refused = (namesX: boolean) => ['VALIDATION_ERROR', namesX]
    expect(results.slice(0, 3)).toEqual([
      ['', 200, null],
      ['{}', 200, null],
      ['{"x":1}', 400, refused(true)],
    ])
    for (const one of results.slice(3))
      expect(one).toMatchObject([expect.any(String), 400, ['VALIDATION_ERROR', expect.any(Boolean)]])
  })

  it('waits for a key lookup, and then runs every later stage', async () => {
    const answers: Record<string, Verification> = {
      good: { kind: 'valid', principal: { accountId: 'a', keyId: 'k', plan: 'free', scopes: ['read'] } },
      narrow: { kind: 'valid', principal: { accountId: 'a', keyId: 'k', plan: 'free', scopes: ['trade'] } },
    }
    const route = defineRoute({
      operationId: 'who',
      method: 'post',
      path: '/who',
      access: { scope: 'read', credits: 0 },
      summary: '',
      body: z.object({ name: z.string() }),
      data: z.string(),
      handle: async ({ body, principal }) => ({ data: `${principal?.accountId}:${body.name}` }),
    })
    const handler = createHttpHandler([route], {
      verifier: { verify: async (key) => answers[key] ?? { kind: 'invalid' } },
      plans: defaultPlans,
      rateLimiter: createRateLimiter(systemClock),
      families: {},
      log: silentLog,
      clock: systemClock,
    })
    const request = async (key: string, body: unknown) =>
      readAnswer(await handler(callOf('POST', '/who', { key, body: JSON.stringify(body) })))
    expect((await request('good', { name: 'n' })).json).toEqual({ success: true, data: 'a:n' })
    expect((await request('good', { name: 5 })).json.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('name: '),
    })
    expect((await request('narrow', { name: 'n' })).status).toBe(403)
    expect((await request('nobody', { name: 'n' })).status).toBe(401)
  })

  it('gives every response its own request id', async () => {
    const world = createWorld()
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await world.get('/health', { key: null })).headers['x-request-id']),
    )
    expect(new Set(ids).size).toBe(50)
  })
})

describe('the system routes', () => {
  const world = createWorld()

  it('are public, except the status of the venues', async () => {
    for (const path of ['/', '/health', '/ready', '/metrics', '/openapi.json', '/asyncapi.json']) {
      expect((await world.get(path, { key: null })).status, path).toBe(200)
    }
    expect((await world.get('/v1/status', { key: null })).status).toBe(401)
  })

  it('show a health clock and the venues with ISO times', async () => {
    const health = await world.get('/health', { key: null })
    expect(health.json).toMatchObject({ success: true, data: { status: 'ok', time: world.clock.now() }, status: 'ok' })
    const status = await world.get('/v1/status')
    expect(status.json.data.venues[0]).toMatchObject({
      venue: 'kalshi',
      connection: 'connected',
      lagMs: 3,
      staleBooks: 1,
      staleReasons: [{ reason: 'gap', books: 1 }],
      lastMessageAt: new Date(world.clock.now()).toISOString(),
    })
  })

  it('pass a metrics text through unchanged', async () => {
    const metrics = await world.get('/metrics', { key: null })
    expect([metrics.headers['content-type'], metrics.text]).toEqual(['text/plain; version=0.0.4', 'up 1\n'])
  })
})
