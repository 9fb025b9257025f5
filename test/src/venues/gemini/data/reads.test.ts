// Reads from a real HTTP server on loopback that answers in Gemini’s format.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '#core/fault'
import { gemini } from '#venues/gemini/index'
import type { CatalogPage, OutcomeRef } from '#venues/venue'
import { type Answer, contract, event, now, pageOf, refusal, serveVenue, type VenueServer } from './venueServer.ts'

let venue: VenueServer
beforeAll(async () => {
  venue = await serveVenue()
})
afterAll(() => venue.close())
beforeEach(() => {
  venue.requests.length = 0
  venue.warnings.length = 0
})

const events = '/v1/prediction-markets/events'
const settled = `${events}/recently-settled`
const eventNotFound = refusal(404, 'EventNotFound', 'event not found')

async function walk(updatedSinceMs: number | null = null): Promise<CatalogPage[]> {
  const pages: CatalogPage[] = []
  for await (const page of gemini.data.walkCatalog(venue.context, { updatedSinceMs })) pages.push(page)
  return pages
}
const idsOf = (pages: readonly CatalogPage[]) => pages.flatMap((page) => page.events.map(({ id }) => id))

/** Serves `count` events, paged by offset and limit. */
const listOf =
  (count: number, prefix: string, more: (i: number) => object = () => ({})) =>
  (query: URLSearchParams): Answer => {
    const offset = Number(query.get('offset'))
    const length = Math.max(0, Math.min(Number(query.get('limit')), count - offset))
    const rows = Array.from({ length }, (_, i) => {
      const ticker = `${prefix}${offset + i}`
      return event(ticker, [contract(`GEMI-${ticker}-AAA`)], more(offset + i))
    })
    return pageOf(rows, count)
  }
const empty = listOf(0, '')

describe('the catalog walk', () => {
  test('pages by offset up to the total: first all unsettled events, then recently settled ones', async () => {
    const open = listOf(120, 'OPEN')
    const done = listOf(2, 'DONE', () => ({ status: 'settled', resolvedAt: '2026-09-01T00:00:00Z' }))
    venue.answer = ({ path, query }) => (path === settled ? done(query) : open(query))
    const pages = await walk()
    expect(venue.requests.map(({ path, query }) => `${path} ${query.get('offset')} ${query.get('limit')}`)).toEqual([
      `${events} 0 50`,
      `${events} 50 50`,
      `${events} 100 50`,
      `${settled} 0 50`,
    ])
    expect(venue.requests[0]?.query.getAll('status')).toEqual(['approved', 'active', 'closed', 'under_review'])
    const expected = [...Array.from({ length: 120 }, (_, i) => `OPEN${i}`), 'DONE0', 'DONE1']
    expect(idsOf(pages)).toEqual(expected)
    expect(venue.warnings).toEqual([])
  })

  test('stops when a full page reaches the total, without another request', async () => {
    const open = listOf(50, 'OPEN')
    venue.answer = ({ path, query }) => (path === settled ? empty(query) : open(query))
    expect(idsOf(await walk())).toHaveLength(50)
    expect(venue.requests).toHaveLength(2)
  })

  test('treats a short page as the last one when there is no total', async () => {
    const open = listOf(60, 'OPEN')
    venue.answer = ({ path, query }) => {
      const { body } = (path === settled ? empty : open)(query)
      return { body: { data: (body as { data: unknown[] }).data } }
    }
    expect(idsOf(await walk())).toHaveLength(60)
    expect(venue.requests).toHaveLength(3)
  })

  test('logs a list that ends before its total and does not loop', async () => {
    venue.answer = ({ path }) => pageOf([], path === settled ? 0 : 7)
    expect(idsOf(await walk())).toEqual([])
    expect(venue.warnings).toEqual(['a list ended before its total'])
  })

  test('skips events settled before the last walk and stops at the page that reaches them', async () => {
    const since = Date.parse('2026-09-10T00:00:00Z')
    const done = listOf(500, 'DONE', (i) => ({ resolvedAt: new Date(since + (60 - i) * 60_000).toISOString() }))
    venue.answer = ({ path, query }) => (path === settled ? done : empty)(query)
    expect(idsOf(await walk(since))).toHaveLength(150)
  })

  test('still returns the catalog without the list of settled events', async () => {
    const open = listOf(1, 'OPEN')
    venue.answer = ({ path, query }) => (path === settled ? eventNotFound : open(query))
    expect(idsOf(await walk())).toEqual(['OPEN0'])
    expect(venue.warnings).toEqual(['no list of settled events: some stay as they were last seen'])
  })

  test('skips unreadable rows with a warning and keeps the others', async () => {
    const rows = [
      event('GOOD', [
        contract('GEMI-GOOD-AAA'),
        { instrumentSymbol: 7, label: 'GEMI-GOOD-BBB' },
        contract('not ours'),
        null,
      ]),
      { ticker: 'BROKEN' },
      null,
    ]
    venue.answer = ({ path, query }) => (path === settled ? empty(query) : pageOf(rows, 3))
    const [page] = await walk()
    expect(page?.events.map(({ id, markets }) => [id, markets.map(({ marketId }) => marketId)])).toEqual([
      ['GOOD', ['GEMI-GOOD-AAA']],
    ])
    expect(venue.warnings).toHaveLength(5)
  })

  test.each<[string, Answer]>([
    ['an envelope of another format', { body: { events: [] } }],
    ['a refusal', refusal(403, 'Forbidden', 'no')],
    ['a missing list', eventNotFound],
    ['no JSON', { text: '<html>' }],
  ])('%s is a fault, not an empty catalog', async (_, answer) => {
    venue.answer = () => answer
    await expect(walk()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  test('lists each series once, by name', async () => {
    const open = listOf(3, 'OPEN', (i) => (i < 2 ? { series: 'BTC hourly' } : {}))
    venue.answer = ({ path, query }) => (path === settled ? empty : open)(query)
    const pages = await walk()
    expect(pages.flatMap(({ series }) => series)).toMatchObject([{ id: 'BTC hourly', title: 'BTC hourly' }])
    expect(pages[0]?.events.map(({ seriesId }) => seriesId)).toEqual(['BTC hourly', 'BTC hourly', null])
  })
})

describe('one market', () => {
  const symbol = 'GEMI-NFL-2608212330-CAR-JAX-M-JAX'

  test('returns the event with the market: finds it by the symbol and accepts it only if it lists the symbol', async () => {
    const listed = event('NFL-2608212330-CAR-JAX-M', [
      contract('GEMI-NFL-2608212330-CAR-JAX-M-CAR'),
      contract(symbol, { label: 'Jaguars' }),
    ])
    venue.answer = ({ path }) => (path === `${events}/NFL-2608212330-CAR-JAX-M` ? { body: listed } : eventNotFound)
    const found = await gemini.data.fetchMarket(venue.context, symbol)
    expect(found?.market).toMatchObject({ marketId: symbol, eventId: 'NFL-2608212330-CAR-JAX-M' })
    expect(found?.event?.markets).toHaveLength(2)
    expect(venue.requests).toHaveLength(1)
  })

  test('tries shorter tickers when the contract part contains dashes, and skips an event that does not list the symbol', async () => {
    const other = event('EV-A', [contract('GEMI-EV-A-B')])
    venue.answer = ({ path }) =>
      path === `${events}/EV-A`
        ? { body: other }
        : path === `${events}/EV`
          ? { body: event('EV', [contract('GEMI-EV-A-X')]) }
          : eventNotFound
    expect((await gemini.data.fetchMarket(venue.context, 'GEMI-EV-A-X'))?.event?.id).toBe('EV')
  })

  test('returns null after a few requests when no event lists the symbol, and without a request for an invalid symbol', async () => {
    venue.answer = () => eventNotFound
    expect(await gemini.data.fetchMarket(venue.context, `GEMI-${'A-'.repeat(40)}B`)).toBeNull()
    expect(venue.requests.length).toBeLessThan(10)
    venue.requests.length = 0
    expect(await gemini.data.fetchMarket(venue.context, 'KXBTC-1')).toBeNull()
    expect(venue.requests).toEqual([])
  })

  test('throws a fault when the event is unreadable; a row with only its symbol becomes a market of unknown status', async () => {
    venue.answer = () => ({ body: event('EV', [{ instrumentSymbol: 'GEMI-EV-A' }]) })
    expect(await gemini.data.fetchMarket(venue.context, 'GEMI-EV-A')).toMatchObject({ market: { status: 'unknown' } })
    venue.answer = () => ({ body: { data: event('EV', []) } })
    await expect(gemini.data.fetchMarket(venue.context, 'GEMI-EV-A')).rejects.toBeInstanceOf(Fault)
  })
})

describe('a book', () => {
  const symbol = 'GEMI-TESTEV26-AAA'
  const level = (price: string, amount: string) => ({ price, amount, timestamp: '1789999999' })
  const read = () => gemini.data.fetchOrderBook(venue.context, symbol)

  test('is exact and complete, stamped with the receive time; level timestamps are not used as book time', async () => {
    venue.answer = () => ({
      body: { bids: [level('0.19', '250'), level('0.07', '12.5')], asks: [level('0.2', '100'), level('0.29', '0')] },
    })
    expect(await read()).toEqual({
      bookId: symbol,
      bids: [
        [190_000, 250],
        [70_000, 12.5],
      ],
      asks: [[200_000, 100]],
      eventTs: null,
      recvTs: now,
      lastTradeMicros: null,
      isNegRisk: null,
      tickMicros: 10_000,
    })
    const { path, query } = venue.requests[0]!
    expect(`${path} ${query}`).toBe(`/v1/book/${symbol} limit_bids=0&limit_asks=0`)
  })

  test('is empty when both sides are empty', async () => {
    venue.answer = () => ({ body: { bids: [], asks: [] } })
    expect(await read()).toMatchObject({ bids: [], asks: [] })
  })

  test('is null when the book was never opened or the symbol is unknown', async () => {
    venue.answer = () => refusal(400, 'Bad Request', `Supplied value '${symbol}' is not a valid symbol`)
    expect(await read()).toBeNull()
    venue.answer = () => eventNotFound
    expect(await read()).toBeNull()
  })

  test.each<[string, Answer]>([
    ['a price above one', { body: { bids: [level('1.19', '1')], asks: [] } }],
    ['a price of zero', { body: { bids: [level('0', '1')], asks: [] } }],
    ['a size that is not a number', { body: { bids: [], asks: [level('0.2', 'many')] } }],
    ['a negative size', { body: { bids: [], asks: [level('0.2', '-1')] } }],
    ['one side only', { body: { bids: [] } }],
    ['another refusal', refusal(400, 'InvalidLimit', 'no')],
  ])('with %s throws a fault instead of dropping levels', async (_, answer) => {
    venue.answer = () => answer
    await expect(read()).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'gemini' })
  })

  test('a 429 passes on the wait time from the venue', async () => {
    venue.answer = () => ({ ...refusal(429, 'RateLimit', 'too many'), headers: { 'retry-after': '1' } })
    await expect(read()).rejects.toMatchObject({ code: 'NETWORK_ERROR', retryAfterSeconds: 1 })
    venue.clock.advance(1_000)
  })

  test('a pending request ends when the service stops', async () => {
    const abort = new AbortController()
    venue.answer = () => {
      abort.abort()
      return 'silence'
    }
    const pendingRead = gemini.data.fetchOrderBook({ ...venue.context, signal: abort.signal }, symbol)
    await expect(pendingRead).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('trades', () => {
  const symbol = 'GEMI-TESTEV26-AAA'
  const yes: OutcomeRef = { outcomeId: symbol, marketId: symbol, eventId: 'TESTEV26', metadata: {} }
  const row = (i: number, more: object = {}) => ({
    timestamp: Math.floor((now - i * 1_000) / 1_000),
    timestampms: now - i * 1_000,
    tid: 2_840_141_000_000_000 + i,
    price: '0.19',
    amount: '5',
    exchange: 'gemini',
    type: 'buy',
    ...more,
  })
  const read = (ref: OutcomeRef, query: object = {}) =>
    gemini.data.fetchTrades(venue.context, ref, { limit: 100, ...query })

  test('are converted to the requested outcome: NO gets its own price and the opposite side', async () => {
    venue.answer = () => ({ body: [row(0), row(1, { type: 'sell', price: '0.2' }), row(2, { type: null })] })
    expect(await read(yes)).toEqual([
      { id: '2840141000000000', timestamp: now, price: 0.19, amount: 5, side: 'buy', outcomeId: symbol },
      { id: '2840141000000001', timestamp: now - 1_000, price: 0.2, amount: 5, side: 'sell', outcomeId: symbol },
      { id: '2840141000000002', timestamp: now - 2_000, price: 0.19, amount: 5, side: 'unknown', outcomeId: symbol },
    ])
    const no = await read({ ...yes, outcomeId: `${symbol}-NO` })
    expect(no.map(({ price, side }) => [price, side])).toEqual([
      [0.81, 'sell'],
      [0.8, 'buy'],
      [0.81, 'unknown'],
    ])
  })

  test('requests at most the venue’s page limit; a time range is filtered from the full list', async () => {
    venue.answer = () => ({ body: Array.from({ length: 10 }, (_, i) => row(i)) })
    await read(yes, { limit: 1_000 })
    const ranged = await read(yes, { limit: 2, startMs: now - 6_000, endMs: now - 3_000 })
    expect(ranged.map(({ timestamp }) => now - timestamp)).toEqual([3_000, 4_000])
    expect(venue.requests.map(({ query }) => query.get('limit_trades'))).toEqual(['500', '500'])
  })

  test('are empty for a contract that was never quoted; one bad row is skipped, only bad rows are a fault', async () => {
    venue.answer = () => refusal(400, 'Bad Request', `Supplied value '${symbol}' is not a valid symbol`)
    expect(await read(yes)).toEqual([])
    venue.answer = () => ({ body: [row(0, { price: 'x' }), row(1)] })
    expect(await read(yes)).toHaveLength(1)
    venue.answer = () => ({ body: [{}, null] })
    await expect(read(yes)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})
