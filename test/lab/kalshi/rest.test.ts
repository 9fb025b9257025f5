import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { sharedFixture } from '#test/support/fixtures'
import { getJson, type Json, kalshiHeaders } from '../clients.ts'

let lab: Lab
const clock = new ManualClock()

beforeAll(async () => {
  lab = await startLab({ clock, seed: 'rest', venues: ['kalshi'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const get = (path: string, headers: Record<string, string> = {}) => getJson(`${lab.kalshi.urls.REST}${path}`, headers)
const fixture = (path: string) => {
  const found = sharedFixture(path)
  return found === null ? null : (JSON.parse(readFileSync(found, 'utf8')) as Json)
}

async function walk(name: 'markets' | 'events', query: string): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor = ''; ; ) {
    const { body } = await get(`/${name}?limit=17&${query}&cursor=${cursor}`)
    all.push(...(body[name] as Json[]))
    if (body.cursor === '') return all
    cursor = String(body.cursor)
  }
}

describe('kalshi rest', () => {
  test('cursors reach every market and event once, the last page has an empty cursor', async () => {
    const { listing } = lab.kalshi
    expect((await walk('markets', '')).map(({ ticker }) => ticker)).toEqual(listing.markets.map(({ ticker }) => ticker))
    const events = await walk('events', 'with_nested_markets=true')
    expect(events.map(({ event_ticker }) => event_ticker)).toEqual(listing.events.map(({ ticker }) => ticker))
    expect(events.flatMap(({ markets }) => markets as Json[])).toHaveLength(listing.markets.length)
  })

  test('the status filter uses other words than the rows', async () => {
    for (const [word, status] of [
      ['open', 'active'],
      ['closed', 'closed'],
      ['settled', 'finalized'],
    ]) {
      const rows = await walk('markets', `status=${word}`)
      expect(rows.length, word).toBeGreaterThan(0)
      expect(new Set(rows.map((row) => row.status))).toEqual(new Set([status]))
      if (word === 'settled') expect(rows.every(({ result }) => result === 'yes' || result === 'no')).toBe(true)
    }
    expect((await get('/markets?status=nonsense')).status).toBe(400)
  })

  test('a limit above the maximum is 400, an invalid cursor is 200', async () => {
    expect((await get('/markets?limit=1001')).status).toBe(400)
    expect((await get('/events?limit=201')).status).toBe(400)
    expect((await get('/markets/trades?limit=1001')).status).toBe(400)
    expect((await get('/markets?cursor=garbage')).status).toBe(200)
  })

  test('the order book has bids of both sides in ascending dollars and equals the book of the lab', async () => {
    const ticker = lab.kalshi.openTickers()[0]!
    const { body } = await get(`/markets/${ticker}/orderbook`)
    const { yes_dollars, no_dollars } = body.orderbook_fp as Record<string, [string, string][]>
    const truth = lab.kalshi.book(ticker)!
    const level = ([price, count]: [string, string]) => [Math.round(Number(price) * 1e6), Number(count)]
    expect(yes_dollars!.map(level).reverse()).toEqual(truth.bids)
    expect(no_dollars!.map(level).reverse()).toEqual(truth.asks.map(([price, size]) => [1_000_000 - price, size]))
    expect([...yes_dollars!, ...no_dollars!].flat().every((text) => /^\d\.\d{4}$|^\d+\.\d{2}$/.test(text))).toBe(true)
    const one = (await get(`/markets/${ticker}/orderbook?depth=1`)).body.orderbook_fp as Record<string, unknown[]>
    expect(one.yes_dollars).toEqual([yes_dollars!.at(-1)])
    const row = (await get(`/markets/${ticker}`)).body.market as Json
    expect([row.yes_bid_dollars, row.yes_bid_size_fp]).toEqual(yes_dollars!.at(-1))
    expect([row.no_bid_dollars, row.yes_ask_size_fp]).toEqual(no_dollars!.at(-1))
  })

  test('reads many books at once and omits unknown ones', async () => {
    const [a, b] = lab.kalshi.openTickers()
    const { body } = await get(`/markets/orderbooks?tickers=${a}&tickers=KXNOBODY&tickers=${b}`)
    expect((body.orderbooks as Json[]).map(({ ticker }) => ticker)).toEqual([a, b])
  })

  test('returns 404 for unknown tickers with the exchange’s error', async () => {
    for (const path of ['/markets/KXNOBODY', '/markets/KXNOBODY/orderbook', '/events/KXNOBODY', '/series/KXNOBODY']) {
      const { status, body } = await get(path)
      expect(status).toBe(404)
      expect(body.error).toMatchObject({ code: 'not_found' })
    }
  })

  test('trades are newest first and page by cursor', async () => {
    const ticker = lab.kalshi.openTickers()[0]!
    const first = (await get(`/markets/trades?ticker=${ticker}&limit=5`)).body
    const second = (await get(`/markets/trades?ticker=${ticker}&limit=5&cursor=${first.cursor}`)).body
    const rows = [...(first.trades as Json[]), ...(second.trades as Json[])]
    expect(new Set(rows.map(({ trade_id }) => trade_id)).size).toBe(10)
    const times = rows.map(({ created_time }) => String(created_time))
    expect(times).toEqual(times.toSorted().reverse())
    for (const row of rows) expect(Number(row.yes_price_dollars) + Number(row.no_price_dollars)).toBeCloseTo(1, 9)
  })

  test('candles end on their period and stay in the window', async () => {
    const market = lab.kalshi.listing.markets[0]!
    const end = Math.floor(clock.now() / 1000)
    const path = `/series/${market.event.series.ticker}/markets/${market.ticker}/candlesticks`
    const { body } = await get(`${path}?start_ts=${end - 86_400}&end_ts=${end}&period_interval=60`)
    const candles = body.candlesticks as Json[]
    expect(candles).toHaveLength(24)
    expect(candles.every(({ end_period_ts }) => Number(end_period_ts) % 3600 === 0)).toBe(true)
    expect(candles.some(({ price }) => !('close_dollars' in (price as Json)))).toBe(true)
    expect((await get(`${path}?start_ts=1&end_ts=2&period_interval=7`)).status).toBe(400)
    const sample = fixture('kalshi/kalshi-cockpit/candlesticks_mlb.json')
    if (sample === null) return
    const [recorded] = Object.values(sample.markets as Record<string, { candlesticks: Json[] }>)[0]!.candlesticks
    const traded = candles.find(({ price }) => 'close_dollars' in (price as Json))!
    for (const key of Object.keys(recorded!)) {
      const [ours, theirs] = [traded[key], recorded![key]]
      if (typeof theirs === 'object')
        expect(Object.keys(ours as Json).sort()).toEqual(Object.keys(theirs as Json).sort())
      else expect(typeof ours, key).toBe(typeof theirs)
    }
  })

  test('rows have the keys of recorded ones', async ({ skip }) => {
    const events = fixture('kalshi/rest_july2026/kalshi_events.json')
    const markets = fixture('kalshi/kalshi-cockpit/market_single.json')
    const trades = fixture('kalshi/rest_july2026/kalshi_trades.json')
    const series = fixture('kalshi/rest_july2026/kalshi_series.json')
    const own = (name: string) =>
      JSON.parse(
        readFileSync(new URL(`../../src/venues/kalshi/fixtures/${name}.json`, import.meta.url), 'utf8'),
      ) as Json
    const covers = (ours: Json, sample: Json, except: string[] = []) => {
      for (const [key, value] of Object.entries(sample)) {
        if (!except.includes(key)) expect(typeof ours[key], key).toBe(typeof value)
      }
    }
    const { listing } = lab.kalshi
    const decoration = ['early_close_condition', 'custom_strike', 'occurrence_datetime', 'product_metadata', 'markets']
    const market = (await get(`/markets/${listing.markets[0]!.ticker}`)).body.market as Json
    const trade = (
      (await get(`/markets/trades?ticker=${listing.markets[0]!.ticker}&limit=1`)).body.trades as Json[]
    )[0]!
    // No longer in the rows of August 2026.
    const gone = ['fractional_trading_enabled', 'response_price_units']
    covers(market, (own('markets').markets as Json[])[0]!, [...decoration, ...gone])
    covers(trade, (own('trades').trades as Json[])[0]!)
    if (events === null || markets === null || trades === null || series === null)
      return skip('markets and trades do; the other recordings are missing next to this checkout')
    covers(market, (markets.single as Json).market as Json, decoration)
    const page = (await get('/events?limit=1&with_nested_markets=true')).body
    covers(page, events)
    covers((page.events as Json[])[0]!, (events.events as Json[])[0]!, decoration)
    covers((await get(`/series/${listing.series[0]!.ticker}`)).body.series as Json, series.series as Json, decoration)
    const sampleTrade = (trades.trades as Json[])[0]!
    expect(Object.keys(trade).sort()).toEqual(Object.keys(sampleTrade).sort())
  })

  test('public reads need no key; a wrong signature is still rejected', async () => {
    const path = '/trade-api/v2/exchange/status'
    const good = kalshiHeaders(lab.kalshi.credentials, clock.now(), path)
    expect((await get('/exchange/status')).body).toMatchObject({ exchange_active: true, trading_active: true })
    expect((await get('/exchange/status', good)).status).toBe(200)
    expect((await get('/markets', good)).status).toBe(401)
  })

  test('counts requests by route', () => {
    expect(lab.kalshi.counters().httpRequests['/trade-api/v2/markets/:ticker/orderbook']).toBeGreaterThanOrEqual(2)
  })
})
