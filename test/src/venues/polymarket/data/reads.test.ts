import { afterEach, describe, expect, it } from 'vitest'
import type { ManualClock } from '#core/clock'
import { answeringVenue } from '#test/support/answeringVenue'
import { booksPerRequest, tradesPagesMax } from '#venues/polymarket/data/endpoints'
import { fetchCandles, fetchOrderBook, fetchOrderBooks, fetchTrades } from '#venues/polymarket/data/reads'
import { candlesOf } from '#venues/polymarket/data/tape'
import { bookRef } from '#venues/polymarket/ids'
import type { OutcomeRef } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { tokenA, tokenB } from '../support.ts'
import { type Answer, serveVenue, type VenueServer } from '../venueServer.ts'

let server: VenueServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})
const serve = async (answer: Answer): Promise<VenueContext> => {
  server = await serveVenue(answer)
  return server.context
}

const book = (asset_id: string) => ({
  market: '0x1',
  asset_id,
  timestamp: '1784958701198',
  hash: 'h',
  bids: [
    { price: '.48', size: '30' },
    { price: '0.49', size: '20' },
  ],
  asks: [{ price: '0.52', size: '25.5' }],
  min_order_size: '5',
  tick_size: '0.001',
  neg_risk: true,
  last_trade_price: '',
})
const outcome = (metadata: Record<string, unknown> = { conditionId: '0xc' }): OutcomeRef => ({
  outcomeId: tokenA,
  marketId: '1',
  eventId: null,
  metadata,
})

describe('books over REST', () => {
  it('every token id has its own book; other ids have none', () => {
    expect(bookRef(tokenA)).toEqual({ bookId: tokenA, complement: false })
    for (const id of ['', 'KXBTC-26', '0x12', '9'.repeat(79), '12 ']) expect(bookRef(id)).toBeNull()
  })

  it('reads prices in micros, an empty last trade as unknown, and 404 as null', async () => {
    const context = await serve(({ query }) => (query.get('token_id') === tokenA ? book(tokenA) : undefined))
    expect(await fetchOrderBook(context, tokenA)).toEqual({
      bookId: tokenA,
      bids: [
        [480_000, 30],
        [490_000, 20],
      ],
      asks: [[520_000, 25.5]],
      eventTs: 1_784_958_701_198,
      recvTs: context.clock.now(),
      lastTradeMicros: null,
      isNegRisk: true,
      tickMicros: 1_000,
    })
    expect(await fetchOrderBook(context, tokenB)).toBeNull()
    expect(await fetchOrderBook(context, 'not-a-token')).toBeNull()
  })

  it('requests many in chunks; books that the venue leaves out are absent', async () => {
    const ids = Array.from({ length: booksPerRequest + 5 }, (_, n) => String(10_000 + n))
    const context = await serve(({ body }) =>
      (body as { token_id: string }[])
        .filter(({ token_id }) => token_id !== '10003')
        .map(({ token_id }) => book(token_id)),
    )
    const books = await fetchOrderBooks(context, [...ids, ids[0] as string])
    expect(books.size).toBe(ids.length - 1)
    expect(books.has('10003')).toBe(false)
    expect(server?.requests.map(({ body }) => (body as unknown[]).length)).toEqual([booksPerRequest, 5])
  })

  it('an invalid level is a fault', async () => {
    const context = await serve(() => ({ ...book(tokenA), bids: [{ price: '1.2', size: '3' }] }))
    await expect(fetchOrderBook(context, tokenA)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('trades', () => {
  const row = (token_id: string, timestamp: number, more: object = {}) => ({
    token_id,
    condition_id: '0xc',
    side: 'BUY',
    price: 0.5,
    size: 10,
    timestamp,
    transaction_hash: '0xt',
    proxy_wallet: '0xw',
    ...more,
  })
  const page = (data: unknown[], next_cursor: string | null = null) => ({
    data,
    pagination: { limit: data.length, offset: 0, has_more: next_cursor !== null, next_cursor },
  })
  /** Pages of `size`, whatever the requested limit: a short page is not the last one. */
  const paged = (listed: readonly unknown[], size: number, cursor: string | null) => {
    const from = Number(cursor ?? 0)
    return page(listed.slice(from, from + size), from + size < listed.length ? String(from + size) : null)
  }

  it('keeps only the token’s rows, newest first, and numbers fills of one transaction independently of the venue’s order', async () => {
    const rows = [
      row(tokenA, 100, { price: 0.6 }),
      row(tokenB, 100),
      row(tokenA, 100, { price: 0.5, side: 'SELL' }),
      row(tokenA, 200, { transaction_hash: '0xu', side: 'MERGE' }),
    ]
    const ids = async (listed: unknown[]) => {
      const trades = await fetchTrades(await serve(() => page(listed)), outcome(), { limit: 10 })
      await server?.close()
      server = null
      return trades.map(({ id, price, side, timestamp }) => [id, price, side, timestamp])
    }
    const expected = [
      ['0xu', 0.5, 'unknown', 200_000],
      ['0xt:1', 0.6, 'buy', 100_000],
      ['0xt', 0.5, 'sell', 100_000],
    ]
    expect(await ids(rows)).toEqual(expected)
    expect(new Set(await ids(rows.toReversed()))).toEqual(new Set(expected))
  })

  it('reads the recorded page of version 2, with figures as numbers or as text', async () => {
    const recorded = {
      ...row(tokenA, 1_791_241_834, { size: 10, price: 0.95, transaction_hash: `0x${'1'.repeat(64)}` }),
      ...{ title: 't', slug: 's', icon: '', event_slug: 'e', outcome: 'Up', outcome_index: 0, name: '', bio: '' },
    }
    for (const each of [recorded, { ...recorded, size: '10', price: '0.95' }]) {
      const context = await serve(() => page([each]))
      expect(await fetchTrades(context, outcome(), { limit: 5 })).toMatchObject([
        { id: `0x${'1'.repeat(64)}`, timestamp: 1_791_241_834_000, price: 0.95, amount: 10, side: 'buy' },
      ])
      await server?.close()
      server = null
    }
  })

  it('follows the cursors with the same filters over short pages until the limit is reached', async () => {
    const listed = Array.from({ length: 20 }, (_, n) => row(tokenA, 1_000 - n, { transaction_hash: `0x${n}` }))
    const context = await serve(({ query }) => paged(listed, 3, query.get('cursor')))
    const trades = await fetchTrades(context, outcome(), { limit: 5 })
    expect(trades.map(({ id }) => id)).toEqual(['0x0', '0x1', '0x2', '0x3', '0x4'])
    const filters = { condition: '0xc', taker_only: 'true', limit: '100' }
    expect(server?.requests.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      ['/data/v2/trades', filters],
      ['/data/v2/trades', { ...filters, cursor: '3' }],
    ])
  })

  it('a row repeated on the next page gives no second trade', async () => {
    const listed = Array.from({ length: 6 }, (_, n) => row(tokenA, 1_000 - n, { transaction_hash: `0x${n}` }))
    const context = await serve(({ query }) => {
      const from = Number(query.get('cursor') ?? 0)
      return page(listed.slice(Math.max(0, from - 1), from + 3), from + 3 < listed.length ? String(from + 3) : null)
    })
    const trades = await fetchTrades(context, outcome(), { limit: 700 })
    expect(trades.map(({ id }) => id)).toEqual(Array.from({ length: 6 }, (_, n) => `0x${n}`))
  })

  it('searches a range page by page, as the venue ignores it with a condition, and stops where the range begins', async () => {
    const listed = Array.from({ length: 40 }, (_, n) => row(tokenA, 1_000 - n, { transaction_hash: `0x${n}` }))
    const context = await serve(({ query }) => paged(listed, 10, query.get('cursor')))
    const range = { limit: 100, startMs: 985_000, endMs: 995_000 }
    const trades = await fetchTrades(context, outcome(), range)
    expect(trades.map(({ timestamp }) => timestamp / 1_000)).toEqual(
      listed.map(({ timestamp }) => timestamp).filter((at) => at >= 985 && at <= 995),
    )
    expect(server?.requests.map(({ query }) => [query.has('start'), query.get('limit')])).toEqual([
      [false, '1000'],
      [false, '1000'],
    ])
  })

  it('reads a bounded number of pages while they only contain the other token', async () => {
    const context = await serve(({ query }) => {
      const from = Number(query.get('cursor') ?? 0)
      return page([row(tokenB, 9_000 - from, { transaction_hash: `0x${from}` })], String(from + 1))
    })
    expect(await fetchTrades(context, outcome(), { limit: 5 })).toEqual([])
    expect(server?.requests).toHaveLength(tradesPagesMax)
  })

  it('keeps the pages read before an error, and skips an unreadable row', async () => {
    const listed = Array.from({ length: 10 }, (_, n) => row(tokenA, 9_000 - n, { transaction_hash: `0x${n}` }))
    listed[7] = row(tokenA, 8_993, { size: 'ten' })
    const venue = answeringVenue('polymarket', ['DATA'])
    venue.answer = ({ query }) =>
      query.cursor === undefined ? { body: page(listed, 'c') } : { status: 400, body: { error: 'invalid cursor' } }
    expect(await fetchTrades(venue.context, outcome(), { limit: 5_000 })).toHaveLength(9)
  })

  it('a 404 for the list is a fault, not a market without trades', async () => {
    const context = await serve(() => undefined)
    await expect(fetchTrades(context, outcome(), { limit: 5 })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    await expect(fetchOrderBooks(context, [tokenA])).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    const hourly = { resolutionMs: 3_600_000, limit: 5 }
    await expect(fetchCandles(context, outcome(), hourly)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  it('requests the condition id if the catalog has none; an unknown token has no trades', async () => {
    const context = await serve(({ path }) =>
      path === `/clob/markets-by-token/${tokenA}`
        ? { condition_id: '0xd' }
        : path === '/data/v2/trades'
          ? page([row(tokenA, 5)])
          : undefined,
    )
    expect(await fetchTrades(context, outcome({}), { limit: 5 })).toHaveLength(1)
    expect(server?.requests.at(-1)?.query.get('condition')).toBe('0xd')
    expect(await fetchTrades(context, { ...outcome({}), outcomeId: tokenB }, { limit: 5 })).toEqual([])
  })
})

describe('candles', () => {
  const minute = 60_000
  const hour = 60 * minute
  const day = 24 * hour
  const points = (...rows: (readonly [number, number])[]) =>
    rows.map(([timestamp, price]) => ({ timestamp, price, resolution_seconds: 300 }))
  const page = (data: unknown[], next_cursor: string | null = null) => ({
    data,
    pagination: { limit: 3, offset: 0, has_more: next_cursor !== null, next_cursor },
  })
  const requestQueries = () => server?.requests.map(({ query }) => Object.fromEntries(query)) ?? []

  it('are made of the samples in each bucket: the first opens, the last closes, none are invented, and volume is null', () => {
    expect(candlesOf(points([60, 0.2], [70, 0.5], [119, 0.3], [240, 0.9], [65, 0.1]), minute)).toEqual([
      { timestamp: 60_000, open: 0.2, high: 0.5, low: 0.1, close: 0.3, volume: null },
      { timestamp: 240_000, open: 0.9, high: 0.9, low: 0.9, close: 0.9, volume: null },
    ])
  })

  it('follow the cursors: two recorded pages make one list', async () => {
    const at = 1_791_238_500
    const pages: Record<string, unknown> = {
      '': page(points([at, 0.505], [at + 300, 0.505], [at + 600, 0.505]), 'c1'),
      c1: page(points([at + 900, 0.505], [at + 1_200, 0.505], [at + 1_500, 0.515])),
    }
    const context = await serve(({ query }) => pages[query.get('cursor') ?? ''])
    const range = { startMs: at * 1_000, endMs: at * 1_000 + 30 * minute, resolutionMs: 15 * minute, limit: 9 }
    ;(context.clock as ManualClock).step(at * 1_000 + hour - context.clock.now())
    expect(await fetchCandles(context, outcome(), range)).toEqual([
      { timestamp: at * 1_000, open: 0.505, high: 0.505, low: 0.505, close: 0.505, volume: null },
      { timestamp: at * 1_000 + 15 * minute, open: 0.505, high: 0.515, low: 0.505, close: 0.515, volume: null },
    ])
    const window = {
      token_id: tokenA,
      start: String(at),
      end: String(at + 2_700),
      bucket_seconds: '60',
      limit: '10000',
    }
    expect(requestQueries()).toEqual([window, { ...window, cursor: 'c1' }])
  })

  it.each([
    ['minutes of today', minute, 60, '60'],
    ['hours of this week', hour, 100, '300'],
    ['six hours of this week', 6 * hour, 20, '1800'],
  ])('%s use the widest samples that still give enough per candle', async (_name, resolutionMs, limit, width) => {
    const context = await serve(() => page([]))
    await fetchCandles(context, outcome(), { resolutionMs, limit })
    expect(requestQueries()[0]).toMatchObject({ bucket_seconds: width })
    const windows = requestQueries().filter(({ interval }) => interval === undefined)
    expect(windows.length).toBeGreaterThan(0)
    for (const { start, end } of windows) expect(Number(end) - Number(start)).toBeLessThanOrEqual(15 * 86_400)
  })

  it('from before the finer samples expired are made of the widest kept samples', async () => {
    const context = await serve(() => page([]))
    const nowMs = context.clock.now()
    const ago = (days: number) => ({ startMs: nowMs - days * day, endMs: nowMs - days * day + day })
    for (const days of [2, 30, 75, 200])
      await fetchCandles(context, outcome(), { resolutionMs: minute, limit: 2_000, ...ago(days) })
    expect(requestQueries().map(({ bucket_seconds }) => bucket_seconds)).toEqual(['60', '300', '1800', '10800'])
  })

  it('of days over a long span read the whole history at once; requests are limited to the life of the market', async () => {
    const context = await serve(() => page(points([1_600_000_000, 0.1])))
    const nowMs = context.clock.now()
    expect(await fetchCandles(context, outcome(), { resolutionMs: day, limit: 3_000 })).toHaveLength(1)
    expect(requestQueries()).toEqual([{ token_id: tokenA, interval: 'max', bucket_seconds: '10800', limit: '10000' }])
    const iso = (ms: number) => new Date(ms).toISOString()
    const ended = outcome({ startDate: iso(nowMs - 200 * day), closedTime: iso(nowMs - 195 * day) })
    server!.requests.length = 0
    await fetchCandles(context, ended, { resolutionMs: hour, limit: 1_000 })
    expect(requestQueries()).toHaveLength(1)
    expect(requestQueries()[0]).toMatchObject({ start: String(Math.floor((nowMs - 201 * day) / hour) * 3_600) })
  })
})
