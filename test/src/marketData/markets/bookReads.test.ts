import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Fault } from '#core/fault'
import { OutcomeLookUps } from '#marketData/catalog/outcomeLoader'
import { OrderBook } from '#schemas/marketData'
import {
  createWorld,
  eventOf,
  keys,
  liveBook,
  longId,
  longNoId,
  marketOf,
  type World,
} from '#test/src/server/http/world'

let world: World
beforeEach(() => {
  world = createWorld()
})
const venue = (slug: 'polymarket' | 'kalshi' = 'polymarket') => world.venues.get(slug)!
const read = (outcomeId: string, exchange = 'polymarket', more = '') =>
  // Not every plan includes archived books.
  world.get(`/api/${exchange}/fetchOrderBook?outcomeId=${outcomeId}${more}`, { key: keys.builder })
const down = () => new Fault('NETWORK_ERROR', 'the venue is down', { exchange: 'polymarket' })

const archived = (timestamp: number): OrderBook => ({
  bids: [{ price: 0.3, size: 1 }],
  asks: [{ price: 0.42, size: 2 }],
  timestamp,
  datetime: new Date(timestamp).toISOString(),
  isNegRisk: null,
  lastTradePrice: 0.31,
  asOf: new Date(timestamp).toISOString(),
  provenance: { source: 'archive' },
  synthetic: false,
  cached: false,
  sourceMetadata: { synthetic: false },
})

describe('a book read', () => {
  it('is served from memory while the book is live, without a venue request', async () => {
    world.cache.apply(liveBook('polymarket', longId, { bids: [[0.41, 5]], asks: [[0.44, 2]] }))
    const { json } = await read(longId)
    expect(OrderBook.parse(json.data)).toEqual({
      bids: [{ price: 0.41, size: 5 }],
      asks: [{ price: 0.44, size: 2 }],
      timestamp: 1_789_999_999_000,
      datetime: '2026-09-21T14:13:19.000Z',
      isNegRisk: true,
      lastTradePrice: 0.43,
      asOf: '2026-09-21T14:13:19.000Z',
      provenance: { source: 'service-live' },
      synthetic: false,
      cached: false,
      sourceMetadata: { synthetic: false },
    })
    expect([json.asOf, json.provenance]).toEqual([json.data.asOf, json.data.provenance])
    expect(venue().requests).toEqual([])
  })

  it('shows every new state of the book, never an older encoded one', async () => {
    for (const size of [1, 2, 3]) {
      world.cache.apply(liveBook('polymarket', longId, { bids: [[0.41, size]], asks: [] }))
      expect((await read(longId)).json.data.bids).toEqual([{ price: 0.41, size }])
    }
  })

  it('uses the receive time when the venue provides none', async () => {
    world.cache.apply(liveBook('polymarket', longId, { bids: [], asks: [] }, { eventTs: null, lastTradeMicros: null }))
    const { data } = (await read(longId)).json
    expect([data.asOf, data.lastTradePrice]).toEqual(['2026-09-21T14:13:19.500Z', null])
  })

  it('never serves a stale book as live', async () => {
    world.cache.apply(
      liveBook('polymarket', longId, { bids: [[0.41, 5]], asks: [] }, { state: 'stale', staleReason: 'gap' }),
    )
    venue().snapshot(longId)
    expect((await read(longId)).json.provenance.source).toBe('venue-rest')
  })

  it('requests the book from the venue when memory has none, sorts it, and has the market watched', async () => {
    venue().snapshot(longId)
    const { json } = await read(longId)
    expect(json.data.bids).toEqual([
      { price: 0.42, size: 10 },
      { price: 0.4, size: 5 },
    ])
    expect(json.data.asks).toEqual([
      { price: 0.44, size: 3 },
      { price: 0.45, size: 7 },
    ])
    expect(json.data.isNegRisk).toBe(false)
    expect(json.provenance.source).toBe('venue-rest')
    expect(world.held).toEqual([`polymarket:${longId}`])
  })

  it('of one cold market by a hundred readers costs one venue request', async () => {
    venue().snapshot(longId)
    let open: () => void = () => undefined
    venue().gate = new Promise((resolve) => {
      open = resolve
    })
    const readers = Array.from({ length: 100 }, () => read(longId))
    open()
    const replies = await Promise.all(readers)
    expect(replies.every((reply) => reply.status === 200)).toBe(true)
    expect(venue().requests).toEqual([`book:${longId}`])
  })

  it('falls back to the tape, with its age, when the venue is down', async () => {
    venue().failure = down()
    world.tape.books.set(`polymarket:${longId}`, [archived(1_700_000_000_000)])
    const { json } = await read(longId)
    expect(json.provenance.source).toBe('archive')
    expect(json.asOf).toBe('2023-11-14T22:13:20.000Z')
    expect(json.data.provenance.source).toBe('archive')
  })

  it('reports the venue’s error when the tape has nothing either', async () => {
    venue().failure = down()
    const { status, json } = await read(longId)
    expect(status).toBe(503)
    expect(json.error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true, exchange: 'polymarket' })
  })

  it('marks books of a synthetic market as synthetic, live, cold and archived', async () => {
    const [id, no] = ['771', '772']
    const pool = marketOf('polymarket', '0xpool', [id, no], { sourceMetadata: { synthetic: true } })
    world.catalog.events.push(eventOf('polymarket', [pool]))
    const isSynthetic = async (outcomeId: string, more = '') => {
      const { data } = (await read(outcomeId, 'polymarket', more)).json
      const [book] = [data].flat() as OrderBook[]
      expect(book!.sourceMetadata.synthetic).toBe(book!.synthetic)
      return [book!.provenance.source, book!.synthetic]
    }
    world.tape.books.set(`polymarket:${id}`, [archived(1_000_000)])
    expect(await isSynthetic(id, '&since=1000000')).toEqual(['archive', true])
    expect(await isSynthetic(id, '&since=1000000&until=2000000')).toEqual(['archive', true])
    expect(await isSynthetic(id)).toEqual(['archive', true])
    venue().snapshot(id)
    world.clock.advance(5_001)
    expect(await isSynthetic(id)).toEqual(['venue-rest', true])
    world.cache.apply(liveBook('polymarket', id, { bids: [[0.41, 5]], asks: [] }))
    expect(await isSynthetic(id)).toEqual(['service-live', true])
    venue().snapshot(longId)
    expect(await isSynthetic(longId)).toEqual(['venue-rest', false])
  })

  it('times out exactly at the deadline when a venue does not respond', async () => {
    venue().gate = new Promise(() => undefined)
    const waiting = read(longId)
    await new Promise(setImmediate)
    world.clock.advance(3_000)
    const { status, json } = await waiting
    expect([status, json.error.code]).toEqual([503, 'NETWORK_ERROR'])
    expect(world.clock.pendingCount).toBe(0)
  })

  it.each([
    ['polymarket', '1234567890'],
    ['polymarket', 'not-a-token'],
    ['kalshi', 'KXNOPE-26'],
    ['kalshi', 'kx nope'],
  ])('of an unknown id on %s (%s) is 404 OUTCOME_NOT_FOUND on every verb that takes one', async (exchange, id) => {
    const reply = await read(encodeURIComponent(id), exchange)
    expect([reply.status, reply.json.error.code, reply.json.error.exchange]).toEqual([
      404,
      'OUTCOME_NOT_FOUND',
      exchange,
    ])
    const candles = await world.get(`/api/${exchange}/fetchOHLCV?outcomeId=${encodeURIComponent(id)}&resolution=1h`)
    expect([candles.status, candles.json.error.code]).toEqual([404, 'OUTCOME_NOT_FOUND'])
  })

  it('of an unknown id is cached briefly, with one venue request', async () => {
    await read('1234567890')
    await read('1234567890')
    expect(venue().requests).toHaveLength(1)
    world.clock.advance(5_001)
    await read('1234567890')
    expect(venue().requests).toHaveLength(2)
  })

  it('does not wait for a hanging catalog: the negative-risk marker is unknown, the book is served', async () => {
    world.cache.apply(liveBook('polymarket', longId, { bids: [[0.41, 5]], asks: [] }))
    world.catalog.findOutcomes = () => new Promise(() => undefined)
    const waiting = read(longId)
    world.clock.advance(250)
    expect((await waiting).json.data.isNegRisk).toBeNull()
    world.catalog.findOutcomes = () => Promise.reject(new Error('down'))
    world.clock.advance(6_000)
    world.cache.apply(liveBook('polymarket', longId, { bids: [[0.42, 5]], asks: [] }))
    expect((await read(longId)).json.data.isNegRisk).toBeNull()
  })

  it('keeps the best levels of each side when a limit is given, live and cold', async () => {
    world.cache.apply(
      liveBook('polymarket', longId, {
        bids: [
          [0.41, 5],
          [0.4, 1],
        ],
        asks: [
          [0.44, 2],
          [0.45, 1],
        ],
      }),
    )
    const live = await read(longId, 'polymarket', '&limit=1')
    expect([live.json.data.bids, live.json.data.asks]).toEqual([[{ price: 0.41, size: 5 }], [{ price: 0.44, size: 2 }]])
    venue('kalshi').snapshot('KXBTC-26')
    const cold = await read('KXBTC-26', 'kalshi', '&limit=1')
    expect([cold.json.data.bids, cold.json.data.asks]).toEqual([
      [{ price: 0.42, size: 10 }],
      [{ price: 0.44, size: 3 }],
    ])
  })

  it('rejects an invalid limit', async () => {
    for (const limit of ['0', '-1', '1.5', 'many']) {
      expect((await read(longId, 'polymarket', `&limit=${limit}`)).json.error.code).toBe('VALIDATION_ERROR')
    }
  })
})

describe('the two sides of a one-book market', () => {
  it('are mirrors, live, cold and archived, to the last decimal', async () => {
    const sides = async () => [
      (await read('KXBTC-26', 'kalshi')).json.data,
      (await read('KXBTC-26-NO', 'kalshi')).json.data,
    ]
    const expectMirror = ([yes, no]: OrderBook[]) => {
      const mirror = (levels: OrderBook['bids']) =>
        levels.map(({ price, size }) => ({ price: Math.round((1 - price) * 1e6) / 1e6, size }))
      expect(no!.bids).toEqual(mirror(yes!.asks))
      expect(no!.asks).toEqual(mirror(yes!.bids))
      expect(no!.lastTradePrice).toBe(Math.round((1 - yes!.lastTradePrice!) * 1e6) / 1e6)
      expect(no!.bids.length).toBeGreaterThan(0)
    }
    world.tape.books.set('kalshi:KXBTC-26', [archived(1_700_000_000_000)])
    expectMirror(await sides())
    venue('kalshi').snapshot('KXBTC-26')
    world.clock.advance(5_001)
    expectMirror(await sides())
    world.cache.apply(
      liveBook('kalshi', 'KXBTC-26', {
        bids: [
          [0.415, 5],
          [0.07, 1],
        ],
        asks: [[0.44, 2]],
      }),
    )
    expectMirror(await sides())
    expect((await read('KXBTC-26-NO', 'kalshi')).json.provenance.source).toBe('service-live')
  })

  it('are selected by the side or the outcome of a market id', async () => {
    world.cache.apply(liveBook('kalshi', 'KXBTC-26', { bids: [[0.3, 5]], asks: [[0.34, 2]] }))
    const no = (await read('KXBTC-26-NO', 'kalshi')).json.data
    for (const more of ['&side=no', '&outcome=no', '&outcome=NO', '&outcome=KXBTC-26-NO']) {
      expect((await read('KXBTC-26', 'kalshi', more)).json.data).toEqual(no)
    }
    expect((await world.post('/api/kalshi/fetchOrderBook', { args: ['KXBTC-26-NO', 'no'] })).json.data).toEqual(no)
    expect((await read('KXBTC-26', 'kalshi', '&outcome=maybe')).json.error.code).toBe('OUTCOME_NOT_FOUND')
    expect((await read('KXNOPE', 'kalshi', '&outcome=no')).json.error.code).toBe('MARKET_NOT_FOUND')
  })
})

describe('archived reads', () => {
  beforeEach(() => {
    world.tape.books.set(`polymarket:${longId}`, [archived(1_000_000), archived(2_000_000), archived(3_000_000)])
  })

  it('return a range as a list, both ends inclusive, with a limit of snapshots', async () => {
    const all = await read(longId, 'polymarket', '&since=1000000&until=3000000')
    expect(all.json.data.map((book: OrderBook) => book.timestamp)).toEqual([1_000_000, 2_000_000, 3_000_000])
    expect(all.json).toMatchObject({ provenance: { source: 'archive' }, asOf: new Date(3_000_000).toISOString() })
    const two = await read(longId, 'polymarket', '&since=1970-01-01T00:16:40Z&until=3000000&limit=2')
    expect(two.json.data).toHaveLength(2)
  })

  it('return the newest book at or before a time', async () => {
    expect((await read(longId, 'polymarket', '&since=2500000')).json.data.timestamp).toBe(2_000_000)
    expect((await read(longId, 'polymarket', '&until=2000000')).json.data.timestamp).toBe(2_000_000)
    expect((await read(longId, 'polymarket', '&since=5')).json.error.code).toBe('SNAPSHOT_NOT_FOUND')
  })

  it('reject a reversed range and invalid times', async () => {
    for (const range of [
      'since=3&until=2',
      'since=yesterday&until=5',
      'since=-1&until=5',
      'since=2026-13-45&until=5',
    ]) {
      expect((await read(longId, 'polymarket', `&${range}`)).json.error.code, range).toBe('VALIDATION_ERROR')
    }
  })

  it('mirror the other side of a one-book market', async () => {
    world.tape.books.set('kalshi:KXBTC-26', [archived(1_000_000)])
    const { json } = await read('KXBTC-26-NO', 'kalshi', '&since=1&until=1000000')
    expect(json.data[0].bids).toEqual([{ price: 0.58, size: 2 }])
  })
})

describe('fetchOrderBooks', () => {
  const request = (ids: string[], exchange = 'polymarket') =>
    world.post(`/api/${exchange}/fetchOrderBooks`, { args: [ids] })

  it('returns every requested key or lists it as failed', async () => {
    world.cache.apply(liveBook('polymarket', longId, { bids: [[0.41, 5]], asks: [] }))
    venue().snapshot('55')
    world.catalog.events.push(eventOf('polymarket', [marketOf('polymarket', '0x66', ['66', '67'])]))
    world.tape.books.set('polymarket:66', [archived(1_000_000)])
    const ids = [longId, '55', '66', '77', 'no such shape']
    const { status, json } = await request(ids)
    expect(status).toBe(200)
    expect(Object.keys(json.data).toSorted()).toEqual(['55', '66', longId].toSorted())
    expect(json.meta.failed).toEqual([
      { outcomeId: '77', code: 'OUTCOME_NOT_FOUND' },
      { outcomeId: 'no such shape', code: 'OUTCOME_NOT_FOUND' },
    ])
    for (const book of Object.values(json.data)) OrderBook.parse(book)
    // The oldest book and the least fresh source determine asOf and provenance of the response.
    expect(json).toMatchObject({ asOf: new Date(1_000_000).toISOString(), provenance: { source: 'archive' } })
    expect(venue().requests).toEqual(['books:3'])
  })

  it('does not wait for an unavailable venue once per id', async () => {
    venue('kalshi').failure = down()
    const ids = Array.from({ length: 100 }, (_, i) => `KX-${i}`)
    const { json } = await request(ids, 'kalshi')
    expect(json.meta.failed).toHaveLength(100)
    expect(json.meta.failed[0].code).toBe('NETWORK_ERROR')
    expect(venue('kalshi').requests.length).toBeLessThanOrEqual(16)
  })

  it('looks up all ids in one catalog statement, and reads the tape only for known ones', async () => {
    const statements: number[] = []
    const { catalog } = world
    const lookUps = new OutcomeLookUps(async (keys) => {
      statements.push(keys.length)
      const rows = await Promise.all(keys.map((key) => known.call(catalog, key.venue, key.outcomeId)))
      return rows.flat().map((row) => ({ ...row, outcomeId: row.outcome.outcomeId }))
    }, world.clock)
    const known = catalog.findOutcomes
    catalog.findOutcomes = (slug, id) => lookUps.find(slug, id)
    const taped: string[] = []
    world.tape.findBook = async (_venue, outcomeId) => {
      taped.push(outcomeId)
      return null
    }
    const ids = [longId, ...Array.from({ length: 99 }, (_, i) => String(1_000 + i))]
    const { json } = await request(ids)
    expect(json.meta.failed).toEqual(ids.map((outcomeId) => ({ outcomeId, code: 'OUTCOME_NOT_FOUND' })))
    expect([statements, taped, venue().requests]).toEqual([[100], [longId], ['books:100']])
    expect((await read('1000')).json.error.code).toBe('OUTCOME_NOT_FOUND')
    expect(taped).toEqual([longId])
  })

  it('reads the tape when the catalog lookup failed', async () => {
    world.catalog.failure = new Error('down')
    world.tape.books.set('polymarket:66', [archived(1_000_000)])
    expect((await request(['66'])).json.provenance.source).toBe('archive')
  })

  it('is not delayed id by id when the tape is slow for many outcomes', async () => {
    const markets = Array.from({ length: 50 }, (_, i) =>
      marketOf('polymarket', `0x${i}`, [String(1_000 + 2 * i), String(1_001 + 2 * i)]),
    )
    world.catalog.events.push(eventOf('polymarket', markets))
    const requested: string[] = []
    world.tape.findBook = async (_venue, outcomeId) => {
      requested.push(outcomeId)
      return new Promise(() => undefined)
    }
    const ids = Array.from({ length: 100 }, (_, i) => String(1_000 + i))
    const reply = request(ids)
    await vi.waitFor(() => expect(requested).toHaveLength(16))
    world.clock.advance(4_000)
    const { status, json } = await reply
    expect([status, json.meta.failed.length, json.meta.failed[0].code]).toEqual([200, 100, 'NETWORK_ERROR'])
    expect(requested).toHaveLength(16)
  })

  it('returns books across venues on the router under the exact requested ids', async () => {
    world.cache.apply(liveBook('polymarket', longId, { bids: [[0.41, 5]], asks: [] }))
    world.cache.apply(liveBook('kalshi', 'KXBTC-26', { bids: [], asks: [] }))
    const ids = [`polymarket:${longId}`, 'KALSHI:KXBTC-26', 'kalshi:KXBTC-26-NO', 'KXBTC-26', 'opinion:1']
    const { json } = await request(ids, 'router')
    expect(Object.keys(json.data)).toEqual(ids.slice(0, 4))
    expect(json.meta.failed).toEqual([{ outcomeId: 'opinion:1', code: 'OUTCOME_NOT_FOUND' }])
  })

  it('rejects an empty list, more than a hundred ids, and numeric ids', async () => {
    for (const args of [[], [[]], [Array.from({ length: 101 }, (_, i) => String(i))], [[12345]], [[longId], 2]]) {
      const reply = await world.post('/api/polymarket/fetchOrderBooks', { args })
      expect([reply.status, reply.json.error.code], JSON.stringify(args).slice(0, 60)).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    }
  })

  it('keeps hostile ids as plain keys', async () => {
    const { json, text } = await request(['"},{"a":1', 'constructor', '__proto__'])
    expect(json.meta.failed.map((failed: { outcomeId: string }) => failed.outcomeId)).toEqual([
      '"},{"a":1',
      'constructor',
      '__proto__',
    ])
    expect(text.startsWith('{"success":true,"data":{},')).toBe(true)
  })
})

it('keeps 77-digit ids unchanged on GET and POST, whatever the digits', async () => {
  const digits = fc.tuple(
    fc.integer({ min: 1, max: 9 }),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 76, maxLength: 76 }),
  )
  await fc.assert(
    fc.asyncProperty(digits, async ([first, rest]) => {
      const id = `${first}${rest.join('')}`
      venue().snapshot(id)
      const get = await world.get(`/api/polymarket/fetchOrderBooks?outcomeIds=${id},1`)
      const post = await world.post('/api/polymarket/fetchOrderBooks', { args: [[id]] })
      expect(Object.keys(get.json.data)).toEqual([id])
      expect(Object.keys(post.json.data)).toEqual([id])
    }),
    { numRuns: 50 },
  )
  const asNumber = await world.call('POST', '/api/polymarket/fetchOrderBook', { body: `{"args":[${longNoId}]}` })
  expect([asNumber.status, asNumber.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  const small = await world.post('/api/polymarket/fetchOrderBook', { args: [12345] })
  // This is how an id with an unencoded `#` arrives: it ends the query.
  const none = await world.get('/api/polymarket/fetchOrderBook?outcomeId=')
  expect(none.json.error.message).toBe('outcomeId: is required')
  expect(small.json.error.message).toContain('never numbers')
})
