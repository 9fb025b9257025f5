import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { HostBudget, type RequestBudget, type RpcRequest, VenueBudgets } from '#net/hostRateLimiter'
import { createHttpClient } from '#net/httpClient'
import { createHttpSender } from '#net/httpSender'
import { meterSender } from '#net/meteredSender'
import { RequestQueue } from '#net/requestQueue'

/** Promises settle, no time passes. */
const settle = () => new Promise((done) => setImmediate(done))

function world(budget: RequestBudget) {
  const clock = new ManualClock()
  const host = new HostBudget('kalshi', budget, clock)
  const log: string[] = []
  const request = (name: string, more: RpcRequest = {}) =>
    void Promise.resolve()
      .then(() => host.take(more))
      .then(
        () => log.push(name),
        (error: { retryAfterSeconds?: number }) => log.push(`${name} refused ${error.retryAfterSeconds ?? ''}`.trim()),
      )
  const pass = async (ms: number) => {
    await settle()
    clock.advance(ms)
    await settle()
    return log.splice(0)
  }
  return { clock, host, request, pass }
}

describe('turns', () => {
  it('come at the venue’s pace, in order of arrival', async () => {
    const { request, pass } = world({ perSecond: 2 })
    for (const name of ['a', 'b', 'c', 'd', 'e']) request(name)
    expect(await pass(0)).toEqual(['a', 'b'])
    expect(await pass(499)).toEqual([])
    expect(await pass(1)).toEqual(['c'])
    expect(await pass(1_000)).toEqual(['d', 'e'])
  })

  it('count by weight: a heavy request waits for its own weight, and the next one for the rest', async () => {
    const { request, pass } = world({ perSecond: 10, burst: 20 })
    request('walk', { weight: 20 })
    request('book', { weight: 2 })
    expect(await pass(0)).toEqual(['walk'])
    expect(await pass(199)).toEqual([])
    expect(await pass(1)).toEqual(['book'])
  })

  it('heavier than the burst come once the burst is full, and are paid for afterwards', async () => {
    const { request, pass } = world({ perSecond: 1, burst: 2 })
    request('huge', { weight: 10 })
    request('small')
    expect(await pass(0)).toEqual(['huge'])
    expect(await pass(8_999)).toEqual([])
    expect(await pass(1)).toEqual(['small'])
  })

  it('an order’s reads come before a walk’s, which continues afterwards', async () => {
    const { request, pass } = world({ perSecond: 1 })
    for (const name of ['first', 'walk', 'poll']) request(name)
    request('order', { urgent: true })
    expect(await pass(1_000)).toEqual(['first', 'order'])
    expect(await pass(2_000)).toEqual(['walk', 'poll'])
  })

  it('an aborted request gives its place to the next, and leaves no timer behind', async () => {
    const { clock, request, pass } = world({ perSecond: 1 })
    const leaving = new AbortController()
    request('first')
    request('leaves', { signal: leaving.signal })
    request('next')
    await pass(0)
    leaving.abort()
    expect(await pass(1_000)).toEqual(['leaves refused', 'next'])
    expect(clock.pendingCount).toBe(0)
  })

  it('queues at most a thousand', async () => {
    const { request, pass } = world({ perSecond: 1 })
    for (let n = 0; n < 1_002; n++) request(String(n))
    expect(await pass(0)).toEqual(['1001 refused', '0'])
  })

  it('never exceed burst and pace in any interval, whatever the requests', () => {
    const requestLists = fc.array(
      fc.record({ ms: fc.integer({ min: 0, max: 900 }), weight: fc.integer({ min: 1, max: 5 }) }),
      {
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(requestLists, (requests) => {
        const clock = new ManualClock()
        const allowance = new RequestQueue({ perSecond: 4, burst: 6 }, clock)
        const spent: { at: number; weight: number }[] = []
        for (const { ms, weight } of requests) {
          allowance.enter({ weight, urgent: false, go: () => spent.push({ at: clock.monotonic(), weight }) })
          clock.advance(ms)
        }
        clock.advance(60_000)
        expect(spent).toHaveLength(requests.length)
        for (const [n, { at: from }] of spent.entries()) {
          let sum = 0
          for (const { at, weight } of spent.slice(n)) {
            sum += weight
            expect(sum).toBeLessThanOrEqual(6 + ((at - from) / 1_000) * 4 + 0.01)
          }
        }
      }),
    )
  })
})

describe('a pause', () => {
  it('holds back all reads: those with enough patience until it is over, the others fail', async () => {
    const { host, request, pass } = world({ perSecond: 100 })
    expect(host.rest('3')).toBe(3)
    request('impatient')
    request('patient', { patienceMs: 5_000 })
    request('hasty', { patienceMs: 2_999 })
    expect(await pass(0)).toEqual(['impatient refused 3', 'hasty refused 3'])
    expect(await pass(2_999)).toEqual([])
    request('late')
    expect(await pass(0)).toEqual(['late refused 1'])
    expect(await pass(1)).toEqual(['patient'])
    request('after')
    expect(await pass(0)).toEqual(['after'])
  })

  it('also those that were queued when it began', async () => {
    const { host, request, pass } = world({ perSecond: 1 })
    for (const name of ['first', 'impatient']) request(name)
    request('patient', { patienceMs: 10_000 })
    await pass(0)
    host.rest('7')
    expect(await pass(0)).toEqual(['impatient refused 7'])
    expect(await pass(6_999)).toEqual([])
    expect(await pass(1)).toEqual(['patient'])
  })

  it.each([
    [undefined, 10],
    ['', 10],
    ['0', 10],
    ['soon', 10],
    ['0.2', 1],
    ['17', 17],
    ['86400', 120],
    [new Date(1_790_000_000_000 + 45_000).toUTCString(), 45],
    [new Date(1_790_000_000_000 - 45_000).toUTCString(), 10],
  ])('a venue that sends %s is paused for %d s', (header, seconds) => {
    expect(world({ perSecond: 1 }).host.rest(header)).toBe(seconds)
  })

  it('is never shortened by a second one', async () => {
    const { host, request, pass } = world({ perSecond: 1, restSeconds: 1 })
    host.rest('20')
    expect(host.rest(undefined)).toBe(1)
    await pass(19_000)
    request('a')
    expect(await pass(0)).toEqual(['a refused 1'])
  })

  it.each([{ callersPerSecond: 5 }, {}])(
    'caused by a caller applies to callers only, one that we caused applies to all: %j',
    async (apart) => {
      const { host, request, pass } = world({ perSecond: 5, ...apart })
      host.rest('5', 'callers')
      request('data')
      request('lane', { purse: 'callers' })
      expect(await pass(0)).toEqual(['lane refused 5', 'data'])
      host.rest('30')
      request('data')
      request('lane', { purse: 'callers' })
      expect(await pass(0)).toEqual(['data refused 30', 'lane refused 30'])
    },
  )
})

describe('over the wire', () => {
  const stops: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  async function serve(answer: (path: string, response: ServerResponse) => void) {
    const seen: string[] = []
    const server = createServer(({ url = '' }, response) => {
      seen.push(url)
      answer(url, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const clock = new ManualClock()
    const budgets = (budget: RequestBudget) => new VenueBudgets('kalshi', budget, clock)
    const sender = createHttpSender()
    stops.push(
      () => sender.close(),
      () => server.closeAllConnections(),
      () => void server.close(),
    )
    const client = (shared: VenueBudgets) => {
      const made = createHttpClient({ venue: 'kalshi', budgets: shared, clock })
      stops.push(() => made.close())
      return made
    }
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const order = (counted: ReturnType<typeof meterSender>) =>
      counted.send({
        method: 'POST',
        url: `${url}/order`,
        text: '{}',
        headers: {},
        timeoutMs: 5_000,
        signal: new AbortController().signal,
      })
    return { url, seen, clock, budgets, client, sender, order }
  }
  const limit = (response: ServerResponse) => response.writeHead(429, { 'retry-after': '9' }).end('<html>')

  it('one client’s 429 is not retried, and pauses the host for every client of the process', async () => {
    const { url, seen, clock, budgets, client } = await serve((_, response) => limit(response))
    const shared = budgets({ perSecond: 100 })
    const [walks, lanes] = [client(shared), client(shared)]
    const refused = { code: 'NETWORK_ERROR', exchange: 'kalshi', retryAfterSeconds: 9 }
    await expect(walks.request({ url: `${url}/a` })).rejects.toMatchObject(refused)
    await expect(lanes.request({ url: `${url}/b` })).rejects.toMatchObject(refused)
    expect(seen).toEqual(['/a'])
    clock.advance(9_000)
    await expect(lanes.request({ url: `${url}/c` })).rejects.toMatchObject(refused)
    expect(seen).toEqual(['/a', '/c'])
  })

  it('an order is sent while reads are paused or their allowance is used up, and later reads wait for its cost', async () => {
    const { url, seen, clock, budgets, client, sender, order } = await serve((path, response) =>
      path === '/limited' ? limit(response) : response.end('{}'),
    )
    const shared = budgets({ perSecond: 1 })
    const reads = client(shared)
    const counted = meterSender(sender, shared, 'callers')
    await reads.request({ url: `${url}/1` })
    expect(await order(counted)).toMatchObject({ kind: 'answered', status: 200 })
    expect(await order(counted)).toMatchObject({ kind: 'answered', status: 200 })
    const waiting = reads.request({ url: `${url}/2` })
    await settle()
    clock.advance(2_999)
    await settle()
    expect(seen).toEqual(['/1', '/order', '/order'])
    clock.advance(1)
    expect((await waiting).status).toBe(200)
    clock.advance(1_000)
    await expect(reads.request({ url: `${url}/limited` })).rejects.toMatchObject({ retryAfterSeconds: 9 })
    expect(await order(counted)).toMatchObject({ kind: 'answered', status: 200 })
    await expect(reads.request({ url: `${url}/3` })).rejects.toMatchObject({ retryAfterSeconds: 9 })
  })

  it.each([{ callersPerSecond: 10 }, {}])(
    'a 429 to an order affects only its caller: no reads are paused (%j)',
    async (apart) => {
      const { url, budgets, client, sender, order } = await serve((path, response) =>
        path === '/order' ? limit(response) : response.end('{}'),
      )
      const shared = budgets({ perSecond: 100, ...apart })
      expect(await order(meterSender(sender, shared, 'callers'))).toMatchObject({ kind: 'answered', status: 429 })
      expect((await client(shared).request({ url })).status).toBe(200)
    },
  )

  it('a retried read costs one request per attempt', async () => {
    let answers = 0
    const { url, seen, clock, budgets, client } = await serve((_, response) => {
      response.statusCode = answers++ === 0 ? 503 : 200
      response.end('{}')
    })
    const reads = client(budgets({ perSecond: 1, burst: 3 }))
    await reads.request({ url: `${url}/1`, weight: 2 })
    const next = reads.request({ url: `${url}/2` })
    await settle()
    clock.advance(1_999)
    await settle()
    expect(seen).toEqual(['/1', '/1'])
    clock.advance(1)
    expect((await next).status).toBe(200)
  })
})
