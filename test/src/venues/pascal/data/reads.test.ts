import { describe, expect, test } from 'vitest'
import { pascal } from '#venues/pascal/index'
import type { CatalogPage, OutcomeRef } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { market, success, symbol, trade, venueThat } from './rows.ts'

const unavailable = { code: 'NETWORK_ERROR', exchange: 'pascal' }
const { data } = pascal

async function walk(context: VenueContext): Promise<CatalogPage[]> {
  const pages: CatalogPage[] = []
  for await (const page of data.walkCatalog(context, { updatedSinceMs: null })) pages.push(page)
  return pages
}

describe('the walk', () => {
  test('groups symbols into events by their prefix, and skips unreadable rows', async () => {
    const rows = [
      market(symbol),
      market('FED_26JUL.CUT'),
      market('ME_SEN_2026.DEM'),
      market('no symbol'),
      { symbol: 7 },
      null,
    ]
    const { context, requests, warnings } = venueThat(() => success(rows))
    const [page, ...rest] = await walk(context)
    expect(rest).toEqual([])
    expect(page!.events.map(({ id, title, markets }) => [id, title, markets.map(({ marketId }) => marketId)])).toEqual([
      ['ME_SEN_2026', 'Who wins the Senate race in Maine?', [symbol, 'ME_SEN_2026.DEM']],
      ['FED_26JUL', 'Who wins the Senate race in Maine?', ['FED_26JUL.CUT']],
    ])
    expect(page!.events[0]).toMatchObject({ volume24h: 29.5, volume24hSource: { sources: ['venue'], partial: false } })
    expect([requests.length, warnings.length]).toEqual([1, 3])
  })

  test.each([
    ['an error in the venue’s envelope', { status: 'error', data: { code: 'INTERNAL', details: null } }],
    ['rows without an envelope', [market(symbol)]],
    ['only rows of another format', success([{ name: 'x' }])],
  ])('%s is a fault, not an empty catalog', async (_, body) => {
    await expect(walk(venueThat(() => body).context)).rejects.toMatchObject(unavailable)
  })
})

describe('one market', () => {
  test('is requested by its symbol, even when resolved, and is null when not listed', async () => {
    const { context, requests } = venueThat(({ body }) =>
      success(
        (body as { symbols?: string[] }).symbols?.[0] === symbol ? [market(symbol, { resolution: '1.000000' })] : [],
      ),
    )
    expect((await data.fetchMarket(context, symbol))?.market).toMatchObject({ marketId: symbol, status: 'resolved' })
    expect(await data.fetchMarket(context, 'NOSUCH.AAA')).toBeNull()
    expect(await data.fetchMarket(context, 'nosuch')).toBeNull()
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(2).fill('POST http://venue/api/v1/markets/search'),
    )
  })

  test('is a fault when the venue answers with another row', async () => {
    const { context } = venueThat(() => success([market('OTHER.AAA')]))
    await expect(data.fetchMarket(context, symbol)).rejects.toMatchObject(unavailable)
    await expect(data.fetchEvent(context, 'ME_SEN_2026')).rejects.toMatchObject(unavailable)
  })
})

describe('books', () => {
  const rows = {
    bids: [
      ['0.410000', '10'],
      ['0.400000', '5'],
    ],
    asks: [['0.430000', 7]],
  }

  test('are requested fifty at a time; a book missing from the answer is absent', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `EV_${n}.AAA`)
    const { context, requests } = venueThat(() =>
      success({ books: { [names[0]!]: rows, [names[55]!]: { bids: [], asks: [] } } }),
    )
    const books = await data.fetchOrderBooks(context, [...names, 'nobody'])
    expect([...books.keys()].sort()).toEqual([names[0], names[55]].sort())
    expect(books.get(names[0]!)).toMatchObject({
      bids: [
        [410_000, 10],
        [400_000, 5],
      ],
      asks: [[430_000, 7]],
      eventTs: 1_790_000_000_050,
    })
    expect(requests.map(({ query }) => String(query?.symbols).split(',').length)).toEqual([50, 10])
    expect(await data.fetchOrderBook(context, 'NOSUCH.AAA')).toBeNull()
  })

  test.each([
    ['an impossible price', { bids: [['1.5', '1']], asks: [] }],
    ['a size below zero', { bids: [], asks: [['0.5', '-1']] }],
    [
      'a duplicate price',
      {
        bids: [
          ['0.4', '1'],
          ['0.40', '2'],
        ],
        asks: [],
      },
    ],
    ['one side', { bids: [] }],
  ])('one with %s is a fault alone, and is skipped among others', async (_, bad) => {
    const { context, warnings } = venueThat(() => success({ books: { [symbol]: bad, 'B.B': rows } }))
    await expect(data.fetchOrderBook(context, symbol)).rejects.toMatchObject(unavailable)
    expect([...(await data.fetchOrderBooks(context, [symbol, 'B.B'])).keys()]).toEqual(['B.B'])
    expect(warnings).toHaveLength(1)
  })
})

describe('trades', () => {
  const ref = (outcomeId: string): OutcomeRef => ({ outcomeId, marketId: symbol, eventId: null, metadata: {} })
  const answer = (items: unknown[]) => venueThat(() => success({ items, next_cursor: null }))

  test('are a snapshot of the newest; NO is priced at one minus, and the taker side is unknown', async () => {
    const { context, requests } = answer([
      trade(9),
      trade(7, { price: undefined, fill_price: '0.4', size: undefined, fill_size: 3 }),
    ])
    const trades = await data.fetchTrades(context, ref(`${symbol}-NO`), { limit: 20 })
    expect(trades).toEqual([
      { id: '9', timestamp: 1_790_000_000_009, price: 0.58, amount: 10, side: 'unknown', outcomeId: `${symbol}-NO` },
      { id: '7', timestamp: 1_790_000_000_007, price: 0.6, amount: 3, side: 'unknown', outcomeId: `${symbol}-NO` },
    ])
    expect(requests[0]!.query).toEqual({ symbols: symbol, limit: 20 })
  })

  test('with equal sequence numbers get distinct ids, stable for any depth of the read', async () => {
    const items = [trade(9), trade(9), trade(9), trade(8)]
    const read = async (n: number) =>
      (await data.fetchTrades(answer(items.slice(0, n)).context, ref(symbol), { limit: 20 })).map(({ id }) => id)
    expect(await read(4)).toEqual(['9', '9:1', '9:2', '8'])
    expect(await read(2)).toEqual(['9', '9:1'])
  })

  test('in a time range come from one answer, limited after filtering', async () => {
    const { context, requests } = answer([9, 8, 7, 6].map((seq) => trade(seq)))
    const at = (n: number) => 1_790_000_000_000 + n
    const ids = async (startMs: number, endMs: number) =>
      (await data.fetchTrades(context, ref(symbol), { startMs, endMs, limit: 2 })).map(({ id }) => id)
    expect(await ids(at(6), at(8))).toEqual(['8', '7'])
    expect(await ids(at(0), at(6))).toEqual(['6'])
    expect(await ids(at(0), at(5))).toEqual([])
    expect(requests.map(({ query }) => query?.limit)).toEqual([500, 500, 500])
  })

  test('skip an unreadable row; only unreadable rows are a fault', async () => {
    const { context, warnings } = answer([
      trade(9),
      { id: 1 },
      trade(8, { symbol: 'OTHER.AAA' }),
      trade(7, { trade_ts_ms: null }),
    ])
    expect(await data.fetchTrades(context, ref(symbol), { limit: 20 })).toHaveLength(1)
    expect(warnings).toHaveLength(3)
    const strangers = answer([{ id: 1, p: '0.4' }, { id: 2 }])
    await expect(data.fetchTrades(strangers.context, ref(symbol), { limit: 20 })).rejects.toMatchObject(unavailable)
    expect(await data.fetchTrades(answer([]).context, ref(symbol), { limit: 20 })).toEqual([])
  })
})
