import { beforeEach, describe, expect, test } from 'vitest'
import { type AnsweringVenue, answeringVenue, venueNow } from '#test/support/answeringVenue'
import { predictstreet } from '#venues/predictstreet/index'
import type { CatalogPage } from '#venues/venue'
import { bookRow, eventRow, marketRow, tradeRow } from './rows.ts'

const { data } = predictstreet
let venue: AnsweringVenue
beforeEach(() => {
  venue = answeringVenue('predictstreet')
})

const unknown = (code: string) => ({ status: 404, body: { statusCode: 404, code } })
const uuid = (n: number) => `e005f649-2d64-4e37-8513-${String(n).padStart(12, '0')}`
const row = (n: number, event = n) => marketRow({ eventId: uuid(event), symbol: `M-${n}`, slug: `market-${n}` })
const eventOf = (n: number, markets: unknown[] = [row(n)]) => eventRow({ id: uuid(n), markets })
const fault = { code: 'NETWORK_ERROR', exchange: 'predictstreet' }

describe('the walk', () => {
  async function walk(): Promise<string[]> {
    const pages: CatalogPage[] = []
    for await (const page of data.walkCatalog(venue.context)) pages.push(page)
    return pages.flatMap(({ events }) => events.flatMap(({ markets }) => markets.map(({ marketId }) => marketId)))
  }
  const lists = (events: unknown[], markets: unknown[]) => {
    venue.answer = ({ path }) => {
      if (path === '/api/events') return { body: { events } }
      return path === '/api/markets' ? { body: { markets } } : unknown('event_not_found')
    }
  }

  test('needs two requests when the list of events contains every market', async () => {
    lists([eventOf(1, [row(1), row(11, 1)]), eventOf(2)], [row(1), row(11, 1), row(2)])
    expect(await walk()).toEqual(['market-1', 'market-11', 'market-2'])
    expect(venue.requests).toHaveLength(2)
    expect(venue.warnings).toEqual([])
  })

  test.each([
    ['in another format', { body: [] }],
    ['that is missing', { status: 404, body: {} }],
  ])('requests each event once with a list of events %s', async (_, events) => {
    venue.answer = ({ path }) => {
      if (path === '/api/events') return events
      if (path === '/api/markets') return { body: { markets: [row(1), row(11, 1), row(2)] } }
      return path === `/api/events/${uuid(1)}` ? { body: eventOf(1, [row(1), row(11, 1)]) } : { body: eventOf(2) }
    }
    expect(await walk()).toEqual(['market-1', 'market-11', 'market-2'])
    expect(venue.requests).toHaveLength(4)
    expect(venue.warnings).toEqual(['no list of events: each is read individually'])
  })

  test('warns when the venue truncates its list of markets', async () => {
    const some = <T>(length: number, make: (n: number) => T) => Array.from({ length }, (_, n) => make(n))
    lists(
      some(600, (n) => eventOf(n)),
      some(500, (n) => row(n)),
    )
    expect(await walk()).toHaveLength(600)
    expect(venue.warnings).toEqual(['the venue cuts its list of markets off'])
  })

  test('skips a row that is unreadable or of another event with a warning, and keeps the others', async () => {
    lists([eventOf(1, [row(1), row(2), { slug: 'x' }, null]), { id: 5 }], [row(1), { symbol: 7 }])
    expect(await walk()).toEqual(['market-1'])
    expect(venue.warnings).toHaveLength(5)
  })

  test('leaves markets of an event that is over to their own reads', async () => {
    lists([], [row(1)])
    expect(await walk()).toEqual([])
  })

  test('without a list of markets is a fault, not a smaller catalog', async () => {
    venue.answer = ({ path }) => (path === '/api/events' ? { body: { events: [] } } : { body: [] })
    await expect(walk()).rejects.toMatchObject(fault)
  })
})

describe('one market', () => {
  const fetchMarket = (slug = 'market-1') => data.fetchMarket(venue.context, slug)
  const path = '/api/markets/market-1'

  test('is requested by its slug and comes with its event, or without one that is over', async () => {
    venue.answer = (request) => (request.path === path ? { body: row(1) } : { body: eventOf(1) })
    expect((await fetchMarket())?.event?.id).toBe(uuid(1))
    venue.answer = (request) => (request.path === path ? { body: row(1) } : unknown('event_not_found'))
    expect(await fetchMarket()).toMatchObject({ market: { marketId: 'market-1' }, event: null })
  })

  test('is null only by the venue’s own 404; an invalid slug is not requested', async () => {
    venue.answer = () => unknown('market_not_found')
    expect(await fetchMarket()).toBeNull()
    venue.answer = () => ({ status: 404, body: '<html>' })
    await expect(fetchMarket()).rejects.toMatchObject(fault)
    venue.requests.length = 0
    for (const name of ['', '..', 'a/b']) expect(await fetchMarket(name)).toBeNull()
    expect(await data.fetchEvent(venue.context, '..')).toBeNull()
    expect(venue.requests).toEqual([])
  })

  test('is a fault for another market’s row or an invalid symbol', async () => {
    for (const body of [row(2), { ...row(1), symbol: 'lower' }]) {
      venue.answer = () => ({ body })
      await expect(fetchMarket()).rejects.toMatchObject(fault)
    }
  })
})

describe('a book', () => {
  const bookId = 'UAE-CUP-FINAL-20260425:0'
  const fetchBook = () => data.fetchOrderBook(venue.context, bookId)

  test('is the outcome’s own, with the venue’s time', async () => {
    venue.answer = () => ({ body: bookRow() })
    expect(await fetchBook()).toEqual({
      bookId,
      bids: [
        [520_000, 240],
        [510_000, 180],
      ],
      asks: [
        [550_000, 210],
        [560_000, 160],
      ],
      eventTs: Date.parse('2026-04-22T10:31:05.124Z'),
      recvTs: venueNow,
      lastTradeMicros: null,
      isNegRisk: null,
      tickMicros: null,
    })
    expect(venue.requests).toMatchObject([
      { path: '/api/markets/UAE-CUP-FINAL-20260425/orderbook', query: { outcome: 0, depth: 100 } },
    ])
  })

  test('is empty when both sides are empty, and null for an unknown market or outcome', async () => {
    venue.answer = () => ({ body: bookRow({ bids: [], asks: [] }) })
    expect(await fetchBook()).toMatchObject({ bids: [], asks: [] })
    venue.answer = () => unknown('market_not_found')
    expect(await fetchBook()).toBeNull()
    venue.answer = () => ({ status: 400, body: { code: 'invalid_outcome' } })
    expect(await fetchBook()).toBeNull()
  })

  const half = { price: '0.5', quantity: '1' }
  test.each([
    ['another outcome', { outcome: '1' }],
    ['another market', { marketId: 'UAE-CUP-FINAL-20260426' }],
    ['a price above one', { bids: [{ price: '1.01', quantity: '1' }] }],
    ['a negative size', { asks: [{ price: '0.6', quantity: '-1' }] }],
    ['a duplicate price', { bids: [half, { ...half, price: '0.50' }] }],
    ['one side only', { asks: undefined }],
  ])('with %s is a fault instead of dropping levels', async (_, more) => {
    venue.answer = () => ({ body: bookRow(more) })
    await expect(fetchBook()).rejects.toMatchObject(fault)
  })
})

describe('trades', () => {
  const symbol = 'M-1'
  const [yes, no] = [0, 1].map((n) => ({ outcomeId: `${symbol}:${n}` })) as [
    { outcomeId: string },
    { outcomeId: string },
  ]
  const read = (outcome: { outcomeId: string }, query: { limit: number; startMs?: number; endMs?: number }) =>
    data.fetchTrades(venue.context, outcome, query)
  const at = (secondsAgo: number) => new Date(venueNow - secondsAgo * 1_000).toISOString()
  /** The trades of the whole market, newest first, paged like the venue does. */
  const tape = (rows: ReturnType<typeof tradeRow>[]) => {
    venue.answer = ({ query }) => {
      const before = query.before === undefined ? Number.POSITIVE_INFINITY : Date.parse(String(query.before))
      const after = query.after === undefined ? Number.NEGATIVE_INFINITY : Date.parse(String(query.after))
      const fits = rows.filter(({ createdAt }) => Date.parse(createdAt) < before && Date.parse(createdAt) > after)
      return { body: { symbol, trades: fits.slice(0, Number(query.limit)) } }
    }
  }

  test('are filtered by outcome; the taker side is unknown', async () => {
    tape([tradeRow('c', at(1)), tradeRow('b', at(2), { outcomeIndex: 1, price: '0.48' }), tradeRow('a', at(3))])
    expect(await read(yes, { limit: 10 })).toEqual([
      { id: 'c', timestamp: venueNow - 1_000, price: 0.52, amount: 100, side: 'unknown', outcomeId: 'M-1:0' },
      { id: 'a', timestamp: venueNow - 3_000, price: 0.52, amount: 100, side: 'unknown', outcomeId: 'M-1:0' },
    ])
    expect((await read(no, { limit: 10 })).map(({ id, price }) => [id, price])).toEqual([['b', 0.48]])
  })

  test('are read past a page of the other outcome, and none is lost between pages of the same time', async () => {
    const of = (n: number) => tradeRow(`o${n}`, at(1 + Math.floor(n / 120)), { outcomeIndex: 1 })
    tape([...Array.from({ length: 250 }, (_, n) => of(n)), tradeRow('b', at(4)), tradeRow('a', at(5))])
    expect((await read(yes, { limit: 10 })).map(({ id }) => id)).toEqual(['b', 'a'])
    expect(await read(no, { limit: 1_000 })).toHaveLength(250)
  })

  test('of a range include both its ends', async () => {
    tape([1, 2, 3, 4].map((n) => tradeRow(`t${n}`, at(n))))
    const range = { limit: 10, startMs: venueNow - 3_000, endMs: venueNow - 2_000 }
    expect((await read(yes, range)).map(({ id }) => id)).toEqual(['t2', 't3'])
  })

  test('are read for five pages at most', async () => {
    venue.answer = ({ query }) => {
      const before = query.before === undefined ? venueNow : Date.parse(String(query.before))
      const trades = Array.from({ length: 200 }, (_, n) =>
        tradeRow(`t${before - 1 - n}`, new Date(before - 1 - n).toISOString(), { outcomeIndex: 1 }),
      )
      return { body: { symbol, trades } }
    }
    expect(await read(yes, { limit: 10 })).toEqual([])
    expect(venue.requests).toHaveLength(5)
  })

  test('skip an unreadable row; only unreadable rows, or another market’s trades, are a fault', async () => {
    const bad = tradeRow('x', 'yesterday')
    venue.answer = () => ({ body: { symbol, trades: [bad, tradeRow('a', at(1)), { id: 'y' }] } })
    expect((await read(yes, { limit: 10 })).map(({ id }) => id)).toEqual(['a'])
    for (const body of [
      { symbol, trades: [bad] },
      { symbol: 'M-2', trades: [] },
    ]) {
      venue.answer = () => ({ body })
      await expect(read(yes, { limit: 10 })).rejects.toMatchObject(fault)
    }
    venue.answer = () => unknown('market_not_found')
    expect(await read(yes, { limit: 10 })).toEqual([])
  })
})
