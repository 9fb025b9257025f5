import { describe, expect, it } from 'vitest'
import { stream } from '#venues/polymarket/data/stream'
import { normalizeTrades } from '#venues/polymarket/data/tape'
import type { VenueContext } from '#venues/venueContext'
import { bookFrame, changeFrame, frame, levels, market, scanNothing, tokenA, tokenB, watch } from '../support.ts'

const t0 = 1_790_000_000_000
const start = bookFrame(
  tokenA,
  t0,
  [
    ['0.30', '100'],
    ['0.35', '12.5'],
  ],
  [
    ['0.45', '7'],
    ['0.39', '122'],
  ],
)
const change = (ts: number, price: string, size: string, side: 'BUY' | 'SELL', bestBid: string, bestAsk: string) =>
  changeFrame(ts, [{ asset: tokenA, price, size, side, bestBid, bestAsk }])

describe('subscriptions', () => {
  it('start with the market frame, then add and drop assets by operation, without repetition', () => {
    const { session } = watch([])
    expect(session.subscribe([tokenA]).map((text) => JSON.parse(text))).toEqual([
      { type: 'market', assets_ids: [tokenA], custom_feature_enabled: true },
    ])
    expect(session.subscribe([tokenA, tokenB, tokenB]).map((text) => JSON.parse(text))).toEqual([
      { operation: 'subscribe', assets_ids: [tokenB], custom_feature_enabled: true },
    ])
    expect(session.subscribe([tokenA])).toEqual([])
    expect(session.unsubscribe([tokenA, 'never']).map((text) => JSON.parse(text))).toEqual([
      { operation: 'unsubscribe', assets_ids: [tokenA] },
    ])
    expect(session.subscribe([tokenA])).toHaveLength(1)
    expect(session.resync(tokenA)).toBeNull()
  })

  it('connect to the configured address, send PING, and need no credentials', () => {
    const context = { urls: { WS: 'ws://127.0.0.1:9/ws/market' } } as unknown as VenueContext
    expect(stream.connect(context)).toEqual({ url: 'ws://127.0.0.1:9/ws/market', headers: {} })
    expect(stream.heartbeat).toEqual({ everyMs: 10_000, text: 'PING' })
  })

  it('ignore PONG and NO NEW ASSETS, neither as data nor as malformed', () => {
    const seen = watch([tokenA])
    for (const text of ['PONG', 'NO NEW ASSETS', '[]'])
      expect(seen.session.receive(Buffer.from(text), t0 + 1)).toBe(false)
    expect(seen.malformed).toEqual([])
    expect(seen.session.receive(start, t0 + 1)).toBe(true)
  })
})

describe.each([
  ['scanner', undefined],
  ['JSON.parse', scanNothing],
])('books through the %s', (_, read) => {
  it.each([
    [
      'the format of 2024, with a list of changes and no time',
      { changes: [{ price: '0.52', size: '9', side: 'BUY' }] },
    ],
    ['another type', { timestamp: t0 + 1, price: 0.52, size: '9', side: 'BUY' }],
  ])('an unreadable change makes its book stale: %s', (_form, fields) => {
    const seen = watch([tokenA, tokenB], read)
    seen.session.receive(start, t0 + 1)
    const odd = { event_type: 'price_change', asset_id: tokenA, ...fields }
    seen.session.receive(Buffer.from(JSON.stringify(odd)), t0 + 2)
    expect(seen.broken).toEqual([[tokenA, 'unreadable']])
    expect(seen.malformed).toEqual(['price_change of another shape'])
  })

  it('an unreadable message with changes makes every named book stale, and a trade none', () => {
    const seen = watch([tokenA, tokenB], read)
    const rows = [tokenA, tokenB, 'unwatched'].map((asset_id) => ({
      asset_id,
      price: '0.31',
      size: 'many',
      side: 'BUY',
    }))
    const odd = { event_type: 'price_change', timestamp: String(t0), price_changes: rows }
    seen.session.receive(Buffer.from(JSON.stringify(odd)), t0 + 2)
    expect(seen.broken).toEqual([
      [tokenA, 'unreadable'],
      [tokenB, 'unreadable'],
    ])
    const trade = { event_type: 'last_trade_price', asset_id: tokenA, price: 'odd' }
    seen.session.receive(Buffer.from(JSON.stringify(trade)), t0 + 3)
    expect(seen.broken).toHaveLength(2)
  })

  it.each([
    ['changes without an asset', { event_type: 'price_change', market: '0xm', price_changes: null }],
    ['an asset that is a number', { event_type: 'book', market: '0xm', asset_id: 1e76, bids: [], asks: [] }],
    ['half a message', `{"event_type":"price_change","market":"0x${'0'.repeat(64)}","price_chang`],
  ])('%s may concern any book of the socket, so all become stale', (_form, odd) => {
    const seen = watch([tokenA, tokenB], read)
    seen.session.receive(Buffer.from(typeof odd === 'string' ? odd : JSON.stringify(odd)), t0 + 2)
    expect(seen.broken).toEqual([
      [tokenA, 'unreadable'],
      [tokenB, 'unreadable'],
    ])
  })

  it.each([
    ['a short text', 'INVALID OPERATION'],
    ['an event of an unknown type', JSON.stringify({ event_type: 'market_paused', market: `0x${'0'.repeat(64)}` })],
    ['changes of an unwatched asset', JSON.stringify({ event_type: 'book', asset_id: 'another', bids: 7 })],
  ])('%s makes no book stale', (_form, text) => {
    const seen = watch([tokenA, tokenB], read)
    seen.session.receive(Buffer.from(text), t0 + 2)
    expect(seen.broken).toEqual([])
    expect(seen.malformed).toHaveLength(1)
  })

  it('a snapshot in an array, worst level first, becomes a best-first book with its tick', () => {
    const seen = watch([tokenA], read)
    expect(seen.session.receive(Buffer.from(`[${start}]`), t0 + 5)).toBe(true)
    expect(levels(seen.books.get(tokenA))).toEqual({
      bids: [
        [350_000, 12.5],
        [300_000, 100],
      ],
      asks: [
        [390_000, 122],
        [450_000, 7],
      ],
    })
    expect(seen.ticks).toEqual([[tokenA, 10_000]])
    expect(seen.books.get(tokenA)?.eventTs).toBe(t0)
  })

  it('sizes are totals, "0" removes the level', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(start, t0 + 1)
    seen.session.receive(change(t0 + 1, '0.35', '3', 'BUY', '0.35', '0.39'), t0 + 2)
    seen.session.receive(change(t0 + 2, '0.39', '0', 'SELL', '0.35', '0.45'), t0 + 3)
    expect(levels(seen.books.get(tokenA))).toEqual({
      bids: [
        [350_000, 3],
        [300_000, 100],
      ],
      asks: [[450_000, 7]],
    })
    expect(seen.broken).toEqual([])
  })

  it('a change before the first snapshot is not shown, but is applied if it is newer', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(change(t0 + 5, '0.36', '9', 'BUY', '0.36', '0.39'), t0 + 1)
    expect(levels(seen.books.get(tokenA))).toBeNull()
    seen.session.receive(start, t0 + 2)
    expect(levels(seen.books.get(tokenA))?.bids[0]).toEqual([360_000, 9])
  })

  it('a different best price of the venue breaks the book, and nothing of that frame is published', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(start, t0 + 1)
    seen.session.receive(change(t0 + 1, '0.31', '3', 'BUY', '0.36', '0.39'), t0 + 2)
    expect(seen.broken).toEqual([[tokenA, 'best_mismatch']])
    expect(seen.books.get(tokenA)?.state).toBe('stale')
    expect(seen.books.get(tokenA)?.core().toString()).not.toContain('0.31')
  })

  it.each([
    ['0', '0.39', 'BUY', '0.30', '0.35'],
    ['0', '0.39', 'BUY', '0.35', '0.30'],
  ])('the venue writes an empty bid side as %s', (best, ask, side, first, second) => {
    const seen = watch([tokenA], read)
    seen.session.receive(start, t0 + 1)
    const changes = [first, second].map((price) => ({
      asset: tokenA,
      side: side as 'BUY',
      price,
      size: '0',
      bestBid: best,
      bestAsk: ask,
    }))
    seen.session.receive(changeFrame(t0 + 1, changes), t0 + 2)
    expect(seen.broken).toEqual([])
    expect(levels(seen.books.get(tokenA))?.bids).toEqual([])
  })

  it.each(['0', '1', ''])(
    'accepts an empty ask side that the venue writes as %j, but only when ours is empty too',
    (best) => {
      const seen = watch([tokenA], read)
      seen.session.receive(start, t0 + 1)
      const gone = ['0.39', '0.45'].map((price) => ({
        asset: tokenA,
        side: 'SELL' as const,
        price,
        size: '0',
        bestBid: '0.35',
        bestAsk: best,
      }))
      seen.session.receive(changeFrame(t0 + 1, gone), t0 + 2)
      expect(seen.broken).toEqual([])
      seen.session.receive(change(t0 + 2, '0.50', '1', 'SELL', '0.35', best), t0 + 3)
      expect(seen.broken).toEqual([[tokenA, 'best_mismatch']])
    },
  )

  it('one frame for both tokens writes both books, and is not malformed if one is unwatched', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(start, t0 + 1)
    const both = [tokenB, tokenA].map((asset) => ({
      asset,
      side: 'BUY' as const,
      price: '0.34',
      size: '4',
      bestBid: '0.35',
      bestAsk: '0.39',
    }))
    expect(seen.session.receive(changeFrame(t0 + 1, both), t0 + 2)).toBe(true)
    expect(levels(seen.books.get(tokenA))?.bids[1]).toEqual([340_000, 4])
    expect(seen.malformed).toEqual([])
  })

  it('a snapshot older than the book is ignored', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(start, t0 + 1)
    seen.session.receive(change(t0 + 10, '0.36', '9', 'BUY', '0.36', '0.39'), t0 + 2)
    seen.session.receive(bookFrame(tokenA, t0 + 9, [['0.10', '1']], [['0.90', '1']]), t0 + 3)
    expect(levels(seen.books.get(tokenA))?.bids[0]).toEqual([360_000, 9])
    expect(seen.session.counts.olderSnapshots).toBe(1)
  })

  it('a crossed snapshot is rejected and the book becomes stale', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(bookFrame(tokenA, t0, [['0.50', '1']], [['0.50', '1']]), t0 + 1)
    expect(seen.broken).toEqual([[tokenA, 'crossed']])
    expect(levels(seen.books.get(tokenA))).toBeNull()
  })

  it('after a REST snapshot newer changes are applied and older ones are not', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(start, t0 + 1)
    seen.session.receive(change(t0 + 1, '0.31', '3', 'BUY', '0.99', '0.39'), t0 + 2) // breaks
    seen.session.receive(change(t0 + 20, '0.33', '8', 'BUY', '0.35', '0.39'), t0 + 3)
    seen.session.receive(change(t0 + 40, '0.34', '6', 'BUY', '0.35', '0.39'), t0 + 4)
    const book = seen.books.get(tokenA)
    book?.beginSnapshot()
    book?.set(0, 350_000, 50)
    book?.set(1, 390_000, 60)
    book?.set(0, 330_000, 7)
    book?.commit(t0 + 30, t0 + 5)
    seen.session.snapshotWritten(tokenA, 5)
    expect(levels(book)?.bids).toEqual([
      [350_000, 50],
      [340_000, 6],
      [330_000, 7],
    ])
    seen.session.receive(change(t0 + 41, '0.35', '51', 'BUY', '0.35', '0.39'), t0 + 6)
    expect(levels(book)?.bids[0]).toEqual([350_000, 51])
    expect(seen.broken).toHaveLength(1)
  })

  it('a snapshot that the session was not notified of is found with the next frame', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(change(t0 + 40, '0.34', '6', 'BUY', '0.35', '0.39'), t0 + 4)
    const book = seen.books.get(tokenA)
    book?.beginSnapshot()
    book?.set(0, 350_000, 50)
    book?.set(1, 390_000, 60)
    book?.commit(t0 + 30, t0 + 5)
    seen.session.receive(change(t0 + 41, '0.33', '1', 'BUY', '0.35', '0.39'), t0 + 6)
    expect(levels(book)?.bids).toEqual([
      [350_000, 50],
      [340_000, 6],
      [330_000, 1],
    ])
  })

  it('applies the flat format of 2024, which has no best prices to check', () => {
    const seen = watch([tokenA], read)
    seen.session.receive(start, t0 + 1)
    seen.session.receive(
      frame({
        asset_id: tokenA,
        event_type: 'price_change',
        hash: 'x',
        market,
        price: '0.36',
        side: 'BUY',
        size: '2',
        timestamp: String(t0 + 1),
      }),
      2,
    )
    expect(levels(seen.books.get(tokenA))?.bids[0]).toEqual([360_000, 2])
  })
})

describe('other events', () => {
  const trade = {
    market,
    asset_id: tokenA,
    price: '0.49',
    size: '5',
    fee_rate_bps: '0',
    side: 'BUY',
    timestamp: String(t0),
    event_type: 'last_trade_price',
    transaction_hash: `0x${'ab'.repeat(32)}`,
  }

  it('a trade whose transaction hash is invalid loses only the hash', () => {
    const seen = watch([tokenA])
    seen.session.receive(frame({ ...trade, transaction_hash: { of: 'another kind' } }), t0 + 7)
    expect(seen.trades.map(({ data: { price, transactionHash } }) => [price, transactionHash])).toEqual([
      [Number(trade.price), null],
    ])
  })

  it('publishes a trade once, with the taker’s direction and without invented parties', () => {
    const seen = watch([tokenA])
    seen.session.receive(frame(trade), t0 + 7)
    seen.session.receive(frame(trade), t0 + 8)
    expect(seen.trades).toEqual([
      {
        venue: 'polymarket',
        marketId: tokenA,
        outcomeId: tokenA,
        recvTs: t0 + 7,
        data: {
          id: trade.transaction_hash,
          time: new Date(t0).toISOString(),
          timestamp: t0,
          type: 'Buy',
          usd: 2.45,
          outcome: null,
          outcomeIndex: null,
          shares: 5,
          price: 0.49,
          maker: null,
          transactionHash: trade.transaction_hash,
          wallet: null,
          counterparty: null,
        },
      },
    ])
    expect(seen.lastTrades).toEqual([[tokenA, 490_000]])
    expect(seen.session.counts.duplicates).toBe(1)
  })

  it('distinguishes fills of one transaction, with the same ids as in the venue’s list of trades', () => {
    const seen = watch([tokenA])
    const hash = trade.transaction_hash
    seen.session.receive(frame({ ...trade, price: '0.48' }), t0 + 1)
    seen.session.receive(frame({ ...trade, price: '0.49' }), t0 + 2)
    seen.session.receive(frame({ ...trade, price: '0.48' }), t0 + 3)
    expect(seen.trades.map(({ data }) => data.id)).toEqual([hash, `${hash}:1`])
    const rows = [0.49, 0.48].map((price) => ({
      token_id: tokenA,
      condition_id: market,
      side: 'BUY',
      price,
      size: 5,
      timestamp: t0 / 1000,
      transaction_hash: hash,
    }))
    expect(normalizeTrades(rows, tokenA).map(({ id, price }) => [id, price])).toEqual([
      [`${hash}:1`, 0.49],
      [hash, 0.48],
    ])
  })

  it('without a transaction hash two equal trades are two trades; an older one does not become the last', () => {
    const seen = watch([tokenA])
    const { transaction_hash: _, ...bare } = trade
    seen.session.receive(frame(bare), t0 + 1)
    seen.session.receive(frame(bare), t0 + 2)
    seen.session.receive(frame({ ...bare, timestamp: String(t0 - 5), price: '0.40' }), t0 + 3)
    expect(seen.trades.map(({ data }) => data.id)).toEqual([
      `${t0}:0.49:5:Buy`,
      `${t0}:0.49:5:Buy`,
      `${t0 - 5}:0.4:5:Buy`,
    ])
    expect(seen.lastTrades.at(-1)).toEqual([tokenA, 490_000])
  })

  it('publishes a changed tick and a resolved market; a new market is counted but is no sign of life', () => {
    const seen = watch([tokenA])
    seen.session.receive(
      frame({
        event_type: 'tick_size_change',
        market,
        asset_id: tokenA,
        old_tick_size: '0.01',
        new_tick_size: '0.001',
        timestamp: String(t0),
      }),
      1,
    )
    seen.session.receive(
      frame({
        event_type: 'market_resolved',
        id: '1031769',
        market,
        assets_ids: [tokenA],
        winning_asset_id: tokenA,
        winning_outcome: 'Yes',
        timestamp: String(t0),
      }),
      1,
    )
    expect(seen.session.receive(frame({ event_type: 'new_market', id: '5', timestamp: String(t0) }), t0 + 1)).toBe(
      false,
    )
    expect(seen.ticks).toEqual([[tokenA, 1_000]])
    expect(seen.statuses).toEqual([['1031769', 'resolved', t0]])
    expect(seen.session.counts.newMarkets).toBe(1)
  })

  it('best_bid_ask breaks the book only if it disagrees twice without a change in between', () => {
    const best = (ts: number, bid: string) =>
      frame({
        event_type: 'best_bid_ask',
        market,
        asset_id: tokenA,
        best_bid: bid,
        best_ask: '0.39',
        spread: '0.01',
        timestamp: String(ts),
      })
    const seen = watch([tokenA])
    seen.session.receive(start, t0 + 1)
    seen.session.receive(best(t0 + 1, '0.36'), t0 + 2)
    seen.session.receive(change(t0 + 1, '0.36', '1', 'BUY', '0.36', '0.39'), t0 + 3)
    seen.session.receive(best(t0 + 2, '0.37'), t0 + 4)
    seen.session.receive(best(t0 - 9, '0.01'), t0 + 4)
    expect(seen.broken).toEqual([])
    seen.session.receive(best(t0 + 3, '0.37'), t0 + 5)
    expect(seen.broken).toEqual([[tokenA, 'best_mismatch']])
  })

  it('counts a malformed message and applies the others of the array', () => {
    const seen = watch([tokenA, tokenB])
    const bad = frame({
      event_type: 'book',
      asset_id: tokenB,
      timestamp: String(t0 + 1),
      bids: [{ price: '0.30', size: '-1' }],
      asks: [],
    })
    seen.session.receive(Buffer.from(`[${bad},${start},{"event_type":"weather"},7]`), t0 + 1)
    expect(seen.malformed).toEqual(['price or size', 'unknown event_type', 'no object'])
    expect(levels(seen.books.get(tokenA))?.bids).toHaveLength(2)
  })
})
