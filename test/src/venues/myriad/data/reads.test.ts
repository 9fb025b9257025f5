// Details of the venue’s reads, each with answers in its documented format.
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { HttpRequest, HttpResponse } from '#net/http'
import { myriad } from '#venues/myriad/index'
import type { VenueContext } from '#venues/venueContext'
import { action, book, event, pool, trade } from './rows.ts'

type Answer = Pick<HttpResponse, 'status' | 'body'>
const ok = (body: unknown): Answer => ({ status: 200, body })
const marketNotFound: Answer = { status: 404, body: { error: 'Market not found' } }

function venue(answer: (path: string, query: NonNullable<HttpRequest['query']>) => Answer) {
  const requests: string[] = []
  const context: VenueContext = {
    venue: 'myriad',
    http: {
      async request({ url, query = {} }) {
        const { pathname } = new URL(url)
        requests.push(`${pathname} ${new URLSearchParams(query as Record<string, string>)}`)
        return { headers: {}, ...answer(pathname, query) }
      },
    },
    clock: new ManualClock(),
    log: silentLog,
    urls: { REST: 'http://venue' },
    credentials: null,
    signal: new AbortController().signal,
  }
  return { context, requests }
}
const page = (data: unknown[], hasNext = false) => ok({ data, pagination: { page: 1, hasNext } })

async function walk(context: VenueContext): Promise<[id: string, markets: string[]][]> {
  const listed: [string, string[]][] = []
  for await (const { events } of myriad.data.walkCatalog(context))
    for (const { id, markets } of events) listed.push([id, markets.map(({ marketId }) => marketId)])
  return listed
}

test('a walk lists the markets of an event once, within it, and both pools and order books', async () => {
  const { context, requests } = venue((path, { state, page: number }) => {
    if (path === '/events') return ok({ data: state === 'open' ? [event, { slug: 'broken' }] : [] })
    if (state !== 'open') return page([])
    return number === 1 ? page([book, pool], true) : page([{ ...book, id: 77, eventId: null }, { slug: 'broken' }])
  })
  expect(await walk(context)).toEqual([
    [event.id, ['56:ob:42', '56:ob:43']],
    ['2741:amm:549', ['2741:amm:549']],
    ['56:ob:77', ['56:ob:77']],
  ])
  expect(
    requests.filter((each) => each.startsWith('/markets')).every((each) => each.includes('trading_model=all')),
  ).toBe(true)
})

test('still returns the catalog without the list of events', async () => {
  const { context } = venue((path, { state }) =>
    path === '/events' ? marketNotFound : page(state === 'open' ? [book, pool] : []),
  )
  expect((await walk(context)).map(([id]) => id)).toEqual([event.id, '2741:amm:549'])
})

test('requests a market by network, number and model, because pools and order books share numbers', async () => {
  const { context, requests } = venue((path) => (path.startsWith('/events') ? ok(event) : ok(book)))
  const found = await myriad.data.fetchMarket(context, '56:ob:42')
  expect(found).toMatchObject({ market: { title: `${event.title}: Candidate A` }, event: { id: event.id } })
  expect(requests[0]).toBe('/markets/42 network_id=56&trading_model=ob')
  await expect(myriad.data.fetchMarket(context, '56:amm:42')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  expect(await myriad.data.fetchMarket(venue(() => marketNotFound).context, '56:ob:42')).toBeNull()
  expect(await myriad.data.fetchMarket(context, '42')).toBeNull()
})

test('the book id determines how a book is read', async () => {
  const { context, requests } = venue((path) => (path.endsWith('/orderbook') ? ok({ bids: [], asks: [] }) : ok(pool)))
  expect(await myriad.data.fetchOrderBook(context, '56:ob:42:1')).toMatchObject({ bids: [], asks: [] })
  expect((await myriad.data.fetchOrderBook(context, '2741:amm:549:1'))!.asks).toHaveLength(1)
  expect(requests).toEqual([
    '/markets/42/orderbook network_id=56&outcome=1',
    '/markets/549 network_id=2741&trading_model=amm',
  ])
  expect(await myriad.data.fetchOrderBook(context, '2741:amm:549:7')).toBeNull()
  expect(await myriad.data.fetchOrderBook(venue(() => marketNotFound).context, '56:ob:42:1')).toBeNull()
  const proxy = venue(() => ({ status: 404, body: '<html>' }))
  await expect(myriad.data.fetchOrderBook(proxy.context, '56:ob:42:1')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

test('trades of a pool are buys and sells of the outcome, without liquidity changes, claims or other outcomes', async () => {
  const rows = [
    action,
    { ...action, txId: '0x2', action: 'add_liquidity', outcomeId: null },
    { ...action, txId: '0x3', outcomeId: 1 },
    { ...action, txId: '0x4', action: 'sell', timestamp: action.timestamp - 60 },
  ]
  const { context, requests } = venue(() => page(rows))
  const ref = { outcomeId: '56:amm:218:0', marketId: '56:amm:218', eventId: null, metadata: {} }
  const startMs = (action.timestamp - 90) * 1_000 + 1
  const trades = await myriad.data.fetchTrades(context, ref, { startMs, limit: 10 })
  expect(trades.map(({ side }) => side)).toEqual(['buy', 'sell'])
  expect(requests).toEqual([
    `/markets/218/events network_id=56&since=${action.timestamp - 90}&until=undefined&page=1&limit=100`,
  ])
})

test('trades of an order book are read page by page, and an unreadable list is a fault', async () => {
  const full = Array.from({ length: 200 }, (_, n) => ({ ...trade, txHash: `0x${n}`, timestamp: trade.timestamp - n }))
  const { context, requests } = venue((_, { page: number }) =>
    ok(number === 1 ? full : [{ ...trade, txHash: '0xlast', timestamp: 1_600_000_000 }]),
  )
  const ref = { outcomeId: '56:ob:42:0', marketId: '56:ob:42', eventId: null, metadata: {} }
  expect(await myriad.data.fetchTrades(context, ref, { limit: 500 })).toHaveLength(201)
  expect(requests).toHaveLength(2)
  const broken = venue(() => ok([{ price: 1 }]))
  await expect(myriad.data.fetchTrades(broken.context, ref, { limit: 5 })).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
  })
})
