// Books, trades and single markets from venue responses.
import { describe, expect, test } from 'vitest'
import { limitless } from '#venues/limitless/index'
import type { OutcomeRef } from '#venues/venue'
import { fixture, venueOf } from './support.ts'

type Row = Record<string, unknown>
const { data } = limitless
const clob = fixture('market') as Row
const pool = fixture('pool') as Row
const slug = String(clob.slug)
const address = String(pool.address)
const { yes: yesToken, no: noToken } = clob.tokens as { yes: string; no: string }

describe('a book', () => {
  const read = (body: unknown) =>
    data.fetchOrderBook(venueOf({ [`/markets/${slug}/orderbook`]: () => body }).context, `${slug}:yes`)

  test('has sizes in shares and no time', async () => {
    const book = (await read(fixture('orderbook')))!
    expect(book.bids.slice(0, 2)).toEqual([
      [466_000, 2000],
      [445_000, 192],
    ])
    expect(book.asks[0]).toEqual([486_000, 2000])
    expect(book).toMatchObject({ eventTs: null, lastTradeMicros: null, tickMicros: 1_000 })
  })

  test.each([
    { price: 0.5, size: '1.5' },
    { price: 1.2, size: '1000000' },
    { price: 0.5, size: -1 },
    { price: 'x', size: '1' },
  ])('with the level %j is a fault', async (level) => {
    await expect(read({ ...(fixture('orderbook') as Row), bids: [level] })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    })
  })

  test('of a pool has one level a step either side of its price, and is empty once the pool is closed', async () => {
    const book = (row: Row) =>
      data.fetchOrderBook(venueOf({ [`/markets/${address}`]: () => row }).context, `${address}:yes`)
    expect(await book(pool)).toMatchObject({ bids: [[427_000, 1]], asks: [[429_000, 1]] })
    for (const over of [{ status: 'RESOLVED' }, { expired: true }, { prices: null }]) {
      expect(await book({ ...pool, ...over })).toMatchObject({ bids: [], asks: [] })
    }
    expect(await book({ ...pool, prices: [100, 0] })).toMatchObject({ bids: [[999_000, 1]], asks: [] })
    await expect(book({ ...pool, address: `0x${'1'.repeat(40)}` })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('trades', () => {
  const row = (n: number, more: Row = {}) => ({
    createdAt: `2026-06-12T17:43:${String(59 - n).padStart(2, '0')}.000Z`,
    tokenId: yesToken,
    side: 0,
    price: 0.3,
    matchedSize: '2500000',
    txHash: `0x${n}`,
    ...more,
  })
  const path = `/markets/${slug}/events`
  const ref = (side: 'yes' | 'no', metadata: Row = { tokens: clob.tokens }): OutcomeRef => ({
    outcomeId: `${slug}:${side}`,
    marketId: slug,
    eventId: slug,
    metadata,
  })
  const one = (rows: unknown[]) => venueOf({ [path]: () => ({ events: rows, totalPages: 1 }) }).context

  test('of both sides are converted to the requested outcome', async () => {
    const rows = [row(0), row(1, { tokenId: noToken }), row(2, { tokenId: noToken, side: 1 })]
    const tradesOf = async (side: 'yes' | 'no') =>
      (await data.fetchTrades(one(rows), ref(side), { limit: 10 })).map(({ price, side: taker, amount }) => [
        price,
        taker,
        amount,
      ])
    expect(await tradesOf('yes')).toEqual([
      [0.3, 'buy', 2.5],
      [0.7, 'sell', 2.5],
      [0.7, 'buy', 2.5],
    ])
    expect(await tradesOf('no')).toEqual([
      [0.7, 'sell', 2.5],
      [0.3, 'buy', 2.5],
      [0.3, 'sell', 2.5],
    ])
  })

  test('of one transaction each have a distinct id, stable across reads', async () => {
    const twins = [row(0, { txHash: '0xa', price: 0.4 }), row(0, { txHash: '0xa' }), row(0, { txHash: '0xa' })]
    const idsOf = async (rows: unknown[]) =>
      (await data.fetchTrades(one(rows), ref('yes'), { limit: 10 })).map(({ id }) => id)
    const ids = await idsOf(twins)
    expect(new Set(ids).size).toBe(3)
    expect((await idsOf([row(9, { txHash: '0xb' }), ...twins])).slice(1)).toEqual(ids)
  })

  test('with an unknown token, no time or no size are skipped; if all are, it is a fault', async () => {
    const bad = [row(1, { tokenId: '5' }), row(2, { createdAt: 'then' }), row(3, { matchedSize: '1.5' })]
    expect(await data.fetchTrades(one([row(0), ...bad]), ref('yes'), { limit: 10 })).toHaveLength(1)
    await expect(data.fetchTrades(one(bad), ref('yes'), { limit: 10 })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  test('are read page by page until the limit or the start of the range is reached', async () => {
    const { context, requests } = venueOf({
      [path]: (query) => ({ events: [row(Number(query!.page) * 2), row(Number(query!.page) * 2 + 1)], totalPages: 8 }),
    })
    const trades = await data.fetchTrades(context, ref('yes'), { limit: 3 })
    expect(trades.map(({ id }) => id.split(':')[0])).toEqual(['0x2', '0x3', '0x4'])
    expect(requests).toHaveLength(2)
    await data.fetchTrades(context, ref('yes'), { limit: 100, startMs: Date.parse('2026-06-12T17:43:54.500Z') })
    expect(requests).toHaveLength(4)
  })

  test('are read without a catalog row: the market read maps tokens to outcomes', async () => {
    const { context, requests } = venueOf({
      [path]: () => ({ events: [row(0)], totalPages: 1 }),
      [`/markets/${slug}`]: () => clob,
    })
    expect(await data.fetchTrades(context, ref('yes', {}), { limit: 500 })).toHaveLength(1)
    expect(requests).toEqual([`/markets/${slug}`, `${path}?page=1&limit=100`])
  })

  test('of a pool are not supported', async () => {
    const { context, requests } = venueOf({})
    const fetching = data.fetchTrades(context, { ...ref('yes'), outcomeId: `${address}:yes` }, { limit: 1 })
    await expect(fetching).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    expect(requests).toEqual([])
  })
})

describe('a single market', () => {
  test('of a group has no event, because the numeric group id does not identify the group', async () => {
    const { context } = venueOf({ [`/markets/${slug}`]: () => ({ ...clob, groupId: 7 }) })
    expect(await data.fetchMarket(context, slug)).toMatchObject({ market: { eventId: null }, event: null })
  })

  test('with an unreadable group id also has no event', async () => {
    const { context } = venueOf({ [`/markets/${slug}`]: () => ({ ...clob, groupId: { value: 1 } }) })
    const found = await data.fetchMarket(context, slug)
    expect(found).toMatchObject({ market: { marketId: slug, eventId: null }, event: null })
    expect(found!.market.sourceMetadata.groupId).toBeUndefined()
  })

  test.each([undefined, null, 5, 'odd'])('with the type %s is a group if it has markets', async (marketType) => {
    const group = { ...clob, slug: 'all', marketType, tokens: null, tradeType: 'group', markets: [clob] }
    const { context } = venueOf({ '/markets/all': () => group })
    expect(await data.fetchMarket(context, 'all')).toBeNull()
    expect(await data.fetchEvent(context, 'all')).toMatchObject({ id: 'all', markets: [{ marketId: slug }] })
  })

  test('is null for a group of that name, and a fault for another market', async () => {
    const group = { ...clob, marketType: 'group', tokens: null, markets: [] }
    expect(await data.fetchMarket(venueOf({ [`/markets/${slug}`]: () => group }).context, slug)).toBeNull()
    expect(await data.fetchEvent(venueOf({ [`/markets/${slug}`]: () => group }).context, slug)).toMatchObject({
      markets: [],
    })
    const other = venueOf({ [`/markets/${slug}`]: () => ({ ...clob, slug: 'other' }) })
    await expect(data.fetchMarket(other.context, slug)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

test('a walk continues after a short page while the venue reports more', async () => {
  const page = (slugs: string[]) => ({ data: slugs.map((name) => ({ ...clob, slug: name })), totalMarketsCount: 60 })
  const pages = [page(['a', 'b']), page(['c', '/']), page(['d'])]
  const { context, requests } = venueOf({ '/markets/active': (query) => pages[Number(query!.page) - 1] })
  const found: string[] = []
  for await (const { events } of data.walkCatalog(context, { updatedSinceMs: null }))
    found.push(...events.map(({ id }) => id))
  expect(found).toEqual(['a', 'b', 'c', 'd'])
  expect(requests).toHaveLength(3)
})
