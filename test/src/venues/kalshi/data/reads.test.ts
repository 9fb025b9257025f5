// Reads from a real HTTP server on loopback that answers in Kalshi’s format. Made-up values.
import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { kalshi } from '#venues/kalshi/index'
import type { CatalogPage, OutcomeRef } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

interface VenueRequest {
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
}
type Answer = { status?: number; body: unknown }
let answer: (request: VenueRequest) => Answer
const requests: VenueRequest[] = []
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const one = { path: url.pathname.replace('/trade-api/v2', ''), query: url.searchParams, headers: request.headers }
  requests.push(one)
  const { status = 200, body } = answer(one)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
let http: OwnedHttpClient
let context: VenueContext

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  http = createHttpClient({ venue: 'kalshi', requestsPerSecond: 1_000 })
  const { port } = server.address() as AddressInfo
  context = {
    venue: 'kalshi',
    http,
    clock: new ManualClock(1_790_000_000_000),
    log: silentLog,
    urls: { REST: `http://127.0.0.1:${port}/trade-api/v2`, WS: '' },
    credentials: null,
    signal: new AbortController().signal,
  }
})
afterAll(async () => {
  await http.close()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  requests.length = 0
})

const market = (ticker: string, more: object = {}) => ({
  ticker,
  event_ticker: 'KXTEST-26',
  title: 'Will it?',
  status: 'active',
  yes_bid_dollars: '0.3100',
  yes_ask_dollars: '0.3300',
  last_price_dollars: '0.3200',
  volume_fp: '12.50',
  volume_24h_fp: '1.00',
  open_interest_fp: '3.00',
  ...more,
})
const event = (ticker: string, markets?: unknown[]) => ({
  event_ticker: ticker,
  series_ticker: 'KXTEST',
  title: 'E',
  category: 'World',
  ...(markets ? { markets } : {}),
})
const series = { ticker: 'KXTEST', title: 'Tests', fee_type: 'quadratic', fee_multiplier: 1, tags: ['A'] }
const notFound = { status: 404, body: { error: { code: 'not_found', message: 'not found' } } }

async function walk(updatedSinceMs: number | null = null): Promise<CatalogPage[]> {
  const pages: CatalogPage[] = []
  for await (const page of kalshi.data.walkCatalog(context, { updatedSinceMs })) pages.push(page)
  return pages
}

describe('the catalog walk', () => {
  const byStatus: Record<string, Record<string, { events: unknown[]; cursor: string }>> = {
    open: {
      '': { events: [event('KXTEST-26', [market('KXTEST-26-A'), { ticker: 'broken' }])], cursor: 'c1' },
      c1: { events: [event('KXTEST-27', [])], cursor: '' },
    },
  }
  const venue = ({ path, query }: VenueRequest): Answer => {
    if (path === '/series') return { body: { series: [series, { nonsense: true }] } }
    return { body: byStatus[query.get('status') ?? '']?.[query.get('cursor') ?? ''] ?? { events: [], cursor: '' } }
  }

  test('a 404 for the list of events is a fault, not an empty catalog', async () => {
    answer = ({ path }) => (path === '/series' ? { body: { series: [] } } : notFound)
    await expect(walk()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  test('follows cursors to the empty one over all unsettled statuses, and joins fees from the series', async () => {
    answer = venue
    const pages = await walk()
    expect(requests.map(({ path, query }) => `${path} ${query.get('status')} ${query.get('cursor')}`)).toEqual([
      '/series null null',
      '/events open null',
      '/events open c1',
      '/events unopened null',
      '/events closed null',
    ])
    expect(requests[1]?.query.get('limit')).toBe('200')
    expect(requests[1]?.query.get('with_nested_markets')).toBe('true')
    expect(pages.flatMap(({ events }) => events.map(({ id }) => id))).toEqual(['KXTEST-26', 'KXTEST-27'])
    expect(pages[0]?.events[0]?.markets).toHaveLength(1)
    expect(pages[0]?.events[0]?.markets[0]).toMatchObject({
      category: 'World',
      tags: ['A'],
      sourceMetadata: { fees: { takerRate: 0.07 } },
    })
    expect(pages.flatMap((page) => page.series.map(({ id }) => id))).toEqual(['KXTEST'])
  })

  test('with a last walk time it requests open events for prices, and updated events of any status', async () => {
    answer = venue
    await walk(1_780_000_000_999)
    const statusQueries = requests.slice(1).map(({ query }) => [query.get('status'), query.get('min_updated_ts')])
    expect(statusQueries).toEqual(
      expect.arrayContaining([
        ['open', null],
        [null, '1780000000'],
      ]),
    )
    expect(new Set(statusQueries.map(String)).size).toBe(2)
  })

  test('a repeated cursor ends the walk', async () => {
    answer = ({ path }) => ({ body: path === '/series' ? { series: [] } : { events: [], cursor: 'same' } })
    await walk()
    expect(requests).toHaveLength(1 + 3 * 2)
  })

  test('still returns the catalog without the series list, with unknown fees', async () => {
    answer = (one) => (one.path === '/series' ? { status: 400, body: {} } : venue(one))
    const [page] = await walk()
    expect(page?.events[0]?.markets[0]?.sourceMetadata.fees).toBeUndefined()
  })
})

test('the same code serves the sandbox under its own name, in rows and in faults', async () => {
  answer = ({ path }) =>
    path === '/series'
      ? { body: { series: [series] } }
      : { body: { events: [event('KXTEST-26', [market('KXTEST-26-A')])], cursor: '' } }
  const demo: VenueContext = { ...context, venue: 'kalshi-demo' }
  for await (const page of kalshi.data.walkCatalog(demo, { updatedSinceMs: 0 })) {
    const rows = [...page.events, ...page.events.flatMap(({ markets }) => markets), ...page.series]
    expect(new Set(rows.map(({ sourceExchange }) => sourceExchange))).toEqual(new Set(['kalshi-demo']))
    break
  }
  answer = () => ({ status: 403, body: {} })
  await expect(kalshi.data.fetchOrderBook(demo, 'KXTEST-26-A')).rejects.toMatchObject({ exchange: 'kalshi-demo' })
})

describe('one market', () => {
  test('comes with its event, its siblings and its fees', async () => {
    answer = ({ path }) =>
      path === '/markets/KXTEST-26-A'
        ? { body: { market: market('KXTEST-26-A') } }
        : path === '/events/KXTEST-26'
          ? { body: { event: event('KXTEST-26', [market('KXTEST-26-A'), market('KXTEST-26-B')]) } }
          : { body: { series } }
    const found = await kalshi.data.fetchMarket(context, 'KXTEST-26-A')
    expect(found?.market).toMatchObject({ marketId: 'KXTEST-26-A', sourceMetadata: { fees: { multiplier: 1 } } })
    expect(found?.event?.markets.map(({ marketId }) => marketId)).toEqual(['KXTEST-26-A', 'KXTEST-26-B'])
  })

  test('is null when unknown to the venue', async () => {
    answer = () => notFound
    expect(await kalshi.data.fetchMarket(context, 'KXTEST-26-X')).toBeNull()
  })

  test('throws a fault when the answer is unreadable', async () => {
    answer = () => ({ body: { market: { ticker: 'KXTEST-26-A' } } })
    await expect(kalshi.data.fetchMarket(context, 'KXTEST-26-A')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    answer = () => ({ status: 403, body: { msg: 'no' } })
    await expect(kalshi.data.fetchMarket(context, 'KXTEST-26-A')).rejects.toBeInstanceOf(Fault)
  })
})

describe('books', () => {
  const orderbook_fp = { yes_dollars: [['0.3100', '5.50']], no_dollars: [['0.6700', '4.00']] }

  test('one: bids and asks of YES, stamped with the receive time', async () => {
    answer = () => ({ body: { orderbook_fp } })
    expect(await kalshi.data.fetchOrderBook(context, 'KXTEST-26-A')).toMatchObject({
      bookId: 'KXTEST-26-A',
      bids: [[310_000, 5.5]],
      asks: [[330_000, 4]],
      recvTs: 1_790_000_000_000,
    })
    expect(requests[0]?.headers['kalshi-access-key']).toBeUndefined()
  })

  test('one: an empty envelope is an empty book, the cents format is parsed, 404 is null', async () => {
    answer = () => ({ body: {} })
    expect(await kalshi.data.fetchOrderBook(context, 'KXTEST-26-A')).toMatchObject({ bids: [], asks: [] })
    answer = () => ({ body: { orderbook: { yes: [[31, 5]], no: null } } })
    expect(await kalshi.data.fetchOrderBook(context, 'KXTEST-26-A')).toMatchObject({ bids: [[310_000, 5]], asks: [] })
    answer = () => notFound
    expect(await kalshi.data.fetchOrderBook(context, 'KXTEST-26-A')).toBeNull()
  })

  test('many: a 404 for the list is a fault, not a venue without books', async () => {
    answer = () => notFound
    await expect(kalshi.data.fetchOrderBooks(context, ['KXTEST-26-A'])).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  test('many: split into requests of the venue’s maximum, without unknown books', async () => {
    answer = ({ query }) => ({
      body: {
        orderbooks: query
          .getAll('tickers')
          .filter((ticker) => !ticker.endsWith('7'))
          .map((ticker) => ({ ticker, orderbook_fp })),
      },
    })
    const ids = Array.from({ length: 150 }, (_, i) => `KXTEST-26-${i}`)
    const books = await kalshi.data.fetchOrderBooks(context, [...ids, ...ids])
    expect(requests.map(({ query }) => query.getAll('tickers').length)).toEqual([100, 50])
    expect(books.size).toBe(135)
    expect(books.get('KXTEST-26-1')).toMatchObject({ bookId: 'KXTEST-26-1', bids: [[310_000, 5.5]] })
  })

  test('are signed over the path without the query when a key is configured', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const credentials = {
      API_KEY_ID: 'key',
      PRIVATE_KEY_PEM: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
    answer = () => ({ body: { orderbooks: [] } })
    await kalshi.data.fetchOrderBooks({ ...context, credentials }, ['KXTEST-26-A'])
    const { headers } = requests[0]!
    const text = `${headers['kalshi-access-timestamp']}GET/trade-api/v2/markets/orderbooks`
    const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    expect(
      verify('sha256', Buffer.from(text), key, Buffer.from(String(headers['kalshi-access-signature']), 'base64')),
    ).toBe(true)
  })
})

const yes: OutcomeRef = {
  outcomeId: 'KXTEST-26-A',
  marketId: 'KXTEST-26-A',
  eventId: 'KXTEST-26',
  metadata: { seriesTicker: 'KXREAL' },
}
const no: OutcomeRef = { ...yes, outcomeId: 'KXTEST-26-A-NO', metadata: {} }

describe('trades', () => {
  const row = (i: number) => ({
    trade_id: `t-${i}`,
    ticker: 'KXTEST-26-A',
    created_time: new Date(1_789_000_000_000 - i * 1_000).toISOString(),
    yes_price_dollars: '0.3800',
    count_fp: '2.50',
    taker_outcome_side: i % 2 === 0 ? 'yes' : 'no',
  })
  const paged = ({ query }: VenueRequest): Answer => {
    const from = Number(query.get('cursor') || 0)
    const to = Math.min(2_500, from + Number(query.get('limit')))
    return {
      body: {
        trades: Array.from({ length: to - from }, (_, i) => row(from + i)),
        cursor: to < 2_500 ? String(to) : '',
      },
    }
  }

  test('are read page by page up to the limit or the end', async () => {
    answer = paged
    expect(await kalshi.data.fetchTrades(context, yes, { limit: 1_500 })).toHaveLength(1_500)
    expect(requests).toHaveLength(2)
    expect(new Set((await kalshi.data.fetchTrades(context, yes, { limit: 9_999 })).map(({ id }) => id)).size).toBe(
      2_500,
    )
  })

  test('of NO have the NO price and the taker’s direction in NO', async () => {
    answer = paged
    const [first, second] = await kalshi.data.fetchTrades(context, no, { limit: 2 })
    expect([first?.price, first?.side, first?.outcomeId]).toEqual([0.62, 'sell', 'KXTEST-26-A-NO'])
    expect(second?.side).toBe('buy')
  })

  test('are filtered to the millisecond, although the venue filters in seconds', async () => {
    answer = paged
    const trades = await kalshi.data.fetchTrades(context, yes, {
      startMs: 1_788_999_998_001,
      endMs: 1_788_999_999_999,
      limit: 10,
    })
    expect([requests[0]?.query.get('min_ts'), requests[0]?.query.get('max_ts')]).toEqual(['1788999998', '1789000000'])
    expect(trades.map(({ id }) => id)).toEqual(['t-1'])
  })
})

describe('candles', () => {
  /** One candle for every requested bucket, with an open price derived from its start time. */
  const venue = ({ query }: VenueRequest): Answer => {
    const seconds = Number(query.get('period_interval')) * 60
    const rows: unknown[] = []
    for (
      let end = Math.ceil(Number(query.get('start_ts')) / seconds) * seconds;
      end <= Number(query.get('end_ts'));
      end += seconds
    ) {
      const price = (((end - seconds) / 60) % 90) / 100 + 0.05
      const dollars = price.toFixed(4)
      rows.push({
        end_period_ts: end,
        price: { open_dollars: dollars, high_dollars: dollars, low_dollars: dollars, close_dollars: dollars },
        volume_fp: '1.00',
      })
    }
    return { body: { ticker: 'KXTEST-26-A', candlesticks: rows } }
  }
  const minute = 60_000
  const endMs = 1_789_999_200_000

  test('of the venue’s own resolutions are passed through, using the series from the catalog', async () => {
    answer = venue
    const candles = await kalshi.data.fetchCandles(context, yes, {
      resolutionMs: minute,
      startMs: endMs - 10 * minute,
      endMs,
      limit: 100,
    })
    expect(requests[0]?.path).toBe('/series/KXREAL/markets/KXTEST-26-A/candlesticks')
    expect(candles.map(({ timestamp }) => (timestamp - endMs) / minute)).toEqual(
      [-10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0].slice(0, candles.length),
    )
    expect(candles.length).toBeGreaterThanOrEqual(10)
  })

  test('of other resolutions are built from finer ones: complete buckets, the newest kept', async () => {
    answer = venue
    const candles = await kalshi.data.fetchCandles(context, no, { resolutionMs: 15 * minute, endMs, limit: 4 })
    expect(requests[0]?.path).toBe('/series/KXTEST/markets/KXTEST-26-A/candlesticks')
    expect(requests[0]?.query.get('period_interval')).toBe('1')
    expect(candles).toHaveLength(4)
    for (const [i, candle] of candles.entries()) {
      expect(candle.timestamp % (15 * minute)).toBe(0)
      if (i > 0) expect(candle.timestamp - candles[i - 1]!.timestamp).toBe(15 * minute)
    }
    expect(candles[0]?.volume).toBe(15)
  })

  test('of a long range are requested in chunks that the venue accepts, without missing or duplicate buckets', async () => {
    answer = venue
    const candles = await kalshi.data.fetchCandles(context, yes, {
      resolutionMs: 5 * minute,
      startMs: endMs - 2_500 * 5 * minute,
      endMs,
      limit: 2_500,
    })
    for (const { query } of requests)
      expect((Number(query.get('end_ts')) - Number(query.get('start_ts'))) / 60).toBeLessThanOrEqual(10_000)
    expect(requests.length).toBeGreaterThan(1)
    expect(candles).toHaveLength(2_500)
    for (const [i, { timestamp, volume }] of candles.entries()) {
      if (i > 0) expect(timestamp - candles[i - 1]!.timestamp).toBe(5 * minute)
      if (i < candles.length - 1) expect(volume).toBe(5)
    }
  })

  test('of an unknown market or an unsupported resolution are rejected', async () => {
    answer = () => notFound
    await expect(kalshi.data.fetchCandles(context, yes, { resolutionMs: minute, limit: 1 })).rejects.toMatchObject({
      code: 'MARKET_NOT_FOUND',
    })
    await expect(kalshi.data.fetchCandles(context, yes, { resolutionMs: 1_000, limit: 1 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })
})
