// Books and trades: recorded ones are parsed exactly, everything else is rejected.

import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { seed } from '#test/support/seed'
import { hyperliquid } from '#venues/hyperliquid/index'
import { type Answers, fixture, type InfoServer, serveInfo } from './support.ts'

const { fetchOrderBook, fetchTrades } = hyperliquid.data
const recorded = fixture('l2_book.json') as { levels: [unknown[], unknown[]] }
const coin = '#1720'

let server: InfoServer
afterEach(() => server.close())
const serve = async (answers: Answers): Promise<void> => {
  server = await serveInfo(answers)
}
const refused = { code: 'NETWORK_ERROR', exchange: 'hyperliquid' }

describe('a book', () => {
  it('is parsed as recorded, level by level, with the venue’s time', async () => {
    await serve({ l2Book: recorded })
    expect(await fetchOrderBook(server.context, coin)).toEqual({
      bookId: coin,
      bids: [],
      asks: [
        [120, 997],
        [900, 12_852],
        [2_920, 16_228],
        [11_000, 715],
        [999_970, 100_000],
        [999_990, 2_000_000],
      ],
      eventTs: 1_783_249_884_567,
      recvTs: server.context.clock.now(),
      lastTradeMicros: null,
      isNegRisk: null,
      tickMicros: 10,
    })
    expect(server.requests).toEqual([{ type: 'l2Book', coin }])
  })

  it('is exact for any prices', async () => {
    await serve({})
    const level = fc.record({ steps: fc.integer({ min: 1, max: 99_999 }), tenths: fc.integer({ min: 1, max: 1e9 }) })
    const text = ({ steps, tenths }: { steps: number; tenths: number }) => ({
      px: `0.${String(steps).padStart(5, '0')}`.replace(/0+$/, ''),
      sz: (tenths / 10).toFixed(1),
      n: 1,
    })
    const side = fc.array(level, { maxLength: 20 })
    const property = fc.asyncProperty(side, side, async (bids, asks) => {
      server.answers.l2Book = { coin, time: 5, levels: [bids.map(text), asks.map(text)] }
      const book = await fetchOrderBook(server.context, coin)
      const expected = (rows: typeof bids) => rows.map(({ steps, tenths }) => [steps * 10, tenths / 10])
      expect(book).toMatchObject({ bids: expected(bids), asks: expected(asks), eventTs: 5 })
    })
    await fc.assert(property, { seed, numRuns: 60 })
  })

  it('without orders is empty; without a coin it is null', async () => {
    await serve({ l2Book: { coin, time: 1, levels: [[], []] } })
    expect(await fetchOrderBook(server.context, coin)).toMatchObject({ bids: [], asks: [], eventTs: 1 })
    server.answers.l2Book = null
    expect(await fetchOrderBook(server.context, coin)).toBeNull()
  })

  it('of something that is no outcome is null, but the venue is still requested as a connectivity probe', async () => {
    await serve({ l2Book: { coin: '0', time: 1, levels: [[{ px: '0.5', sz: '1', n: 1 }], []] } })
    expect(await fetchOrderBook(server.context, '0')).toBeNull()
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['another coin', { ...recorded, coin: '#1721' }],
    ['a price of one', withLevel('1.0', '5')],
    ['a price of zero', withLevel('0', '5')],
    ['a price above one', withLevel('64437.0', '5')],
    ['a price that is not a decimal', withLevel('1e-3', '5')],
    ['a price finer than a millionth', withLevel('0.1234567', '5')],
    ['a negative size', withLevel('0.5', '-5')],
    ['a size that is not a number', withLevel('0.5', 'NaN')],
    ['a level without a size', { ...recorded, levels: [[{ px: '0.5' }], []] }],
    ['one side', { ...recorded, levels: [[]] }],
    ['no time', { ...recorded, time: undefined }],
    ['a text', 'Failed'],
  ])('with %s is rejected as a whole', async (_, answer) => {
    await serve({ l2Book: answer })
    await expect(fetchOrderBook(server.context, coin)).rejects.toMatchObject(refused)
  })

  it.each([404, 422, 429, 503])('fails when the venue answers %s', async (status) => {
    await serve({ l2Book: { status } })
    await expect(fetchOrderBook(server.context, coin)).rejects.toMatchObject(refused)
    // Reads are retried only where that can help, and a limited number of times.
    expect(server.requests).toHaveLength(status === 503 ? 3 : 1)
  })

  it('a pending read ends when the caller aborts', async () => {
    let markArrived: () => void = () => undefined
    const arrived = new Promise<void>((done) => {
      markArrived = done
    })
    await serve({
      l2Book: () => {
        markArrived()
        return new Promise(() => undefined)
      },
    })
    const read = fetchOrderBook(server.context, coin)
    await arrived
    server.abort()
    await expect(read).rejects.toMatchObject(refused)
  })
})

function withLevel(px: string, sz: string): unknown {
  return { ...recorded, levels: [[{ px: '0.4', sz: '1', n: 1 }], [{ px, sz, n: 1 }]] }
}

describe('trades', () => {
  const recordedTrades = fixture('recent_trades.json') as Record<string, unknown>[]
  const outcome = { outcomeId: coin, marketId: '172', eventId: null, metadata: {} }

  it('are parsed as recorded, with the taker’s side', async () => {
    await serve({ recentTrades: recordedTrades })
    expect(await fetchTrades(server.context, outcome, { limit: 10 })).toEqual([
      {
        id: '561715813668267',
        timestamp: 1_783_054_567_825,
        price: 0.00012,
        amount: 84_166,
        side: 'sell',
        outcomeId: coin,
      },
      {
        id: '1088712012385077',
        timestamp: 1_783_054_567_825,
        price: 0.00014,
        amount: 70_385,
        side: 'sell',
        outcomeId: coin,
      },
    ])
    expect(server.requests).toEqual([{ type: 'recentTrades', coin }])
  })

  it('are newest first, within the range and limit; unreadable rows are skipped', async () => {
    const at = (time: number, more: object = {}) => ({ ...recordedTrades[0], time, tid: time, side: 'B', ...more })
    await serve({
      recentTrades: [
        at(1),
        at(4),
        at(3),
        at(2, { side: '?' }),
        at(3, { px: 'x' }),
        at(3, { coin: '#1721' }),
        { side: 'B' },
      ],
    })
    const times = async (query: { startMs?: number; endMs?: number; limit: number }) =>
      (await fetchTrades(server.context, outcome, query)).map(({ timestamp, side }) => [timestamp, side])
    expect(await times({ limit: 9 })).toEqual([
      [4, 'buy'],
      [3, 'buy'],
      [2, 'unknown'],
      [1, 'buy'],
    ])
    expect(await times({ startMs: 2, endMs: 3, limit: 1 })).toEqual([[3, 'buy']])
  })

  it('are empty for a coin unknown to the venue', async () => {
    await serve({ recentTrades: null })
    expect(await fetchTrades(server.context, outcome, { limit: 10 })).toEqual([])
    expect(await fetchTrades(server.context, { ...outcome, outcomeId: 'BTC' }, { limit: 10 })).toEqual([])
    expect(server.requests).toHaveLength(1)
  })
})
