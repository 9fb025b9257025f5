import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { fetchMarket, fetchOrderBook, freshMs } from '#venues/polymarket_us/data/reads'
import { normalizeBook } from '#venues/polymarket_us/data/tape'
import { UsBook } from '#venues/polymarket_us/wire'
import { type Answer, notFound, serveGateway, usd, type VenueRequest, type VenueServer } from '../venueServer.ts'

let server: VenueServer
let served = false
afterEach(async () => {
  if (served) await server.close()
  served = false
})
const serve = async (answer: (request: VenueRequest) => Answer) => {
  server = await serveGateway(answer)
  served = true
  return server.context
}

const level = (value: string, qty: string) => ({ px: usd(value), qty })
const book = (marketSlug: string, more: object = {}) => ({
  marketData: {
    marketSlug,
    bids: [level('0.2650', '27.0000'), level('0.2640', '113.0000'), level('0.0010', '250000.0000')],
    offers: [level('0.3820', '8.0000'), level('0.9990', '1858.2500')],
    state: 'MARKET_STATE_OPEN',
    stats: { lastTradePx: usd('0.2650'), openInterest: '136483.0000' },
    transactTime: '2026-09-06T00:57:41.446134874Z',
    ...more,
  },
})

describe('a book', () => {
  it('is the long side’s book in micros, with the venue’s time to the millisecond', async () => {
    const context = await serve(() => ({ body: book('herons') }))
    expect(await fetchOrderBook(context, 'herons')).toEqual({
      bookId: 'herons',
      bids: [
        [265_000, 27],
        [264_000, 113],
        [1_000, 250_000],
      ],
      asks: [
        [382_000, 8],
        [999_000, 1_858.25],
      ],
      eventTs: Date.parse('2026-09-06T00:57:41.446Z'),
      recvTs: context.clock.now(),
      lastTradeMicros: 265_000,
      isNegRisk: null,
      tickMicros: null,
    })
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/markets/herons/book'])
  })

  it('with two empty sides is empty, with unknown time and last trade', async () => {
    const empty = { bids: [], offers: [], stats: null, transactTime: null }
    const context = await serve(() => ({ body: book('herons', empty) }))
    expect(await fetchOrderBook(context, 'herons')).toMatchObject({
      bids: [],
      asks: [],
      eventTs: null,
      lastTradeMicros: null,
    })
  })

  it('has exact levels', () => {
    const side = fc.uniqueArray(
      fc.record({ ticks: fc.integer({ min: 1, max: 9_999 }), units: fc.integer({ min: 1, max: 2_000_000_000 }) }),
      { selector: ({ ticks }) => ticks, maxLength: 40 },
    )
    const wire = ({ ticks, units }: { ticks: number; units: number }) =>
      level(`0.${String(ticks).padStart(4, '0')}`, (units / 10_000).toFixed(4))
    fc.assert(
      fc.property(side, side, (bids, offers) => {
        const raw = UsBook.parse(book('herons', { bids: bids.map(wire), offers: offers.map(wire) }).marketData)
        const read = normalizeBook('herons', raw, 1)!
        expect(read.bids).toEqual(bids.map(({ ticks, units }) => [ticks * 100, units / 10_000]))
        expect(read.asks).toEqual(offers.map(({ ticks, units }) => [ticks * 100, units / 10_000]))
      }),
    )
  })

  it.each([
    ['a price above one', { bids: [level('1.2000', '3.0')] }],
    ['a price of one', { bids: [level('1.0000', '3.0')] }],
    ['a price of zero', { offers: [level('0.0000', '3.0')] }],
    ['a price as a word', { bids: [level('half', '3.0')] }],
    ['a size as a word', { bids: [level('0.5000', 'many')] }],
    ['a negative size', { bids: [level('0.5000', '-3.0')] }],
    ['the same price twice', { bids: [level('0.5000', '3.0'), level('0.5', '4.0')] }],
    ['another currency', { bids: [{ px: { value: '0.5', currency: 'EUR' }, qty: '3.0' }] }],
    ['a level without size', { offers: [{ px: usd('0.5') }] }],
    ['another market’s slug', { marketSlug: 'ravens' }],
    ['no name', { marketSlug: undefined }],
    ['sides that are not lists', { bids: {} }],
    ['a null side', { bids: null }],
    ['a missing side', { offers: undefined }],
  ])('with %s is rejected as a whole with a fault', async (_, more) => {
    const context = await serve(() => ({ body: book('herons', more) }))
    await expect(fetchOrderBook(context, 'herons')).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      exchange: 'polymarket_us',
    })
  })

  it('drops a level of size zero', async () => {
    const context = await serve(() => ({ body: book('herons', { bids: [level('0.5000', '0.0000')] }) }))
    expect((await fetchOrderBook(context, 'herons'))!.bids).toEqual([])
  })
})

describe('request rate', () => {
  it('requests a book once in half a minute, however many callers want it', async () => {
    const context = await serve(() => ({ body: book('herons') }))
    const first = await fetchOrderBook(context, 'herons')
    server.clock.advance(freshMs - 1)
    expect(await fetchOrderBook(context, 'herons')).toEqual(first)
    expect(server.requests).toHaveLength(1)
    server.clock.advance(1)
    expect((await fetchOrderBook(context, 'herons'))!.recvTs).toBe(context.clock.now())
    expect(server.requests).toHaveLength(2)
  })

  it('always requests an unknown book, and never an invalid id', async () => {
    const context = await serve(() => notFound)
    expect(await fetchOrderBook(context, '0')).toBeNull()
    expect(await fetchOrderBook(context, '0')).toBeNull()
    for (const id of ['', 'a/b', 'demo-a:long']) expect(await fetchOrderBook(context, id)).toBeNull()
    expect(server.requests).toHaveLength(2)
  })

  const html = (seconds: string | null): Answer => ({
    status: 429,
    headers: seconds === null ? {} : { 'retry-after': seconds },
    body: '<html>slow down</html>',
  })

  it('sends nothing during a rate limit, even if its 429 is an HTML page; other books wait for its end', async () => {
    let limited = true
    const context = await serve(({ path }) => (limited ? html('1') : { body: book(path.split('/')[3]!) }))
    const limit = { code: 'NETWORK_ERROR', retryAfterSeconds: 1 }
    await expect(fetchOrderBook(context, 'herons')).rejects.toMatchObject(limit)
    const before = server.requests.length
    limited = false
    const waiting = fetchOrderBook(context, 'ravens')
    await expect(fetchMarket(context, 'herons')).rejects.toMatchObject(limit)
    expect(server.requests).toHaveLength(before)
    server.clock.advance(1_000)
    expect(await waiting).toMatchObject({ bookId: 'ravens' })
    expect(await fetchOrderBook(context, 'herons')).not.toBeNull()
  })

  it('assumes ten seconds for a 429 without a wait time', async () => {
    const context = await serve(() => html(null))
    await expect(fetchOrderBook(context, 'herons')).rejects.toMatchObject({ retryAfterSeconds: 10 })
    const before = server.requests.length
    server.clock.advance(9_999)
    await expect(fetchMarket(context, 'herons')).rejects.toMatchObject({ retryAfterSeconds: 1 })
    expect(server.requests).toHaveLength(before)
  })

  it('rejects at once when the wait would be too long or the caller aborts', async () => {
    const leaving = new AbortController()
    const context = { ...(await serve(() => html('16'))), signal: leaving.signal }
    await expect(fetchMarket(context, 'herons')).rejects.toMatchObject({ retryAfterSeconds: 16 })
    await expect(fetchOrderBook(context, 'herons')).rejects.toMatchObject({ retryAfterSeconds: 16 })
    server.clock.advance(2_000)
    const waiting = fetchOrderBook(context, 'herons')
    leaving.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(server.clock.pendingCount).toBe(0)
  })

  it('a server error is a fault that does not block other requests', async () => {
    let down = true
    const context = await serve(() => (down ? { status: 500, body: { code: 13 } } : { body: book('herons') }))
    await expect(fetchOrderBook(context, 'herons')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    down = false
    expect(await fetchOrderBook(context, 'herons')).not.toBeNull()
  })
})
