// Reads with answers in the venue’s format: paging, errors with status 200, keys, and the search for a child’s parent.
import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import type { HttpRequest, HttpResponse } from '#net/http'
import { opinion } from '#venues/opinion/index'
import type { VenueContext } from '#venues/venueContext'
import { categorical, markets, orderbook, type Row } from '../fixtures/recorded.ts'

type Reply = Partial<HttpResponse> & { body: unknown }
const good = (result: unknown): Reply => ({ body: { errno: 0, errmsg: '', result } })
const refusal = (errno: number, errmsg: string, status = 200): Reply => ({
  status,
  body: { errno, errmsg, result: null },
})
const notFound = refusal(10_404, 'market not found')

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
const context = (credentials: Record<string, string> | null = null): VenueContext => ({
  venue: 'opinion',
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
const requestedPaths = () => requests.map(({ url }) => url.replace('http://venue', ''))
const walk = async () => {
  const ids: string[] = []
  for await (const { events } of opinion.data.walkCatalog(context())) ids.push(...events.map(({ id }) => id))
  return ids
}
const child = markets().result.list[0]!.childMarkets[0]!
const alone = (marketId: number, more: object = {}): Row => ({ ...child, marketId, marketType: 0, ...more })

describe('the walk', () => {
  test('reads pages of twenty of both kinds up to the total, newest first', async () => {
    const rows = Array.from({ length: 41 }, (_, n) => alone(100 + n))
    reply = (_path, query) => {
      const from = (Number(query!.page) - 1) * 20
      return good({ list: rows.slice(from, from + 20), total: rows.length })
    }
    expect(await walk()).toEqual(rows.map(({ marketId }) => String(marketId)))
    expect(requests.map(({ query }) => query)).toEqual(
      [1, 2, 3].map((page) => ({ marketType: 2, sortBy: 1, limit: 20, page })),
    )
  })

  test('skips a row without a title and one not on chain yet, and keeps one with an unreadable status', async () => {
    const bad = { ...alone(2), marketTitle: 2 }
    const odd = { ...alone(4), status: 'Activated' }
    const [head] = categorical().result.data.childMarkets
    const halfBad = { ...categorical().result.data, childMarkets: [head!, { marketId: 'x' }] }
    reply = () => good({ list: [alone(1), bad, odd, alone(3, { yesTokenId: '' }), halfBad] })
    expect(await walk()).toEqual(['1', '4', 'categorical-788'])
    expect(warnings).toHaveLength(2)
  })

  test('an error with status 200 is not an empty list', async () => {
    reply = () => refusal(10_403, 'API is not available to persons located in …')
    await expect(walk()).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'opinion' })
  })
})

describe('a market by its number', () => {
  const found = markets().result.list[0]!

  test('a child finds its parent by the slug and equals the row of the walk', async () => {
    reply = (path) => {
      if (path === '/market/26356') return good({ data: child })
      return path === `/market/slug/${found.slug as string}` ? good({ data: found }) : notFound
    }
    const result = await opinion.data.fetchMarket(context(), '26356')
    expect(result?.event?.id).toBe('categorical-1277')
    expect(result?.market.title).toBe('What price will Bitcoin hit in August?: ↑ 100,000')
    // The first guess drops as many words from the slug as the child’s title has.
    expect(requestedPaths()).toHaveLength(2)
  })

  test('a parent is accepted only if it lists this market', async () => {
    const other = { ...found, childMarkets: found.childMarkets.slice(1) }
    reply = (path) => (path === '/market/26356' ? good({ data: child }) : good({ data: other }))
    const result = await opinion.data.fetchMarket(context(), '26356')
    expect([result?.event, result?.market.eventId]).toEqual([null, null])
    expect(requests.length).toBeLessThanOrEqual(7)
  })

  test('a market whose slug matches its title is standalone: no further requests', async () => {
    reply = () => good({ data: alone(7, { marketTitle: 'Will it rain?', slug: 'will-it-rain' }) })
    const result = await opinion.data.fetchMarket(context(), '7')
    expect([result?.event?.id, result?.event?.markets.length]).toEqual(['7', 1])
    expect(requestedPaths()).toEqual(['/market/7'])
    expect((await opinion.data.fetchEvent(context(), '7'))?.id).toBe('7')
  })

  test('a categorical event is requested under its own number', async () => {
    reply = () => good({ data: categorical().result.data })
    expect((await opinion.data.fetchEvent(context(), 'categorical-788'))?.markets).toHaveLength(2)
    expect(requestedPaths()).toEqual(['/market/categorical/788'])
    await expect(opinion.data.fetchEvent(context(), 'categorical-789')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(await opinion.data.fetchEvent(context(), 'categorical-x')).toBeNull()
  })

  test.each([
    ['in the error message', notFound],
    ['with 404', refusal(404, 'record does not exist', 404)],
    ['as code and msg', { body: { code: 10_404, msg: 'Market not found', result: {} } }],
    ['with nothing', good(null)],
    ['with a null market', good({ data: null })],
  ])('one unknown to the venue is null: reported %s', async (_how, answer) => {
    reply = () => answer
    expect(await opinion.data.fetchMarket(context(), '9')).toBeNull()
  })

  test.each([
    ['another error', refusal(10_014, 'Please enable trading first')],
    ['a wrong key', refusal(11_002, 'Invalid API key', 401)],
    ['a 404 from a proxy', { status: 404, body: { message: 'not found' } }],
    ['another market', good({ data: alone(8) })],
    ['no envelope', { body: { data: alone(9) } }],
  ])('%s is a fault', async (_what, answer) => {
    reply = () => answer
    await expect(opinion.data.fetchMarket(context(), '9')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('a book', () => {
  const token = orderbook().result.tokenId as string

  test('is requested by its token, with the operator’s key if there is one', async () => {
    reply = () => ({ body: orderbook() })
    const book = await opinion.data.fetchOrderBook(context({ API_KEY: 'k' }), `5:${token}`)
    expect(book).toMatchObject({ bookId: `5:${token}`, asks: [[999_000, 5500]] })
    await opinion.data.fetchOrderBook(context(), `5:${token}`)
    expect(requests.map(({ query, headers }) => [query, headers])).toEqual([
      [{ token_id: token }, { apikey: 'k' }],
      [{ token_id: token }, undefined],
    ])
  })

  test('of another token is a fault', async () => {
    reply = () => ({ body: orderbook() })
    await expect(opinion.data.fetchOrderBook(context(), `5:${'1'.repeat(70)}`)).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    })
  })
})
