// Reads with answers in the venue’s format: the key, cursors, errors, and trades page by page.
import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import type { HttpRequest, HttpResponse } from '#net/http'
import { bookRef } from '#venues/predictfun/ids'
import { predictfun } from '#venues/predictfun/index'
import { registry } from '#venues/registry'
import type { VenueContext } from '#venues/venueContext'
import { category, matches, orderbook } from '../fixtures/recorded.ts'

type Reply = Partial<HttpResponse> & { body: unknown }
const good = (data: unknown, more: object = {}): Reply => ({ body: { success: true, data, ...more } })
const refusal = (status: number, error: string, message: string): Reply => ({
  status,
  body: { success: false, code: status, error, message, timestamp: '2026-09-06T14:53:22Z', trace: '0' },
})
const notFound = refusal(404, 'not_found', 'market not found')

let requests: HttpRequest[]
let warnings: string[]
let reply: (path: string, query: HttpRequest['query']) => Reply
beforeEach(() => {
  requests = []
  warnings = []
})
const log: Log = Object.create(silentLog, {
  warn: { value: (_fields: unknown, message: string) => warnings.push(message) },
})
const context = (credentials: Record<string, string> | null = { API_KEY: 'k' }): VenueContext => ({
  venue: 'predictfun',
  http: {
    async request(request) {
      requests.push(request)
      return { status: 200, headers: {}, ...reply(request.url.replace('http://venue', ''), request.query) }
    },
  },
  clock: new ManualClock(),
  log,
  urls: { REST: 'http://venue' },
  credentials,
  signal: new AbortController().signal,
})
const { data } = predictfun
const walk = async () => {
  const ids: string[] = []
  for await (const { events } of data.walkCatalog(context())) ids.push(...events.map(({ id }) => id))
  return ids
}
const named = (slug: string) => ({
  ...category(),
  slug,
  markets: category().markets.map((market) => ({ ...market, categorySlug: slug })),
})
const marketId = String(category().markets[0]!.id)

test('sends nothing without a key, and the key with every read', async () => {
  reply = () => good(orderbook().data)
  await expect(data.fetchOrderBook(context(null), '1743016')).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    message: expect.stringContaining('key'),
  })
  expect(requests).toEqual([])
  expect((await data.fetchOrderBook(context(), '1743016'))?.bids).toEqual([[10_000, 101]])
  expect(requests[0]).toMatchObject({ headers: { 'x-api-key': 'k' } })
})

describe('the walk', () => {
  test('follows cursors over all open categories, oldest first', async () => {
    const pages: Record<string, Reply> = {
      '': good([named('a'), named('b')], { cursor: 'one' }),
      one: good([named('c')], { cursor: null }),
    }
    reply = (_path, query) => pages[String(query?.after ?? '')]!
    expect(await walk()).toEqual(['a', 'b', 'c'])
    expect(requests[0]!.query).toEqual({
      status: 'OPEN',
      sort: 'PUBLISHED_AT_ASC',
      includeStats: true,
      first: 50,
      after: undefined,
    })
  })

  test('skips an unreadable category, or an unreadable market of a category', async () => {
    const [market] = category().markets
    const half = {
      ...category(),
      markets: [market, { ...market, outcomes: [] }, { ...market, categorySlug: undefined }],
    }
    reply = () => good([{ title: 'no slug' }, half], { cursor: null })
    expect(await walk()).toEqual([category().slug])
    expect(warnings).toHaveLength(2)
  })

  test('an error is not an empty list', async () => {
    reply = () => refusal(400, 'bad_request', 'first must be …')
    await expect(walk()).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'predictfun' })
  })
})

describe('a market by its number', () => {
  test('comes with its category and equals the row of the walk', async () => {
    reply = (path) => (path.startsWith('/v1/markets') ? good(category().markets[0]) : good(category()))
    const found = await data.fetchMarket(context(), marketId)
    expect([found?.event?.id, found?.market.resolutionDate]).toEqual([category().slug, '2026-08-27T14:15:00.000Z'])
    expect(requests.map(({ url }) => url)).toEqual([
      `http://venue/v1/markets/${marketId}`,
      `http://venue/v1/categories/${category().slug}`,
    ])
  })

  test('has no event when its category is missing or does not list it', async () => {
    for (const answer of [notFound, good({ ...category(), markets: [] })]) {
      reply = (path) => (path.startsWith('/v1/markets') ? good(category().markets[0]) : answer)
      const found = await data.fetchMarket(context(), marketId)
      expect([found?.event, found?.market.eventId]).toEqual([null, category().slug])
    }
  })

  test.each([
    ['another', good({ ...category().markets[0], id: 8 })],
    ['a market without its outcomes', good({ ...category().markets[0], outcomes: [] })],
    ['no success', { body: { success: false } }],
    ['a 404 from a proxy', { status: 404, body: { message: 'market not found' } }],
    ['a rejected key', refusal(401, 'unauthorized', 'authorization error')],
  ])('%s is a fault', async (_what, answer) => {
    reply = (path) => (path.startsWith('/v1/markets') ? answer : notFound)
    await expect(data.fetchMarket(context(), marketId)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  test('is null when unknown to the venue, and so are its event and its book; it has no trades', async () => {
    reply = () => notFound
    expect(await data.fetchMarket(context(), '9')).toBeNull()
    expect(await data.fetchEvent(context(), 'nobody')).toBeNull()
    reply = () => refusal(400, 'bad_request', 'Orderbook not found')
    expect(await data.fetchOrderBook(context(), '9')).toBeNull()
    const ref = { outcomeId: '9:1', marketId: '9', eventId: null, metadata: {} }
    expect(await data.fetchTrades(context(), ref, { limit: 5 })).toEqual([])
    expect(await data.fetchMarket(context(), 'x')).toBeNull()
  })
})

test('a book of another market is a fault', async () => {
  reply = () => good(orderbook().data)
  await expect(data.fetchOrderBook(context(), '7')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

describe('trades', () => {
  const [recorded] = matches().data
  /** One per second, newest first. */
  const row = (n: number) => ({
    ...recorded,
    settlementId: `s${n}`,
    executedAt: new Date(1_790_000_000_000 - n * 1_000).toISOString(),
  })
  const ref = { outcomeId: '7:2', marketId: '7', eventId: null, metadata: {} }
  const idsOf = async (query: { limit: number; startMs?: number; endMs?: number }) => {
    requests.length = 0
    return (await data.fetchTrades(context(), ref, query)).map(({ id }) => id)
  }
  beforeEach(() => {
    reply = (_path, query) => {
      const from = Number(query?.after ?? 0)
      const rows = Array.from({ length: 100 }, (_, n) => row(from + n))
      return good(rows, { cursor: String(from + 100) })
    }
  })

  test('are read page by page up to the limit', async () => {
    const ids = await idsOf({ limit: 150 })
    expect([ids.length, ids[0], ids.at(-1), requests.length]).toEqual([150, 's0', 's149', 2])
    expect(requests[1]!.query).toEqual({ marketId: '7', first: 100, after: '100' })
  })

  test('of a range are read past the newer ones and down to its start', async () => {
    const endMs = 1_790_000_000_000 - 120_000
    expect(await idsOf({ limit: 10, endMs, startMs: endMs - 2_000 })).toEqual(['s120', 's121', 's122'])
    expect(requests).toHaveLength(2)
  })

  test('that are all unreadable are a fault, not a quiet market', async () => {
    reply = () => good([{ settlementId: 's' }], { cursor: null })
    await expect(idsOf({ limit: 5 })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

test('outcome ids belong to this venue only and refer to the market’s one book', () => {
  expect([bookRef('1739803:1'), bookRef('1739803:2')]).toEqual([
    { bookId: '1739803', complement: false },
    { bookId: '1739803', complement: true },
  ])
  const claimants = Object.values(registry).filter((venue) => venue.data.bookRef('1739803:2') !== null)
  expect(claimants.map(({ slug }) => slug)).toEqual(['predictfun'])
  for (const none of ['1739803', '1739803:3', '0:1', ':1', 'a:1']) expect(bookRef(none)).toBeNull()
})
