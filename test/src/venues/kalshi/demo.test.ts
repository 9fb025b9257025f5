// The sandbox is Kalshi’s code under another name and other addresses, checked against recordings of the sandbox.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#config'
import { LiveBook } from '#core/books/liveBook'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { HttpRequest } from '#net/http'
import { openVenues } from '#roles/venues'
import type { TradeUpdate } from '#schemas/topics'
import { sharedFixture } from '#test/support/fixtures'
import { kalshiDemo } from '#venues/kalshi/demo'
import { kalshi } from '#venues/kalshi/index'
import type { FeedSink } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const rest = sharedFixture('kalshi-demo/rest.jsonl')
const session = sharedFixture('kalshi-demo/session.jsonl.gz')
const absent = 'needs ../shared/fixtures/kalshi-demo next to this checkout'
const clock = new ManualClock(Date.parse('2026-07-01T02:31:45Z'))

const lines = (bytes: Buffer): string[] =>
  bytes
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '')

function feedOf(bookIds: readonly string[]) {
  const books = new Map(
    bookIds.map((marketId) => [
      marketId,
      new LiveBook({ venue: 'kalshi-demo', marketId, tickMicros: 10_000, onDirty: () => undefined }),
    ]),
  )
  const trades: TradeUpdate[] = []
  const broken: string[] = []
  const malformed: string[] = []
  const nothing = (): void => undefined
  const feed: FeedSink = {
    book: (id) => books.get(id),
    trade: (trade) => trades.push(trade),
    broken(id, reason) {
      broken.push(reason)
      books.get(id)?.markStale(reason)
    },
    malformed: (reason) => malformed.push(reason),
    ...{
      send: nothing,
      unseeded: nothing,
      lastTrade: nothing,
      tickSize: nothing,
      marketStatus: nothing,
      refused: nothing,
      failed: nothing,
    },
  }
  return { books, trades, broken, malformed, feed }
}

test('it equals Kalshi except for its name, addresses and orders', () => {
  const { exec: _lane, slug: _slug, title: _title, urls, data, ...rest } = kalshi
  expect(kalshiDemo).toMatchObject({ slug: 'kalshi-demo', ...rest })
  expect(kalshiDemo).not.toHaveProperty('exec')
  expect(Object.keys(kalshiDemo.urls)).toEqual(Object.keys(urls))
  for (const url of Object.values(kalshiDemo.urls)) expect(new URL(url).host).toMatch(/\.demo\.kalshi\.co$/)
  const { stream: _stream, ...reads } = data
  expect(kalshiDemo.data).toMatchObject(reads)
})

test.each([
  ['all', false],
  ['all,kalshi-demo', true],
  ['kalshi-demo', true],
])('a deployment with VENUES=%s includes it: %s', async (VENUES, isRead) => {
  const REST = 'http://127.0.0.1:9/trade-api/v2'
  const config = readConfig({ VENUES, CROSSBOOK_KALSHI_DEMO_REST_URL: REST })
  const venues = openVenues(config, { clock, log: silentLog })
  const found = venues.list.find(({ manifest }) => manifest.slug === 'kalshi-demo')
  expect(found?.context.urls.REST).toBe(isRead ? REST : undefined)
  await venues.close()
})

test('its trades carry its own name', () => {
  const { trades, feed } = feedOf(['KXTEST-26-A'])
  const stream = kalshiDemo.data.stream.open(feed)
  stream.subscribe(['KXTEST-26-A'])
  // https://docs.kalshi.com/websockets/public-trades
  const msg = {
    trade_id: 't-1',
    market_ticker: 'KXTEST-26-A',
    yes_price_dollars: '0.3800',
    no_price_dollars: '0.6200',
    count_fp: '12.61',
    taker_side: 'yes',
    ts: 1_782_873_105,
  }
  stream.receive(Buffer.from(JSON.stringify({ type: 'trade', sid: 2, seq: 1, msg })), clock.now())
  expect(trades).toMatchObject([
    { venue: 'kalshi-demo', marketId: 'KXTEST-26-A', data: { price: 0.38, shares: 12.61 } },
  ])
})

describe.skipIf(rest === null || session === null)(rest === null ? absent : 'as recorded', () => {
  const recorded = () =>
    lines(readFileSync(rest!))
      .map((line) => JSON.parse(line) as { url: string; status: number; response_body: string })
      .filter(({ url }) => url.endsWith('/orderbook'))
  const frames = () => lines(gunzipSync(readFileSync(session!)))

  test('parses every recorded book with all its levels', async () => {
    for (const { url, status, response_body } of recorded()) {
      const body = JSON.parse(response_body)
      const ticker = url.split('/').at(-2)!
      const requests: HttpRequest[] = []
      const context = {
        ...{ venue: 'kalshi-demo', clock, log: silentLog, urls: kalshiDemo.urls, credentials: null },
        http: {
          async request(request: HttpRequest) {
            requests.push(request)
            return { status, headers: {}, body }
          },
        },
        signal: new AbortController().signal,
      } as unknown as VenueContext
      const book = (await kalshiDemo.data.fetchOrderBook(context, ticker))!
      expect(new URL(requests[0]!.url).pathname).toBe(new URL(url).pathname)
      const { yes_dollars, no_dollars } = body.orderbook_fp
      expect([book.bids.length, book.asks.length]).toEqual([yes_dollars.length, no_dollars.length])
      expect(Math.max(...book.bids.map(([price]) => price))).toBeLessThan(
        Math.min(...book.asks.map(([price]) => price)),
      )
    }
    expect(recorded()).toHaveLength(5)
  })

  test('its frames keep every book live, except books read before the price scale was known', () => {
    const tickers = recorded().map(({ url }) => url.split('/').at(-2)!)
    const { books, broken, malformed, feed } = feedOf(tickers)
    const stream = kalshiDemo.data.stream.open(feed)
    stream.subscribe(tickers)
    for (const frame of frames()) stream.receive(Buffer.from(frame), clock.now())
    // The recorder did not request YES prices; a session that did detects it with the first two-sided book.
    expect(new Set(broken)).toEqual(new Set(['scale']))
    const live = [...books.values()].filter(({ state }) => state === 'live')
    expect(live.length + broken.length).toBe(5)
    expect(live.length).toBeGreaterThanOrEqual(3)
    for (const book of live) expect(book.bestBidMicros()).toBeLessThan(book.bestAskMicros()!)
    // Two fills of the recorder’s own account, on a channel we do not subscribe to.
    expect(malformed).toEqual(['unknown type', 'unknown type'])
  })
})
