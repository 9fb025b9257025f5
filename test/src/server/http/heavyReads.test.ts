// How many requests of one key that read many rows run at once.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { defaultPlans } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { defineRoute, type RouteAnswer } from '#server/http/defineRoute'
import { heavyReadsAtOnce, heavyReadsWaiting } from '#server/http/heavyReads'
import { createHttpHandler } from '#server/http/pipeline'
import { MemoryCredits } from './purse.ts'
import { callOf, createWorld, keys, liveBook, longId, readAnswer } from './world.ts'

/** A heavy and a light route; each heavy request ends when its function in `ends` is called. */
function heavyWorld() {
  const ends: ((answer: RouteAnswer | Error) => void)[] = []
  const purse = new MemoryCredits(1_000)
  const shared = { method: 'get', access: { scope: 'read', credits: 1 }, summary: '', data: z.null() } as const
  const heavy = defineRoute({
    ...shared,
    operationId: 'heavy',
    path: '/heavy',
    heavy: true,
    handle: () =>
      new Promise<RouteAnswer>((resolve, reject) =>
        ends.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))),
      ),
  })
  const light = defineRoute({ ...shared, operationId: 'light', path: '/light', handle: () => ({ data: null }) })
  const handler = createHttpHandler([heavy, light], {
    verifier: {
      verify: (key) => ({
        kind: 'valid',
        principal: { accountId: 'a', keyId: key, plan: 'enterprise', scopes: ['read'] },
      }),
    },
    plans: defaultPlans,
    rateLimiter: createRateLimiter(systemClock),
    families: {},
    credits: purse,
    log: silentLog,
    clock: systemClock,
  })
  const request = (path: string, key = 'k1', signal = new AbortController().signal) =>
    handler({ ...callOf('GET', path, { key }), signal })
  const heavyOnes = (count: number, key = 'k1') =>
    Array.from({ length: count }, async () => readAnswer(await request('/heavy', key)))
  const settle = () => new Promise(setImmediate)
  const endAll = async (answer: RouteAnswer | Error = { data: null }) => {
    for (let at = 0; at < ends.length; at++) {
      ends[at]!(answer)
      await settle()
    }
  }
  return { ends, purse, request, heavyOnes, settle, endAll }
}

describe('requests that read many rows', () => {
  it('run a few at a time per key, then the others in order, and all succeed', async () => {
    const { ends, heavyOnes, settle, endAll } = heavyWorld()
    const all = heavyOnes(20)
    await settle()
    expect(ends).toHaveLength(heavyReadsAtOnce)
    await endAll()
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  })

  it('of one key delay neither those of another key nor the same key’s small reads', async () => {
    const { ends, request, heavyOnes, settle, endAll } = heavyWorld()
    const busy = heavyOnes(20)
    await settle()
    const other = heavyOnes(1, 'k2')
    await settle()
    expect(ends).toHaveLength(heavyReadsAtOnce + 1)
    // It does not even return a promise.
    expect(request('/light')).toMatchObject({ status: 200 })
    await endAll()
    await Promise.all([...busy, ...other])
  })

  it('get 429 with Retry-After beyond a bounded queue, without a charge', async () => {
    const { purse, heavyOnes, settle, endAll } = heavyWorld()
    const admitted = heavyOnes(heavyReadsAtOnce + heavyReadsWaiting)
    await settle()
    const [refused] = await Promise.all(heavyOnes(1))
    expect([refused!.status, refused!.json.error.code, refused!.json.error.retryable]).toEqual([
      429,
      'RATE_LIMITED',
      true,
    ])
    expect(refused!.headers).toMatchObject({ 'retry-after': '1', 'x-credits-charged': '0' })
    await endAll()
    await Promise.all(admitted)
    expect(purse).toMatchObject({ open: 0, balance: 1_000 - heavyReadsAtOnce - heavyReadsWaiting })
  })

  it('leave the queue when their client disconnects, without a charge', async () => {
    const { ends, purse, request, heavyOnes, settle, endAll } = heavyWorld()
    const running = heavyOnes(heavyReadsAtOnce)
    await settle()
    const client = new AbortController()
    const waiting = Array.from({ length: heavyReadsWaiting }, () => request('/heavy', 'k1', client.signal))
    await settle()
    client.abort()
    for (const one of await Promise.all(waiting)) expect(one.status).toBe(499)
    const next = heavyOnes(1)
    await endAll()
    await Promise.all([...running, ...next])
    expect(ends).toHaveLength(heavyReadsAtOnce + 1)
    expect(purse).toMatchObject({ open: 0, balance: 1_000 - heavyReadsAtOnce - 1 })
  })

  it('release their slot when they fail', async () => {
    const { heavyOnes, settle, endAll } = heavyWorld()
    const all = heavyOnes(10)
    await settle()
    await endAll(new Error('the store failed'))
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 500))
  })
})

describe('the catalog’s lists', () => {
  it('count as such, and a live book does not', async () => {
    const world = createWorld()
    world.cache.apply(liveBook('polymarket', longId, { bids: [[0.4, 1]], asks: [[0.5, 1]] }))
    const book = `/api/polymarket/fetchOrderBook?outcomeId=${longId}`
    await world.get(book)
    let atOnce = 0
    let mostAtOnce = 0
    const find = world.catalog.findMarkets.bind(world.catalog)
    world.catalog.findMarkets = async (query) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      await new Promise(setImmediate)
      atOnce--
      return find(query)
    }
    const lists = Array.from({ length: 20 }, () => world.get('/api/router/fetchMarkets', { key: keys.builder }))
    expect(world.handler(callOf('GET', book, { key: keys.builder }))).not.toBeInstanceOf(Promise)
    for (const { status } of await Promise.all(lists)) expect(status).toBe(200)
    expect(mostAtOnce).toBe(heavyReadsAtOnce)
  })
})
