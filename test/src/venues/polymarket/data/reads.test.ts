import { afterEach, describe, expect, it } from 'vitest'
import { answeringVenue } from '#test/support/answeringVenue'
import { bookRef } from '#venues/polymarket/data/bookRef'
import { booksPerRequest } from '#venues/polymarket/data/endpoints'
import { candlesOf } from '#venues/polymarket/data/normalizeTape'
import { fetchCandles, fetchOrderBook, fetchOrderBooks, fetchTrades } from '#venues/polymarket/data/reads'
import type { OutcomeRef, VenueContext } from '#venues/venue'
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
  it('token ids have books of their own; other ids have none', () => {
    expect(bookRef(tokenA)).toEqual({ bookId: tokenA, complement: false })
    for (const id of ['', 'KXBTC-26', '0x12', '9'.repeat(79), '12 ']) expect(bookRef(id)).toBeNull()
  })

  it('reads prices in micros, an empty last trade as unknown, and 404 as no book', async () => {
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

  it('asks for many in chunks, and what the venue leaves out is absent', async () => {
    const ids = Array.from({ length: booksPerRequest + 5 }, (_, n) => String(10_000 + n))
    const context = await serve(({ body }) =>
      (body as { token_id: string }[])
        .filter(({ token_id }) => token_id !== '10003')
        .map(({ token_id }) => book(token_id)),
    )
    const books = await fetchOrderBooks(context, [...ids, ids[0] as string])
    expect(books.size).toBe(ids.length - 1)
    expect(books.has('10003')).toBe(false)
    expect(server?.asked.map(({ body }) => (body as unknown[]).length)).toEqual([booksPerRequest, 5])
  })

  it('a level that is no price fails loudly', async () => {
    const context = await serve(() => ({ ...book(tokenA), bids: [{ price: '1.2', size: '3' }] }))
    await expect(fetchOrderBook(context, tokenA)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('trades', () => {
  const row = (asset: string, timestamp: number, more: object = {}) => ({
    asset,
    conditionId: '0xc',
    side: 'BUY',
    price: 0.5,
    size: 10,
    timestamp,
    transactionHash: '0xt',
    proxyWallet: '0xw',
    ...more,
  })

  it('keeps the token’s own rows, newest first, and numbers fills of one transaction independently of the venue’s order', async () => {
    const rows = [
      row(tokenA, 100, { price: 0.6 }),
      row(tokenB, 100),
      row(tokenA, 100, { price: 0.5, side: 'SELL' }),
      row(tokenA, 200, { transactionHash: '0xu', side: 'MERGE' }),
    ]
    const ids = async (listed: unknown[]) => {
      const trades = await fetchTrades(await serve(() => listed), outcome(), { limit: 10 })
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

  it('a trade made while the list is read page by page moves rows to the next page, and makes no second trade of them', async () => {
    const listed = Array.from({ length: 700 }, (_, n) => row(tokenA, 1_000 - n, { transactionHash: `0x${n}` }))
    const context = await serve(({ query }) => {
      const offset = Number(query.get('offset'))
      const page = listed.slice(offset, offset + 500)
      listed.unshift(row(tokenA, 2_000, { transactionHash: `0xnew${offset}` }))
      return page
    })
    const trades = await fetchTrades(context, outcome(), { limit: 700 })
    expect(trades.map(({ id }) => id)).toEqual(Array.from({ length: 700 }, (_, n) => `0x${n}`))
  })

  it('pages while the other token fills the pages, stops at the venue’s furthest offset, and passes times in seconds', async () => {
    const context = await serve(() => Array.from({ length: 500 }, (_, n) => row(tokenB, 1_000 - n)))
    expect(await fetchTrades(context, outcome(), { limit: 5, startMs: 1_000, endMs: 2_500 })).toEqual([])
    expect(
      server?.asked.map(({ query }) => [
        query.get('offset'),
        query.get('start'),
        query.get('end'),
        query.get('takerOnly'),
      ]),
    ).toEqual([
      ['0', '1', '3', 'true'],
      ['500', '1', '3', 'true'],
      ['1000', '1', '3', 'true'],
    ])
  })

  it('keeps the pages it has read when the venue refuses a far offset, and skips a row that cannot be read', async () => {
    const listed = Array.from({ length: 1_500 }, (_, n) => row(tokenA, 9_000 - n, { transactionHash: `0x${n}` }))
    listed[7] = row(tokenA, 8_993, { size: '1' as never })
    const venue = answeringVenue('polymarket', ['DATA'])
    venue.answer = ({ query }) => {
      const offset = Number(query.offset)
      if (offset >= 1_000) return { status: 400, body: { error: 'max offset exceeded' } }
      return { body: listed.slice(offset, offset + 500) }
    }
    expect(await fetchTrades(venue.context, outcome(), { limit: 5_000 })).toHaveLength(999)
  })

  it('without a condition id in the catalog it asks the venue for it; an unknown token has no trades', async () => {
    const context = await serve(({ path }) =>
      path === `/clob/markets-by-token/${tokenA}`
        ? { condition_id: '0xd' }
        : path === '/data/trades'
          ? [row(tokenA, 5)]
          : undefined,
    )
    expect(await fetchTrades(context, outcome({}), { limit: 5 })).toHaveLength(1)
    expect(server?.asked.at(-1)?.query.get('market')).toBe('0xd')
    expect(await fetchTrades(context, { ...outcome({}), outcomeId: tokenB }, { limit: 5 })).toEqual([])
  })
})

describe('candles', () => {
  const minute = 60_000

  it('are made of the samples in each bucket: first opens, last closes, none invented, no volume', () => {
    const points = [
      [60, 0.2],
      [70, 0.5],
      [119, 0.3],
      [240, 0.9],
      [65, 0.1],
    ].map(([t, p]) => ({ t: t as number, p: p as number }))
    expect(candlesOf(points, minute)).toEqual([
      { timestamp: 60_000, open: 0.2, high: 0.5, low: 0.1, close: 0.3, volume: null },
      { timestamp: 240_000, open: 0.9, high: 0.9, low: 0.9, close: 0.9, volume: null },
    ])
  })

  it('ask by token, in seconds and minutes; a long span reads the whole history and cuts it', async () => {
    const points = [
      { t: 1_790_000_000 - 120, p: 0.4 },
      { t: 1_600_000_000, p: 0.1 },
    ]
    const context = await serve(({ query }) => ({
      history: points.filter(({ t }) => t >= Number(query.get('startTs') ?? 0)),
    }))
    const nowMs = context.clock.now()
    expect(await fetchCandles(context, outcome(), { resolutionMs: minute, limit: 1 })).toMatchObject([{ open: 0.4 }])
    expect(await fetchCandles(context, outcome(), { resolutionMs: 24 * 60 * minute, limit: 100 })).toHaveLength(2)
    const asked = server?.asked.map(({ query }) => Object.fromEntries(query)) ?? []
    const [near, far] = [asked[0], asked.at(-1)]
    expect(near).toMatchObject({ market: tokenA, endTs: String(nowMs / 1000), fidelity: '1' })
    expect(far).toEqual({ market: tokenA, interval: 'max', fidelity: '120' })
  })
})
