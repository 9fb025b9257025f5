import { beforeEach, describe, expect, test } from 'vitest'
import { type AnsweringVenue, answeringVenue, venueNow } from '#test/support/answeringVenue'
import { pred } from '#venues/pred/index'
import type { CatalogPage } from '#venues/venue'
import { bookRow, childDetails, childRow, detailsBody, entryRow, hash, parentRow } from './rows.ts'

const { data } = pred
let venue: AnsweringVenue
beforeEach(() => {
  venue = answeringVenue('pred')
})

const marketId = `${hash(1)}-${hash(2)}`
const noParent = { status: 404, body: { success: false, message: 'Parent market not found', error: { code: 'X' } } }
const fault = { code: 'NETWORK_ERROR', exchange: 'pred' }
const discover = '/api/v1/market-discovery/discover'

describe('the walk', () => {
  async function walk() {
    const pages: CatalogPage[] = []
    for await (const page of data.walkCatalog(venue.context)) pages.push(page)
    return pages.flatMap(({ events }) => events)
  }
  const page = (rows: unknown[], total: number) => ({ body: { data: { parent_markets_list: rows, total } } })

  test('pages to the total, fifty parents at a time, and reads each parent that is not over', async () => {
    const entries = Array.from({ length: 120 }, (_, n) =>
      entryRow({
        parent_market_data: parentRow({ parent_market_id: hash(n + 10), status: n % 2 ? 'resolved' : 'active' }),
      }),
    )
    venue.answer = ({ path, query: { limit, offset } }) => {
      const rows = entries.slice(Number(offset), Number(offset) + Number(limit))
      return path === discover ? page(rows, 120) : { body: detailsBody({ parent_market_id: path.split('/').at(-1) }) }
    }
    const events = await walk()
    expect(events).toHaveLength(120)
    const lists = venue.requests.filter(({ path }) => path === discover)
    expect(lists.map(({ query }) => query)).toEqual(
      [0, 50, 100].map((offset) => ({ verbose: true, limit: 50, offset })),
    )
    expect(venue.requests).toHaveLength(3 + 60)
    const [open, over] = events
    expect(open!.markets[0]).toMatchObject({ volume: 42_000.25, status: 'active' })
    expect(open!.sourceMetadata).toMatchObject({ leagueId: 'serie-a' })
    expect(over!.markets[0]).toMatchObject({ volume: null, status: 'resolved' })
  })

  test.each([
    ['is unknown', noParent],
    ['is unreadable', { body: {} }],
  ])('uses the list’s data for a parent whose own read %s', async (_, answer) => {
    venue.answer = ({ path }) => (path === discover ? page([entryRow()], 1) : answer)
    expect((await walk()).map(({ markets }) => markets.map(({ title, volume }) => [title, volume]))).toEqual([
      [
        ['Roma vs Atalanta: Team 2', null],
        ['Roma vs Atalanta: Team 3', null],
      ],
    ])
  })

  test('skips unreadable rows with a warning and keeps the others', async () => {
    const bad = [{ ...childDetails(4), market_id: '0x1' }, null]
    venue.answer = ({ path }) =>
      path === discover ? page([{}, entryRow(), null], 3) : { body: detailsBody({}, [childDetails(2), ...bad]) }
    expect((await walk()).map(({ markets }) => markets.length)).toEqual([1])
    expect(venue.warnings).toHaveLength(4)
  })

  test('in another format is a fault, not an empty catalog', async () => {
    venue.answer = () => ({ body: { data: {} } })
    await expect(walk()).rejects.toMatchObject(fault)
  })
})

describe('one market', () => {
  const fetchMarket = (id = marketId) => data.fetchMarket(venue.context, id)

  test('is read through its parent, and comes with it', async () => {
    venue.answer = () => ({ body: detailsBody() })
    const found = await fetchMarket()
    expect(found).toMatchObject({ market: { marketId }, event: { id: hash(1) } })
    expect(found!.event.markets).toHaveLength(2)
    expect(await fetchMarket(`${hash(1)}-${hash(9)}`)).toBeNull()
  })

  test('is null only by the venue’s own 404; an invalid id is not requested', async () => {
    venue.answer = () => noParent
    expect(await fetchMarket()).toBeNull()
    venue.answer = () => ({ status: 404, body: '<html>' })
    await expect(fetchMarket()).rejects.toMatchObject(fault)
    venue.requests.length = 0
    for (const id of ['', hash(1), `${marketId}-long`, `../${marketId}`]) expect(await fetchMarket(id)).toBeNull()
    expect(await data.fetchEvent(venue.context, '..')).toBeNull()
    expect(venue.requests).toEqual([])
  })

  test('with an unreadable row or another parent is a fault', async () => {
    for (const body of [detailsBody({}, [childRow(2, { name: 5 })]), detailsBody({ parent_market_id: hash(7) })]) {
      venue.answer = () => ({ body })
      await expect(fetchMarket()).rejects.toMatchObject(fault)
    }
  })
})

describe('a book', () => {
  const read = () => data.fetchOrderBook(venue.context, marketId)

  test('is the long side’s, converted from cents and shares', async () => {
    venue.answer = () => ({ body: bookRow() })
    expect(await read()).toEqual({
      bookId: marketId,
      bids: [
        [540_000, 120.5],
        [535_000, 80],
      ],
      asks: [[560_000, 10]],
      eventTs: null,
      recvTs: venueNow,
      lastTradeMicros: null,
      isNegRisk: null,
      tickMicros: null,
    })
    expect(venue.requests[0]).toMatchObject({ path: `/api/v1/order/${hash(1)}/orderbook/${hash(2)}`, headers: {} })
    expect(venue.requests[0]!.query).toMatchObject({ depth: 100 })
  })

  test('is requested with the operator’s account if there is one; without it a 401 is a fault', async () => {
    const credentials = { WALLET_ADDRESS: '0xw', PROXY_ADDRESS: '0xp' }
    venue.answer = () => ({ body: bookRow() })
    await data.fetchOrderBook({ ...venue.context, credentials }, marketId)
    expect(venue.requests[0]!.headers).toEqual({ 'X-Wallet-Address': '0xw', 'X-Proxy-Address': '0xp' })
    venue.answer = () => ({ status: 401, body: { success: false, message: 'no' } })
    await expect(read()).rejects.toMatchObject(fault)
  })

  test('is empty when both sides are empty, and null when unknown to the venue', async () => {
    venue.answer = () => ({ body: bookRow({ bids: [], asks: [] }) })
    expect(await read()).toMatchObject({ bids: [], asks: [] })
    venue.answer = () => noParent
    expect(await read()).toBeNull()
  })

  const one = { price: '50', size: '1' }
  test.each([
    ['a price of a dollar', { bids: [{ price: '100', size: '1' }] }],
    ['a price of zero', { asks: [{ price: '0', size: '1' }] }],
    ['a duplicate price', { bids: [one, { ...one, price: '50.0' }] }],
    ['a negative size', { asks: [{ price: '50', size: '-1' }] }],
    ['one side only', { bids: undefined }],
    ['no success', { success: false }],
  ])('with %s is a fault instead of dropping levels', async (_, more) => {
    venue.answer = () => ({ body: bookRow(more) })
    await expect(read()).rejects.toMatchObject(fault)
  })
})
