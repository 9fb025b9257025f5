// The stream from a client's view: subscriptions, refusals, the end.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import type { Resolution } from '#stream/ports'
import { bookUpdate, seqOf, testCatalog, tradeUpdate } from '../../stream/support.ts'
import { Client, RawSocket, startServer, type TestServer } from './support.ts'

let server: TestServer
afterEach(() => server.stop())

describe('subscriptions', () => {
  it('sends the acknowledgement, then the cached snapshot, then live updates', async () => {
    server = await startServer()
    server.books.set('test:m', bookUpdate('m', 3))
    const client = await Client.open(server.url)
    client.subscribe('m', 'orderbook', 'TEST')
    await client.count(2)
    server.bus.book(bookUpdate('m', 4))
    await client.count(3)
    expect(client.frames.map((frame) => frame.type)).toEqual(['subscribed', 'snapshot', 'update'])
    expect(client.frames.slice(1).map(seqOf)).toEqual([3, 4])
    expect(client.frames[0]).toEqual({
      type: 'subscribed',
      channel: 'orderbook',
      venue: 'test',
      marketId: 'm',
      outcomeId: null,
      catalogMarketId: null,
      nativeId: 'm',
    })
  })

  it('sends trade frames with the fields of the specification, and only after the acknowledgement', async () => {
    server = await startServer()
    const client = await Client.open(server.url)
    server.bus.trade(tradeUpdate('m', 1))
    client.subscribe('m', 'trades')
    await client.count(1)
    server.bus.trade(tradeUpdate('m', 2))
    await client.count(2)
    expect(client.frames[0]).toEqual({
      type: 'subscribed',
      channel: 'trades',
      venue: 'test',
      marketId: 'm',
      outcomeId: null,
      catalogMarketId: null,
      nativeId: 'm',
    })
    expect(client.frames[1]).toEqual({
      type: 'trade',
      venue: 'test',
      marketId: 'm',
      ts: expect.any(Number),
      data: tradeUpdate('m', 2).data,
    })
  })

  it('a repeated subscription is acknowledged twice and delivered once', async () => {
    server = await startServer()
    const client = await Client.open(server.url)
    client.subscribe('m')
    client.subscribe('m')
    await client.count(2)
    server.bus.book(bookUpdate('m', 1))
    await client.count(3)
    client.unsubscribe('m')
    await client.count(4)
    server.bus.book(bookUpdate('m', 2))
    client.unsubscribe('m')
    await client.count(5)
    expect(client.frames.map((frame) => frame.code ?? frame.type)).toEqual([
      'subscribed',
      'subscribed',
      'snapshot',
      'unsubscribed',
      'NOT_SUBSCRIBED',
    ])
    expect(client.frames[4]).toMatchObject({ venue: 'test', marketId: 'm', channel: 'orderbook' })
    expect(server.stream.totals().subscriptions).toBe(0)
  })

  it('refusals name their reason, repeat the fields, create nothing and leave the socket open', async () => {
    server = await startServer({ limitsOf: () => ({ subscriptionsPerConnection: 2, streamConnections: 9 }) })
    const client = await Client.open(server.url)
    const book = { op: 'subscribe', channel: 'orderbook', venue: 'test', marketId: 'm' }
    const trades = { op: 'subscribe', channel: 'trades', venue: 'polymarket', marketId: 'm' }
    const cases: [unknown, Record<string, unknown>][] = [
      ['{', { code: 'BAD_MESSAGE' }],
      ['[]', { code: 'BAD_MESSAGE' }],
      [
        { op: 'fly', channel: 'x' },
        { code: 'BAD_MESSAGE', channel: 'x', message: 'unknown op fly' },
      ],
      [
        { ...book, marketId: 7 },
        { code: 'BAD_MESSAGE', venue: 'test', channel: 'orderbook' },
      ],
      [' '.repeat(17_000), { code: 'BAD_MESSAGE' }],
      [
        { ...book, venue: 'NoVenue' },
        { code: 'EXCHANGE_NOT_AVAILABLE', venue: 'novenue', marketId: 'm' },
      ],
      [
        { ...book, marketId: 'nothing' },
        { code: 'MARKET_NOT_FOUND', marketId: 'nothing' },
      ],
      [
        { ...book, venue: 'booksonly', channel: 'trades' },
        { code: 'NOT_SUPPORTED', channel: 'trades' },
      ],
      [
        { op: 'subscribeAll', channel: 'orderbook', venue: 'test' },
        { code: 'NOT_SUPPORTED', venue: 'test' },
      ],
      [
        { op: 'unsubscribeAll', channel: 'orderbook', venue: 'test' },
        { code: 'NOT_SUBSCRIBED', venue: 'test' },
      ],
      [
        { op: 'subscribeFeedTicker', feed: 'binance', symbol: 'BTC/USD' },
        { code: 'NOT_SUPPORTED', feed: 'binance', symbol: 'BTC/USD' },
      ],
      [{ op: 'unsubscribeFeedTicker', feed: 'binance', symbol: 'BTC/USD' }, { code: 'NOT_SUBSCRIBED' }],
      [
        { op: 'subscribePrice', venue: 'rain', marketId: '1', marketAddress: '0x1' },
        { code: 'NOT_SUPPORTED', channel: 'price', venue: 'rain' },
      ],
      [{ op: 'subscribeArbitrage' }, { code: 'NOT_SUPPORTED', channel: 'arbitrage' }],
      [{ op: 'unsubscribeArbitrage' }, { code: 'NOT_SUBSCRIBED', channel: 'arbitrage' }],
      [{ ...book, filters: { status: 'all' } }, { code: 'BAD_MESSAGE' }],
      [{ ...trades, venue: 'kalshi', filters: {} }, { code: 'BAD_MESSAGE' }],
      [{ ...trades, filters: 'all' }, { code: 'BAD_MESSAGE' }],
      [{ ...trades, filters: ['all'] }, { code: 'BAD_MESSAGE' }],
      [{ ...trades, filters: { status: 'done' } }, { code: 'BAD_MESSAGE' }],
      [{ ...trades, filters: { state: 'all' } }, { code: 'BAD_MESSAGE' }],
      [
        { ...trades, filters: { status: 'pending' } },
        { code: 'NOT_SUPPORTED', venue: 'polymarket', channel: 'trades' },
      ],
      [{ ...trades, filters: { status: 'all' } }, { code: 'NOT_SUPPORTED' }],
    ]
    for (const [op] of cases) client.send(op)
    await client.count(cases.length)
    for (const [i, [, expected]] of cases.entries()) {
      expect(client.frames[i], JSON.stringify(cases[i])).toMatchObject({ type: 'error', ...expected })
    }
    expect(server.stream.totals().subscriptions).toBe(0)
    client.send({ ...trades, filters: { status: 'confirmed' } })
    client.send(book)
    client.send({ ...book, marketId: 'third' })
    await client.count(cases.length + 3)
    expect(client.frames.slice(cases.length).map((frame) => frame.code ?? frame.type)).toEqual([
      'subscribed',
      'subscribed',
      'SUBSCRIPTION_LIMIT',
    ])
    expect(client.frames[cases.length]).not.toHaveProperty('status')
  })

  it('refuses binary messages and keeps the socket open', async () => {
    server = await startServer()
    const client = await Client.open(server.url)
    client.ws.send(Buffer.from('{"op":"unsubscribeArbitrage"}'), { binary: true })
    await client.count(1)
    expect(client.frames[0]).toMatchObject({ code: 'BAD_MESSAGE' })
  })

  it('a venue-wide subscription is acknowledged as orderbook:all and delivers every book', async () => {
    server = await startServer()
    const client = await Client.open(server.url)
    client.send({ op: 'subscribeAll', channel: 'orderbook', venue: 'hose' })
    await client.count(1)
    server.bus.book(bookUpdate('a', 1, { venue: 'hose' }))
    server.bus.book(bookUpdate('b', 2, { venue: 'hose' }))
    await client.count(3)
    client.send({ op: 'unsubscribeAll', channel: 'orderbook', venue: 'hose' })
    await client.count(4)
    expect(client.frames.map((frame) => frame.type)).toEqual(['subscribed', 'snapshot', 'snapshot', 'unsubscribed'])
    expect(client.frames[0]).toEqual({ type: 'subscribed', channel: 'orderbook:all', venue: 'hose' })
    expect(client.frames[3]).toEqual({ type: 'unsubscribed', channel: 'orderbook:all', venue: 'hose' })
    expect(server.stream.totals()).toMatchObject({ subscriptions: 0, topics: 0 })
  })

  it('operations on a market that is being looked up run in order afterwards', async () => {
    const answers: ((resolution: Resolution) => void)[] = []
    const resolve = () => new Promise<Resolution>((answer) => answers.push(answer))
    server = await startServer({ catalog: { ...testCatalog, resolve } })
    server.books.set('test:m', bookUpdate('m', 1))
    const client = await Client.open(server.url)
    client.subscribe('m')
    client.unsubscribe('m')
    client.subscribe('m')
    await vi.waitFor(() => expect(answers).toHaveLength(1))
    answers[0]!({ bookId: 'm', complement: false })
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    answers[1]!('market_not_found')
    await client.count(4)
    expect(client.frames.map((frame) => frame.code ?? frame.type)).toEqual([
      'subscribed',
      'snapshot',
      'unsubscribed',
      'MARKET_NOT_FOUND',
    ])
  })

  it('a socket that closes during a catalog lookup leaves nothing behind; a failed lookup is reported', async () => {
    const answers: { ok: (resolution: Resolution) => void; fail: (error: Error) => void }[] = []
    const resolve = () => new Promise<Resolution>((ok, fail) => answers.push({ ok, fail }))
    server = await startServer({ catalog: { ...testCatalog, resolve } })
    const gone = await Client.open(server.url)
    const stays = await Client.open(server.url)
    gone.subscribe('m')
    await vi.waitFor(() => expect(answers).toHaveLength(1))
    gone.close()
    await vi.waitFor(() => expect(server.stream.totals().sockets).toBe(1))
    answers[0]!.ok({ bookId: 'm', complement: false })
    stays.subscribe('m')
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    answers[1]!.fail(new Error('down'))
    await stays.count(1)
    expect(stays.frames[0]).toMatchObject({ code: 'CATALOG_UNAVAILABLE', marketId: 'm' })
    expect(server.stream.totals()).toMatchObject({ subscriptions: 0, topics: 0 })
    expect(server.stream.demandOf('test')).toEqual([])
  })

  it('a silent book is announced as stale; its next frame is a snapshot', async () => {
    server = await startServer()
    server.books.set('test:m', bookUpdate('m', 1))
    const client = await Client.open(server.url)
    client.subscribe('m')
    await client.count(2)
    server.bus.book(bookUpdate('m', 2, { state: 'stale', staleReason: 'silence' }))
    await client.count(3)
    const late = await Client.open(server.url)
    late.subscribe('m')
    await late.count(2)
    server.bus.book(bookUpdate('m', 3))
    await client.count(4)
    await late.count(3)
    expect(client.frames.map((frame) => frame.type)).toEqual(['subscribed', 'snapshot', 'error', 'snapshot'])
    expect(client.frames[2]).toMatchObject({ code: 'NETWORK_ERROR', message: 'book is stale: silence', marketId: 'm' })
    expect(late.frames.map((frame) => frame.type)).toEqual(['subscribed', 'error', 'snapshot'])
  })
})

describe('the whole stream', () => {
  it('closes every socket with 1001 on stop, without waiting for sockets that do not read', async () => {
    const gatewayClock = new ManualClock()
    server = await startServer({ gatewayClock })
    const clients = await Promise.all(Array.from({ length: 20 }, () => Client.open(server.url)))
    const mute = await new RawSocket(server.gateway.port).upgraded()
    mute.send({ op: 'subscribe', channel: 'orderbook', venue: 'test', marketId: 'm' })
    await vi.waitFor(() => expect(server.stream.totals().subscriptions).toBe(1))
    mute.tcp.pause()
    // Until bytes are queued in the program for it.
    for (let seq = 1; server.stream.totals().bufferedBytes === 0; seq++) {
      server.bus.book(bookUpdate('m', seq, {}, 900))
      await new Promise((resolve) => setImmediate(resolve))
    }
    // The clock does not advance: no deadline had to pass.
    await server.stop()
    for (const client of clients) expect(await client.ended()).toBe(1001)
    mute.tcp.destroy()
  })

  it('1,000 sockets on one market are one upstream subscription; after they leave, none', async () => {
    server = await startServer()
    const clients: Client[] = []
    for (let batch = 0; batch < 10; batch++) {
      clients.push(...(await Promise.all(Array.from({ length: 100 }, () => Client.open(server.url)))))
    }
    for (const client of clients) client.subscribe('m')
    await Promise.all(clients.map((client) => client.count(1)))
    await vi.waitFor(() => expect(server.bus.wanted('test')).toEqual(['m']))
    expect(server.bus.demand.every(({ marketIds }) => marketIds.length <= 1)).toBe(true)
    server.bus.book(bookUpdate('m', 1))
    await Promise.all(clients.map((client) => client.count(2)))
    for (const client of clients) client.close()
    await vi.waitFor(() => expect(server.bus.wanted('test')).toEqual([]), { timeout: 25_000 })
    expect(server.stream.totals()).toMatchObject({
      sockets: 0,
      topics: 0,
      subscriptions: 0,
      produced: 1_000,
      sent: 1_000,
    })
  }, 60_000)

  it('stop sends 1001 to sockets, clears the demand and leaves no timer and no reader behind', async () => {
    const clock = new ManualClock()
    server = await startServer({ clock })
    const client = await Client.open(server.url)
    client.subscribe('m')
    await client.count(1)
    clock.advance(100)
    expect(server.bus.wanted('test')).toEqual(['m'])
    await server.stop()
    await server.stop()
    expect(await client.ended()).toBe(1001)
    expect(server.bus.wanted('test')).toEqual([])
    expect(server.bus.readerCount).toBe(0)
    expect(clock.pendingCount).toBe(0)
    const refused = new Client(server.url)
    expect(await refused.ended()).not.toBe(1000)
  })
})
