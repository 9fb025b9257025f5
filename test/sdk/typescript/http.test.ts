// What the client does when the service refuses, is unavailable, or stops in the middle of a response.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientWith } from '#sdk/typescript/src/client'
import { ApiError, ConnectionError } from '#sdk/typescript/src/errors'
import { isRepeatable } from '#sdk/typescript/src/retry'
import type { AnswerInfo } from '#sdk/typescript/src/transport'
import { cut, type HostileHttp, hostileHttp, hurriedClock, json, type Responder, refusal } from './hostile.ts'

let server: HostileHttp
beforeAll(async () => {
  server = await hostileHttp()
})
afterAll(() => server.stop())

const patienceMs = 7_777_777
function world(timeoutMs = patienceMs) {
  const { clock, waits } = hurriedClock(patienceMs)
  const reported: AnswerInfo[] = []
  const options = { baseUrl: server.url, apiKey: 'k', timeoutMs, onAnswer: (info: AnswerInfo) => reported.push(info) }
  return { client: clientWith(options, { clock, random: () => 0.5 }), waits, reported }
}

const fine = json(200, { success: true, data: [] })
const submit = { path: { venue: 'kalshi', executionId: 'e1' }, body: {} }

describe('a refusal', () => {
  it.each<[string, Responder, number, number[]]>([
    ['a retryable 503', refusal(503, 'PLATFORM_UNAVAILABLE', true), 2, [187.5]],
    ['429 with Retry-After', refusal(429, 'RATE_LIMITED', true, { 'retry-after': '7' }), 2, [7_187.5]],
    ['503 of a proxy, in HTML', (_, response) => void response.writeHead(503).end('<html>'), 2, [187.5]],
    ['a truncated response', cut('{"success":tr'), 2, [187.5]],
    ['a connection that closes without a response', (_, response) => void response.destroy(), 2, [187.5]],
  ])('is retried: %s', async (_, first, tries, waited) => {
    const { client, waits } = world()
    server.answer(first, fine)
    expect(await client.api.listVenues()).toEqual({ success: true, data: [] })
    expect(server.requests).toHaveLength(tries)
    expect(waits).toEqual(waited)
  })

  it.each<[string, Responder]>([
    ['a final one', refusal(404, 'MARKET_NOT_FOUND', false)],
    ['one with a Retry-After above the limit', refusal(429, 'RATE_LIMITED', true, { 'retry-after': '3600' })],
    ['one from a proxy in between', (_, response) => void response.writeHead(403).end('no')],
  ])('is thrown at once: %s', async (_, answer) => {
    const { client } = world()
    server.answer(answer)
    await expect(client.api.listVenues()).rejects.toBeInstanceOf(ApiError)
    expect(server.requests).toHaveLength(1)
  })

  it('carries its code, status, request id, and whether a retry may succeed; attempts are bounded', async () => {
    const { client, waits } = world()
    server.answer(refusal(503, 'EXEC_UNAVAILABLE', true))
    const error = await client.api.submitExecution(submit).catch((thrown: unknown) => thrown as ApiError)
    const idempotencyKey = server.requests[0]!.headers['idempotency-key']
    expect(error).toMatchObject({
      ...{ name: 'ApiError', code: 'EXEC_UNAVAILABLE', status: 503, retryable: true, requestId: 'r1', idempotencyKey },
    })
    expect(server.requests).toHaveLength(4)
    expect(waits).toEqual([187.5, 375, 750])
  })
})

describe('an Idempotency-Key', () => {
  it('is created once per call, kept over its attempts, and sent only where it is accepted', async () => {
    const { client, reported } = world()
    server.answer(
      refusal(503, 'EXEC_UNAVAILABLE', true),
      cut('{'),
      json(200, { success: true, data: {} }, { 'idempotency-replay': 'true' }),
    )
    await client.api.submitExecution(submit)
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(reported.at(-1)).toMatchObject({ operation: 'submitExecution', attempt: 2, replayed: true })
    server.answer(json(200, { success: true, data: {} }))
    await client.api.submitExecution(submit, { idempotencyKey: 'mine' })
    await client.api.refreshExecution(submit)
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', undefined])
  })

  it('allows a POST to be sent again when its outcome is unknown', async () => {
    const { client } = world()
    server.answer(cut('{'), json(200, { success: true, data: {} }))
    const creation = client.api.createWebhook({
      body: { url: 'https://a.example', events: ['execution.status.changed'] },
    })
    await expect(creation).rejects.toBeInstanceOf(ConnectionError)
    expect(server.requests).toHaveLength(1)
    expect(isRepeatable('createWebhook')).toBe(false)
    for (const name of ['submitExecution', 'deleteWebhook', 'fetchMarkets_post', 'refreshExecution'] as const)
      expect(isRepeatable(name)).toBe(true)
  })
})

describe('a POST without a key', () => {
  const createBody = { body: { url: 'https://a.example', events: ['execution.status.changed' as const] } }
  it.each<[string, Responder, number]>([
    ['504 of a proxy', (_, response) => void response.writeHead(504).end('<html>'), 1],
    ['502 of a proxy', (_, response) => void response.writeHead(502).end('<html>'), 1],
    ['500', refusal(500, 'INTERNAL', true), 1],
    ['503 of a store that did not answer', refusal(503, 'PLATFORM_UNAVAILABLE', true), 1],
    ['429', refusal(429, 'RATE_LIMITED', true), 2],
  ])('is sent again only where nothing was begun: %s', async (_, first, tries) => {
    const { client } = world()
    server.answer(first, json(200, { success: true, data: {} }))
    const outcome = await client.api.createWebhook(createBody).catch((thrown: unknown) => thrown)
    expect(outcome instanceof ApiError).toBe(tries === 1)
    expect(server.requests).toHaveLength(tries)
  })
})

it('a cancelled call ends with the given reason, also between two attempts', async () => {
  const { client } = world()
  const aborting = new AbortController()
  const reason = new Error('enough')
  server.answer((_, response) => {
    response.writeHead(503).end()
    aborting.abort(reason)
  })
  await expect(client.api.listVenues({}, { signal: aborting.signal })).rejects.toBe(reason)
  await expect(client.api.listVenues({}, { signal: aborting.signal })).rejects.toBe(reason)
  expect(server.requests).toHaveLength(1)
})

it('silence ends an attempt, and the error says so', async () => {
  // This wait is the only one that ends at once.
  const { client } = world(5)
  server.answer(() => undefined)
  const error = await client.api.listVenues().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'ConnectionError', timedOut: true })
})

it('paths and queries are encoded as the service expects', async () => {
  const { client } = world()
  server.answer(fine)
  await client.api.fetchOrderBooks({ path: { exchange: 'a/b' }, query: { outcomeIds: ['1', '2'] } })
  await client.api.fetchMarkets({ path: { exchange: 'kalshi' }, query: { filter: { text: 'x' }, limit: undefined } })
  expect(server.requests.map(({ url }) => `${url.pathname}${decodeURIComponent(url.search)}`)).toEqual([
    '/api/a%2Fb/fetchOrderBooks?outcomeIds=1,2',
    '/api/kalshi/fetchMarkets?filter={"text":"x"}',
  ])
  await expect(client.api.getExecution({ path: { executionId: '' } })).rejects.toThrow('path.executionId is missing')
})

describe('a list', () => {
  const page = (data: unknown, more: object): Responder => json(200, { success: true, data, ...more })
  it.each<[string, (next: string | null) => object]>([
    ['next to the data', (nextCursor) => ({ nextCursor })],
    ['in meta', (nextCursor) => ({ meta: { nextCursor } })],
    ['in page', (nextCursor) => ({ page: { nextCursor } })],
  ])('is read page after page, with its cursor %s', async (_, more) => {
    const { client } = world()
    server.answer(page([{ id: 1 }, { id: 2 }], more('c2')), page([], more('c3')), page([{ id: 3 }], more(null)))
    const rows: unknown[] = []
    for await (const row of client.paginate('listExecutions', { query: { limit: 2 } })) rows.push(row)
    expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(server.requests.map(({ url }) => url.search)).toEqual([
      '?limit=2',
      '?limit=2&cursor=c2',
      '?limit=2&cursor=c3',
    ])
  })

  it('whose data is the page itself, or whose parameter is called after, is read the same way', async () => {
    const { client } = world()
    server.answer(
      json(200, { data: { data: [{ marketId: 'a' }], nextCursor: 'n' } }),
      json(200, { data: { data: [] } }),
    )
    const markets: unknown[] = []
    for await (const market of client.paginate('fetchMarketsPaginated', { path: { exchange: 'kalshi' } }))
      markets.push(market.marketId)
    expect(markets).toEqual(['a'])
    server.answer(page([{ id: 'd' }], { nextCursor: 'n' }), page([], {}))
    for await (const delivery of client.paginate('listWebhookDeliveries', { path: { id: 'w' } }))
      expect(delivery.id).toBe('d')
    expect(server.requests.at(-1)!.url.search).toBe('?after=n')
  })

  it('that repeats the same page forever ends', async () => {
    const { client } = world()
    server.answer(page([], { nextCursor: 'c' }))
    const read = async () => {
      for await (const _ of client.paginate('listExecutions')) expect.unreachable()
    }
    await expect(read()).rejects.toThrow('names itself')
    expect(server.requests).toHaveLength(2)
  })
})

describe('the tape', () => {
  const window = { venue: 'kalshi', outcomeId: 'o', since: '1', until: '9', kind: 'tob' } as const
  const type = 'application/x-ndjson'
  const row = (ts: number): string => `${JSON.stringify({ k: 'tob', ts })}\n`
  const page =
    (rows: number[], next: string | null): Responder =>
    (_, response) =>
      void response
        .writeHead(200, { 'content-type': type })
        .end(`${rows.map(row).join('')}${JSON.stringify({ k: 'cursor', next, rows: rows.length })}\n`)
  const read = async () => {
    const times: number[] = []
    for await (const { ts } of world().client.replay(window)) times.push(ts)
    return times
  }
  const cursors = () => server.requests.map(({ url }) => url.searchParams.get('cursor'))

  it('is read row by row over its pages', async () => {
    server.answer(page([1, 2], 'c'), page([3], null))
    expect(await read()).toEqual([1, 2, 3])
    expect(cursors()).toEqual([null, 'c'])
    expect(server.requests[0]!.url.searchParams.get('format')).toBe('ndjson')
  })

  it.each<[string, Responder]>([
    ['between two rows', cut(row(3) + row(4), type)],
    ['in the middle of one', cut(row(3) + row(4) + row(5).slice(0, 9), type)],
    ['without the connection ending', (_, response) => void response.writeHead(200).end(row(3) + row(4))],
  ])('a page that is cut %s is read again from that point: no row twice, none lost', async (_, broken) => {
    server.answer(page([1, 2], 'c'), broken, page([3, 4, 5, 6], null))
    expect(await read()).toEqual([1, 2, 3, 4, 5, 6])
    expect(cursors()).toEqual([null, 'c', 'c'])
  })

  it('gives up on a page that always fails', async () => {
    server.answer(cut('', type))
    await expect(read()).rejects.toBeInstanceOf(ConnectionError)
    expect(server.requests).toHaveLength(4)
  })

  it('stops when its reader has enough: no more requests are sent', async () => {
    let closed = false
    server.answer((_, response) => {
      response.on('close', () => {
        closed = true
      })
      response.writeHead(200, { 'content-type': type }).write(row(1))
    })
    for await (const { ts } of world().client.replay(window)) {
      expect(ts).toBe(1)
      break
    }
    await expect.poll(() => closed).toBe(true)
  })
})
