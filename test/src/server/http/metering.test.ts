// The cost of a request for every way it can end.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createGeofence } from '#platform/geofence/geofence'
import { defaultPlans } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { defineRoute, type RouteAnswer } from '#server/http/defineRoute'
import { createHttpHandler } from '#server/http/pipeline'
import { MemoryCredits } from './purse.ts'
import { callOf, readAnswer } from './world.ts'

const principal = { accountId: 'a', keyId: 'k', plan: 'free', scopes: ['read'] } as const

function world(handle: () => RouteAnswer | Promise<RouteAnswer>, requestsPerMinute = 1_000, credits = 3) {
  const purse = new MemoryCredits(10)
  const route = defineRoute({
    operationId: 'ask',
    method: 'post',
    path: '/ask',
    access: { scope: 'read', credits },
    keyed: true,
    summary: '',
    body: z.object({ name: z.string() }),
    data: z.string(),
    handle,
  })
  const handler = createHttpHandler([route], {
    verifier: { verify: () => ({ kind: 'valid', principal }) },
    plans: { ...defaultPlans, free: { ...defaultPlans.free, requestsPerMinute } },
    rateLimiter: createRateLimiter(systemClock),
    geofence: createGeofence({ countryHeader: 'x-country', trustedProxies: ['127.0.0.1'], blockedCountries: ['KP'] }),
    families: {},
    credits: purse,
    log: silentLog,
    clock: systemClock,
  })
  const request = (headers: Record<string, string> = { 'idempotency-key': '1' }, body = '{"name":"n"}') =>
    handler(callOf('POST', '/ask', { headers, body }))
  return { purse, request }
}

const ok = (): RouteAnswer => ({ data: 'yes' })
const costs = (headers: Record<string, string>) => [headers['x-credits-charged'], headers['x-credits-balance']]

describe.each([
  ['at once', false],
  ['after waiting for credits', true],
])('charged %s', (_name, slow) => {
  it('the price of the route for a response', async () => {
    const { purse, request } = world(ok)
    purse.slow = slow
    const answer = request()
    expect(answer instanceof Promise).toBe(slow)
    expect(costs((await answer).headers)).toEqual(['3', '7'])
    expect(purse).toMatchObject({ open: 0, balance: 7, released: [], kept: [['k', 3, 'ask']] })
  })

  it.each([
    ['a body that does not fit', ok, { 'idempotency-key': '1' }, '{}', 400],
    ['a body that is not JSON', ok, { 'idempotency-key': '1' }, '{', 400],
    ['a missing Idempotency-Key', ok, {}, '{"name":"n"}', 400],
    ['a refusal of the handler', () => refuse('NOT_SUPPORTED'), { 'idempotency-key': '1' }, '{"name":"n"}', 501],
    ['a later refusal of the handler', async () => refuse('EXECUTION_NOT_FOUND'), undefined, undefined, 404],
    ['a failing store', async () => refuse('CATALOG_UNAVAILABLE'), undefined, undefined, 503],
    ['an unexpected failure', () => crash(), undefined, undefined, 500],
    ['a later unexpected failure', async () => crash(), undefined, undefined, 500],
    ['a response that cannot be serialized', () => ({ data: 1n }), undefined, undefined, 500],
  ] as const)('nothing for %s', async (_what, handle, headers, body, status) => {
    const { purse, request } = world(handle as () => RouteAnswer)
    purse.slow = slow
    const answer = await request(headers, body)
    expect(answer.status).toBe(status)
    expect(costs(answer.headers)).toEqual(['0', '10'])
    expect(purse).toMatchObject({ open: 0, balance: 10, kept: [], released: [['k', 3, 'ask']] })
  })

  it('the full price for a refusal after the work was done', async () => {
    const { purse, request } = world(() => {
      throw new Fault('VENUE_CREDENTIAL_REJECTED', 'no', { afterWork: true })
    })
    purse.slow = slow
    const answer = await request()
    expect([answer.status, ...costs(answer.headers)]).toEqual([401, '3', '7'])
    expect(purse).toMatchObject({ open: 0, balance: 7, released: [], kept: [['k', 3, 'ask']] })
  })

  it('one credit for such a refusal on a free route, without requiring it in advance', async () => {
    const { purse, request } = world(
      () => {
        throw new Fault('VALIDATION_ERROR', 'no', { afterWork: true })
      },
      1_000,
      0,
    )
    purse.slow = slow
    expect(costs((await request()).headers)).toEqual(['1', '9'])
    purse.balance = 0
    const poor = await request()
    expect([poor.status, poor.headers['x-credits-charged']]).toEqual([400, undefined])
    expect(purse).toMatchObject({ open: 0, balance: 0, kept: [['k', 1, 'ask']] })
  })

  it('nothing for a replay of the same Idempotency-Key', async () => {
    const { purse, request } = world(() => ({ data: 'again', headers: { 'idempotency-replay': 'true' } }))
    purse.slow = slow
    const answer = await request()
    expect([answer.status, ...costs(answer.headers)]).toEqual([200, '0', '10'])
    expect(purse).toMatchObject({ open: 0, balance: 10, kept: [] })
  })

  it('nothing for a 304 or a raw error response', async () => {
    for (const status of [304, 404, 503]) {
      const { purse, request } = world(() => ({ raw: { contentType: 'text/plain', body: '' }, status }))
      purse.slow = slow
      expect(costs((await request()).headers)).toEqual(['0', '10'])
      expect(purse.open).toBe(0)
    }
  })
})

describe('no reservation', () => {
  it('for a caller who is blocked, rate limited or without credits', async () => {
    const blocked = world(ok)
    const reply = await blocked.request({ 'idempotency-key': '1', 'x-country': 'KP' })
    expect([reply.status, reply.headers['x-credits-charged']]).toEqual([451, undefined])
    expect(blocked.purse).toMatchObject({ open: 0, kept: [], released: [] })

    const hurried = world(ok, 1)
    await hurried.request()
    expect((await hurried.request()).status).toBe(429)
    expect(hurried.purse).toMatchObject({ open: 0, kept: [['k', 3, 'ask']], released: [] })

    const broke = world(ok)
    broke.purse.balance = 2
    const refused = await broke.request()
    expect([refused.status, ...costs(refused.headers)]).toEqual([402, '0', '2'])
    expect(broke.purse).toMatchObject({ open: 0, kept: [], released: [] })
  })
})

describe('a stream', () => {
  const streaming = (body: () => AsyncIterable<Uint8Array>) =>
    world(() => ({ raw: { contentType: 'application/x-ndjson', body: body() } }))

  it('is charged when it ends, and announces the charge in its headers', async () => {
    const { purse, request } = streaming(async function* () {
      yield Buffer.from('a')
      yield Buffer.from('b')
    })
    const answer = await request()
    expect(costs(answer.headers)).toEqual(['3', '7'])
    expect(purse).toMatchObject({ open: 3, kept: [] })
    expect((await readAnswer(answer)).text).toBe('ab')
    expect(purse).toMatchObject({ open: 0, balance: 7, kept: [['k', 3, 'ask']] })
  })

  it('is charged when its reader stops, even before the first chunk', async () => {
    let closed = 0
    const chunks = (): AsyncIterable<Uint8Array> => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: Buffer.from('a') }),
        return: async () => {
          closed++
          return { done: true, value: undefined }
        },
      }),
    })
    const { purse, request } = streaming(chunks)
    for await (const _ of (await request()).body as AsyncIterable<Uint8Array>) break
    await ((await request()).body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().return!()
    expect(purse.kept).toHaveLength(2)
    expect([purse.open, closed]).toEqual([0, 2])
  })

  it('costs nothing when it fails', async () => {
    const { purse, request } = streaming(async function* () {
      yield Buffer.from('a')
      throw new Error('the tape is gone')
    })
    await expect(readAnswer(await request())).rejects.toThrow('the tape is gone')
    expect(purse).toMatchObject({ open: 0, balance: 10, kept: [] })
  })
})

function refuse(code: 'NOT_SUPPORTED' | 'EXECUTION_NOT_FOUND' | 'CATALOG_UNAVAILABLE'): never {
  throw new Fault(code, 'no')
}
function crash(): never {
  throw new Error('boom')
}
