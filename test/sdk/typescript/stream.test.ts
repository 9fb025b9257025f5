// The client's stream against a server that closes, falls silent, refuses, floods and loses messages; and against the program's own.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { SocketConstructor } from '#sdk/typescript/src/stream/connection'
import { positionKey, totalsKey } from '#sdk/typescript/src/stream/portfolio'
import { Stream, type StreamEvent, type StreamOptions } from '#sdk/typescript/src/stream/stream'
import { startServer } from '#test/src/server/gateway/support'
import { bookUpdate } from '#test/src/stream/support'
import { eventually, type HostileStream, hostileStream, type Turned, turnedClock } from './hostile.ts'

let server: HostileStream
let turned: Turned
let events: StreamEvent[]
let stream: Stream
beforeEach(async () => {
  server = await hostileStream()
  turned = turnedClock()
  events = []
})
afterEach(async () => {
  stream.close()
  await server.stop()
})

const edges = (Socket: unknown = WebSocket, random = () => 0.5) => ({
  ...{ clock: turned.clock, random },
  WebSocket: Socket as SocketConstructor,
})
function open(options: StreamOptions = {}, apiKey = 'k'): Stream {
  const url = `${server.url.replace('http', 'ws')}/v1/stream`
  stream = new Stream(url, apiKey, { onEvent: (event) => events.push(event), ...options }, edges())
  return stream
}

const market = { venue: 'Kalshi', marketId: 'm' } as const
const data = { bids: [], asks: [], timestamp: 1 }
const book = (type: 'snapshot' | 'update', sequence: number, conflated?: number) => ({
  ...{ type, venue: 'kalshi', marketId: 'm', ts: 1, sequence, data },
  ...(conflated !== undefined && { conflated }),
})

/** Reads in the background; the events, in order. */
function collect<Event>(from: AsyncIterable<Event>): { events: Event[]; ended: Promise<unknown> } {
  const got: Event[] = []
  const read = async () => {
    for await (const event of from) got.push(event)
  }
  return { events: got, ended: read().catch((error: unknown) => error) }
}

const live = (subscription: { isLive: boolean }) => eventually(() => expect(subscription.isLive).toBe(true))
const closed = (code: number, downs = 1) => {
  server.close(code)
  return eventually(() => expect(events.filter(({ type }) => type === 'down')).toHaveLength(downs))
}
/** Ends the wait before the next attempt. */
const reconnect = async (ups: number) => {
  const down = events.findLast((event) => event.type === 'down')
  turned.manual.advance(down!.retryInMs)
  await eventually(() => expect(events.filter(({ type }) => type === 'up')).toHaveLength(ups))
}

describe('a socket that ends', () => {
  it('is reopened after a while, with all subscriptions', async () => {
    open()
    const books = stream.subscribeBook({ ...market, depth: 5 })
    const trades = stream.subscribeTrades(market)
    const { events: received } = collect(books)
    await live(books)
    await live(trades)
    server.send(book('snapshot', 1))
    await eventually(() => expect(books.book).not.toBeNull())
    const requestedOps = server.ops.splice(0)
    await closed(1001)
    expect(books.book).toBeNull()
    expect(server.connections).toBe(1)
    await reconnect(2)
    await live(books)
    await live(trades)
    expect(server.ops).toEqual(requestedOps)
    expect(requestedOps).toEqual([
      { op: 'subscribe', channel: 'orderbook', venue: 'kalshi', marketId: 'm', depth: 5 },
      { op: 'subscribe', channel: 'trades', venue: 'kalshi', marketId: 'm' },
    ])
    expect(received.map(({ type }) => type)).toEqual(['subscribed', 'book', 'stale', 'reconnected'])
  })

  it.each<[number, number]>([
    [1001, 375],
    [4008, 375],
    [1013, 1_375],
    [4029, 10_375],
  ])('closed with %i it is reopened after at least %i ms', async (code, waitMs) => {
    open().subscribeTrades(market)
    await eventually(() => expect(stream.isUp).toBe(true))
    await closed(code)
    expect(events.at(-1)).toMatchObject({ type: 'down', retryInMs: waitMs })
    expect(turned.waits.at(-1)).toBe(waitMs)
  })

  it('stays closed when the key is refused, and every reader gets the reason', async () => {
    open({}, 'bad')
    const { ended } = collect(stream.subscribeBook(market))
    expect(await ended).toMatchObject({ name: 'StreamError', code: 'UNAUTHORIZED' })
    expect(() => stream.subscribeBook(market)).toThrow('closed')
    turned.manual.advance(3_600_000)
    expect(server.connections).toBe(1)
    expect(events.at(-1)).toMatchObject({ type: 'closed', error: { code: 'UNAUTHORIZED' } })
  })

  it.each(['never opens', 'fails without closing', 'closes as soon as it is up'])(
    'that %s is retried slowly: in an hour there are few attempts, and never two sockets',
    async (how) => {
      let tries = 0
      let now = 0
      let most = 0
      class Dying {
        onopen: (() => void) | null = null
        onmessage: ((event: { data: string }) => void) | null = null
        onclose: ((event: { code: number }) => void) | null = null
        onerror: (() => void) | null = null
        constructor() {
          tries++
          most = Math.max(most, ++now)
          queueMicrotask(() => {
            if (how === 'fails without closing') return this.onerror?.()
            if (how === 'closes as soon as it is up') {
              this.onopen?.()
              this.onmessage?.({ data: '{"type":"auth","status":"ok"}' })
            }
            this.onclose?.({ code: 1006 })
          })
        }
        send(): void {
          // Nothing listens there.
        }
        close(): void {
          now--
        }
      }
      let seed = 1
      const random = () => {
        seed = (seed * 16_807) % 2_147_483_647
        return seed / 2_147_483_647
      }
      stream = new Stream('ws://nowhere', 'k', {}, edges(Dying, random))
      stream.subscribeArbitrage()
      for (let second = 0; second < 3_600; second++) {
        turned.manual.advance(1_000)
        await Promise.resolve()
      }
      expect(tries).toBeGreaterThan(100)
      expect(tries).toBeLessThan(250)
      expect(most).toBe(1)
    },
  )

  it('is given up after the allowed number of attempts', async () => {
    open({ attemptsMax: 2 })
    const { ended } = collect(stream.subscribeTrades(market))
    await eventually(() => expect(stream.isUp).toBe(true))
    await server.stop()
    for (const downs of [1, 2]) {
      await eventually(() => expect(events.filter(({ type }) => type === 'down')).toHaveLength(downs))
      turned.manual.advance(60_000)
    }
    expect(await ended).toMatchObject({ name: 'ConnectionError' })
  })
})

describe('silence', () => {
  it('is probed, and the socket is kept while probes are answered', async () => {
    open({ silenceMs: 1_000, answerMs: 500 })
    const trades = stream.subscribeTrades(market)
    await live(trades)
    server.ops.length = 0
    for (let id = 1; id <= 3; id++) {
      turned.manual.advance(id === 1 ? 1_000 : 500)
      await eventually(() => expect(server.ops).toHaveLength(id))
      expect(server.ops.at(-1)).toMatchObject({ marketId: 'heartbeat' })
      // The response was sent before it.
      server.send({ type: 'trade', venue: 'kalshi', marketId: 'm', ts: 1, data: { id } })
      await eventually(() => expect(trades.latest?.data.id).toBe(id))
      turned.manual.advance(500)
      expect(stream.isUp).toBe(true)
    }
    expect(events.map(({ type }) => type)).toEqual(['up'])
  })

  it('that persists ends the socket, and another is opened', async () => {
    open({ silenceMs: 1_000, answerMs: 500 })
    await live(stream.subscribeTrades(market))
    server.silent = true
    turned.manual.advance(1_000)
    turned.manual.advance(500)
    expect(events.at(-1)).toMatchObject({ type: 'down', reason: 'silent' })
    server.silent = false
    await reconnect(2)
    await eventually(() => expect(server.sockets.size).toBe(1))
    expect(server.connections).toBe(2)
  })
})

describe('a subscription', () => {
  it('whose message was not read is sent again', async () => {
    open()
    const trades = stream.subscribeTrades(market)
    let unread = 1
    server.refuse = ({ op }) =>
      op === 'subscribe' && unread-- > 0 ? { type: 'error', code: 'RATE_LIMITED', message: 'not read', ts: 1 } : null
    await eventually(() => expect(events).toContainEqual({ type: 'error', code: 'RATE_LIMITED', message: 'not read' }))
    expect(trades.isLive).toBe(false)
    turned.manual.advance(10_000)
    await live(trades)
  })

  it('that is refused for now is sent again later; refused for good, it ends with the reason', async () => {
    open()
    let code = 'CATALOG_UNAVAILABLE'
    server.refuse = ({ op, ...named }) =>
      op === 'subscribe' ? { type: 'error', code, message: 'no', ts: 1, ...named } : null
    const { events: received, ended } = collect(stream.subscribeTrades(market))
    await eventually(() => expect(received).toContainEqual({ type: 'error', code, message: 'no', retryInMs: 375 }))
    code = 'MARKET_NOT_FOUND'
    turned.manual.advance(375)
    expect(await ended).toMatchObject({ name: 'StreamError', code })
    // Its place is free again.
    server.refuse = null
    await live(stream.subscribeTrades(market))
  })

  it('ends with its reader, and can be read once', async () => {
    open()
    const books = stream.subscribeBook(market)
    expect(() => stream.subscribeBook(market)).toThrow('already subscribed')
    await live(books)
    for await (const { type } of books) {
      expect(type).toBe('subscribed')
      break
    }
    await eventually(() => expect(server.ops.at(-1)).toMatchObject({ op: 'unsubscribe', marketId: 'm' }))
    await live(stream.subscribeBook(market))
  })

  it('closes the socket when it was the last one, and opens another for the next', async () => {
    open()
    const [books, trades] = [stream.subscribeBook(market), stream.subscribeTrades(market)]
    await live(books)
    await live(trades)
    books.close()
    turned.manual.advance(1)
    await eventually(() => expect(server.ops.at(-1)).toMatchObject({ op: 'unsubscribe', channel: 'orderbook' }))
    expect([server.sockets.size, stream.isUp]).toEqual([1, true])
    trades.close()
    turned.manual.advance(1)
    await eventually(() => expect(server.sockets.size).toBe(0))
    expect(stream.isUp).toBe(false)
    // Nothing is resumed by itself, and that is no failure.
    turned.manual.advance(3_600_000)
    expect([server.connections, events.filter(({ type }) => type !== 'up')]).toEqual([1, []])
    await live(stream.subscribeBook(market))
    expect(server.connections).toBe(2)
  })

  it('that is refused for good closes the socket as well', async () => {
    open()
    server.refuse = ({ op, ...named }) =>
      op === 'subscribe' ? { type: 'error', code: 'MARKET_NOT_FOUND', message: 'no', ts: 1, ...named } : null
    expect(await collect(stream.subscribeTrades(market)).ended).toMatchObject({ code: 'MARKET_NOT_FOUND' })
    turned.manual.advance(1)
    await eventually(() => expect(server.sockets.size).toBe(0))
  })

  it('keeps the socket for one that follows at once', async () => {
    open()
    const books = stream.subscribeBook(market)
    await live(books)
    books.close()
    await live(stream.subscribeTrades(market))
    turned.manual.advance(1)
    expect([server.connections, server.sockets.size]).toEqual([1, 1])
  })

  it('with a slow reader keeps a bounded number of events, drops the oldest, and reports how many', async () => {
    open({ bufferMax: 3 })
    const trades = stream.subscribeTrades(market)
    await live(trades)
    for (let id = 1; id <= 9; id++) server.send({ type: 'trade', venue: 'kalshi', marketId: 'm', ts: 1, data: { id } })
    await eventually(() => expect(trades.latest?.data.id).toBe(9))
    const reading = trades[Symbol.asyncIterator]()
    const read: unknown[] = []
    for (let i = 0; i < 4; i++) read.push((await reading.next()).value)
    expect(read[0]).toEqual({ type: 'dropped', count: 7 })
    expect(read.slice(1)).toMatchObject([7, 8, 9].map((id) => ({ type: 'trade', data: { id } })))
  })
})

describe('a book', () => {
  it('counts its frames: conflated updates are reported, a missed frame is a gap event, a snapshot restarts the count', async () => {
    open()
    const books = stream.subscribeBook(market)
    const { events: received } = collect(books)
    await live(books)
    for (const frame of [
      book('snapshot', 5),
      book('update', 6),
      book('update', 9, 2),
      book('update', 12),
      book('snapshot', 2),
      book('update', 3),
    ])
      server.send(frame)
    await eventually(() => expect(received).toHaveLength(8))
    expect(
      received
        .slice(1)
        .map((event) => (event.type === 'gap' ? `missed ${event.missed}` : 'sequence' in event && event.sequence)),
    ).toEqual([...[5, 6, 9], 'missed 2', ...[12, 2, 3]])
  })

  it('is null while stale, until a snapshot arrives', async () => {
    open()
    const books = stream.subscribeBook(market)
    const { events: received } = collect(books)
    await live(books)
    server.send(book('snapshot', 1))
    server.send({
      type: 'error',
      code: 'NETWORK_ERROR',
      message: 'book is stale: gap',
      venue: 'kalshi',
      marketId: 'm',
      channel: 'orderbook',
      ts: 1,
    })
    await eventually(() => expect(received.at(-1)).toEqual({ type: 'stale', reason: 'book is stale: gap' }))
    expect(books.book).toBeNull()
    server.send(book('snapshot', 2))
    await eventually(() => expect(books.book).toEqual(data))
  })

  it('of a whole venue is delivered per market', async () => {
    open()
    const all = stream.subscribeVenueBooks({ venue: 'kalshi' })
    const { events: received } = collect(all)
    await live(all)
    server.send(book('snapshot', 1))
    server.send(book('update', 3))
    await eventually(() => expect(received.slice(1).map(({ type }) => type)).toEqual(['book', 'gap', 'book']))
    server.send({
      type: 'error',
      code: 'NETWORK_ERROR',
      message: 'stale',
      venue: 'kalshi',
      marketId: 'm',
      channel: 'orderbook',
      ts: 1,
    })
    await eventually(() => expect(all.book('m')).toBeNull())
    expect(all.isLive).toBe(true)
  })
})

const part = (
  kind: 'snapshot' | 'delta',
  seq: number,
  [i, n]: [number, number],
  rows: string[],
  removes: string[] = [],
) => ({
  type: 'arbitrage',
  ts: 1,
  data: {
    ...{ kind, seq, part: { i, n }, computedAt: 'now' },
    ...(kind === 'snapshot'
      ? { rows: rows.map((clusterId) => ({ clusterId, seq })) }
      : { upserts: rows.map((clusterId) => ({ clusterId, seq })), removes }),
  },
})

describe('the arbitrage surface', () => {
  it('shows complete frames only, and requests a snapshot when a part is missing', async () => {
    open()
    const surface = stream.subscribeArbitrage({ executableOnly: true })
    const { events: received } = collect(surface)
    await live(surface)
    server.send(part('snapshot', 10, [1, 2], ['a', 'b']))
    server.send(part('snapshot', 10, [2, 2], ['c']))
    await eventually(() => expect([...surface.rows.keys()]).toEqual(['a', 'b', 'c']))
    server.send(part('delta', 12, [1, 1], ['d'], ['a']))
    await eventually(() => expect([...surface.rows.keys()]).toEqual(['b', 'c', 'd']))
    server.ops.length = 0
    // The second part of 14 never comes.
    server.send(part('delta', 14, [1, 2], ['e']))
    server.send(part('delta', 16, [1, 1], ['f']))
    await eventually(() => expect(received.at(-1)).toMatchObject({ type: 'gap' }))
    expect(surface.rows.size).toBe(0)
    // Sent before the requested snapshot: it belongs to the old subscription.
    server.send(part('delta', 18, [1, 1], ['g']))
    turned.manual.advance(375)
    await live(surface)
    expect(server.ops).toEqual([{ op: 'unsubscribeArbitrage' }, { op: 'subscribeArbitrage', executableOnly: true }])
    server.send(part('snapshot', 20, [1, 1], ['h']))
    await eventually(() => expect([...surface.rows.keys()]).toEqual(['h']))
    expect(received.map(({ type }) => type)).toEqual(['subscribed', 'rows', 'rows', 'gap', 'reconnected', 'rows'])
  })

  it('starts again on the next socket when one ends in the middle of parts', async () => {
    open()
    const surface = stream.subscribeArbitrage()
    await live(surface)
    server.send(part('snapshot', 10, [1, 2], ['a']))
    await closed(1001)
    await reconnect(2)
    await live(surface)
    server.send(part('snapshot', 4, [1, 1], ['b']))
    await eventually(() => expect([...surface.rows.keys()]).toEqual(['b']))
  })

  it('that never becomes complete is requested again at growing intervals', async () => {
    open({ silenceMs: 1e9 })
    const surface = stream.subscribeArbitrage()
    await live(surface)
    for (let i = 0; i < 8; i++) {
      server.send(part('delta', 10, [1, 1], ['a']))
      await eventually(() => expect(surface.isLive).toBe(false))
      turned.manual.advance(turned.waits.at(-1)!)
      await live(surface)
    }
    const renewals = turned.waits.filter((ms) => ms !== 10_000 && ms !== 1e9)
    expect(renewals).toEqual([375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500])
  })
})

it('own orders are assembled from their parts, and kept while they are open', async () => {
  open()
  const orders = stream.subscribeOrders()
  const { events: received } = collect(orders)
  await live(orders)
  const order = (executionId: string, status: string) => ({ executionId, status })
  const snapshot = (i: number, executions: object[]) => ({
    type: 'orders',
    ts: 1,
    data: { kind: 'snapshot', reason: 'subscribed', executions, conditionals: [], truncated: false, part: { i, n: 2 } },
  })
  server.send(snapshot(1, [order('a', 'acked')]))
  server.send(snapshot(2, [order('b', 'submitted')]))
  await eventually(() => expect([...orders.executions.keys()]).toEqual(['a', 'b']))
  server.send({
    type: 'orders',
    ts: 1,
    data: { kind: 'execution', previousStatus: 'acked', occurredAt: 'now', execution: order('a', 'filled') },
  })
  await eventually(() => expect([...orders.executions.keys()]).toEqual(['b']))
  expect(received.map(({ type }) => type)).toEqual(['subscribed', 'snapshot', 'execution'])
  server.send(snapshot(2, []))
  await eventually(() => expect(received.at(-1)).toMatchObject({ type: 'gap' }))
  turned.manual.advance(375)
  await eventually(() => expect(server.ops.filter(({ op }) => op === 'subscribeOrders')).toHaveLength(2))
})

it('own positions are assembled from their parts, follow every change, and are requested again after a missed one', async () => {
  open()
  const portfolio = stream.subscribePortfolio()
  const { events: received } = collect(portfolio)
  await live(portfolio)
  const position = (outcomeId: string, quantity: string) => ({ venue: 'kalshi', marketId: 'm', outcomeId, quantity })
  const totals = (currency: string, fees: string) => ({ venue: 'kalshi', currency, fees })
  const common = { asOf: 'now', unavailable: [] }
  const snapshot = (i: number, positions: object[], summary: object[]) => ({
    type: 'portfolio',
    ts: 1,
    data: {
      ...{ kind: 'snapshot', seq: 1, reason: 'subscribed', ...common },
      ...{ positions, summary, truncated: false, part: { i, n: 2 } },
    },
  })
  const change = (seq: number, more: object) => ({
    type: 'portfolio',
    ts: 1,
    data: { kind: 'change', seq, ...common, positions: [], removed: [], summary: [], removedSummary: [], ...more },
  })
  const held = () => [...portfolio.positions.values()].map(({ outcomeId, quantity }) => `${outcomeId} ${quantity}`)

  server.send(snapshot(1, [position('a', '1')], [totals('USD', '0')]))
  server.send(snapshot(2, [position('b', '2')], []))
  await eventually(() => expect(held()).toEqual(['a 1', 'b 2']))
  expect(portfolio.positions.get(positionKey({ venue: 'kalshi', marketId: 'm', outcomeId: 'b' }))).toBeDefined()
  server.send(
    change(2, { positions: [position('b', '3')], removed: [position('a', '1')], summary: [totals('USD', '1')] }),
  )
  await eventually(() => expect(held()).toEqual(['b 3']))
  expect(portfolio.summary.get(totalsKey({ venue: 'kalshi', currency: 'USD' }))).toMatchObject({ fees: '1' })
  server.send(change(3, { removedSummary: [totals('USD', '1')] }))
  await eventually(() => expect(portfolio.summary.size).toBe(0))
  expect(received.map(({ type }) => type)).toEqual(['subscribed', 'snapshot', 'change', 'change'])

  server.send(change(5, {}))
  await eventually(() => expect(received.at(-1)).toMatchObject({ type: 'gap' }))
  expect(held()).toEqual([])
  turned.manual.advance(375)
  await eventually(() => expect(server.ops.filter(({ op }) => op === 'subscribePortfolio')).toHaveLength(2))
})

describe('a replay', () => {
  const window = { since: 1_000, until: 9_000, speed: 'max' } as const
  const options = { markets: [{ venue: 'kalshi', marketId: 'm' }], ...window }
  const trade = (id: number, timestamp: number) => ({
    type: 'trade',
    venue: 'kalshi',
    marketId: 'm',
    ts: 1,
    replay: true,
    at: timestamp,
    data: { id, timestamp },
  })
  /** Of full depth: the event time is earlier. */
  const book = (price: number, at: number, type = 'update') => ({
    ...{ type, venue: 'kalshi', marketId: 'm', ts: 1, sequence: 1, replay: true, at },
    data: { bids: [{ price, size: 1 }], asks: [], timestamp: at - 700 },
  })

  it('continues after a reconnect at its position, and repeats nothing', async () => {
    open()
    const replay = stream.subscribeReplay(options)
    const { events: received, ended } = collect(replay)
    await live(replay)
    for (const [id, at] of [
      [1, 1_500],
      [2, 2_000],
      [3, 2_000],
    ] as const)
      server.send(trade(id, at))
    await eventually(() => expect(received).toHaveLength(4))
    server.ops.length = 0
    await closed(1001)
    await reconnect(2)
    await live(replay)
    expect(server.ops).toEqual([{ op: 'subscribeReplay', ...options, since: 1_999 }])
    for (const [id, at] of [
      [2, 2_000],
      [3, 2_000],
      [4, 2_000],
      [5, 3_000],
    ] as const)
      server.send(trade(id, at))
    // Counts only the frames of the second run.
    server.send({ type: 'replayEnd', ts: 1, replay: true, data: { frames: 4, at: 3_000 } })
    expect(await ended).toBeUndefined()
    const ids = received.flatMap((event) => (event.type === 'trade' ? event.data.id : []))
    expect(ids).toEqual([1, 2, 3, 4, 5])
    expect(received.at(-1)).toMatchObject({ type: 'replayEnd', data: { frames: 5 } })
  })

  it('delivers a book that returned to an earlier state within a millisecond, and after a reconnect omits nothing of that millisecond', async () => {
    open()
    const replay = stream.subscribeReplay(options)
    const { events: received } = collect(replay)
    await live(replay)
    for (const frame of [book(0.1, 1_500, 'snapshot'), book(0.2, 2_000), book(0.1, 2_000), book(0.2, 2_000)])
      server.send(frame)
    await eventually(() => expect(received).toHaveLength(5))
    for (const opened of [2, 3]) {
      server.ops.length = 0
      await closed(1001, opened - 1)
      await reconnect(opened)
      await live(replay)
      expect(server.ops).toEqual([{ op: 'subscribeReplay', ...options, since: 1_999 }])
    }
    // The book at that time, the millisecond again, and what followed after the interruption.
    const again = [book(0.2, 2_000), book(0.1, 2_000), book(0.2, 2_000), book(0.4, 2_000), book(0.2, 2_000)]
    for (const frame of [book(0.1, 1_999, 'snapshot'), ...again, book(0.3, 2_500), book(0.2, 2_600)]) server.send(frame)
    await eventually(() => expect(received.at(-1)).toMatchObject({ at: 2_600 }))
    const prices = received.flatMap((event) =>
      event.type === 'snapshot' || event.type === 'update' ? event.data.bids[0]!.price : [],
    )
    expect(prices).toEqual([0.1, 0.2, 0.1, 0.2, 0.4, 0.2, 0.3, 0.2])
  })

  it('is paused while its reader is behind, and loses nothing', async () => {
    open({ bufferMax: 8 })
    const replay = stream.subscribeReplay(options)
    await live(replay)
    for (let id = 1; id <= 20; id++) server.send(trade(id, 1_000 + id))
    await eventually(() => expect(server.ops.at(-1)).toEqual({ op: 'pauseReplay' }))
    const { events: received } = collect(replay)
    await eventually(() => expect(server.ops.at(-1)).toEqual({ op: 'resumeReplay' }))
    await eventually(() => expect(received).toHaveLength(21))
    expect(received.some(({ type }) => type === 'dropped')).toBe(false)
  })
})

it('works with the program itself: its key, names, numbers and stale notices', async () => {
  const own = await startServer()
  try {
    stream = new Stream(own.url, 'good', {}, edges())
    const books = stream.subscribeBook({ venue: 'TEST', marketId: 'm', depth: 1 })
    const { events: received } = collect(books)
    const refused = collect(stream.subscribeTrades({ venue: 'test', marketId: 'nothing' }))
    await live(books)
    for (const seq of [1, 2, 3]) {
      own.bus.book(bookUpdate('m', seq))
      own.stream.flush()
      await eventually(() => expect(books.book?.bids[0]?.size).toBe(seq))
    }
    own.bus.book(bookUpdate('m', 3, { state: 'stale', staleReason: 'gap' }))
    own.stream.flush()
    await eventually(() => expect(received.at(-1)).toEqual({ type: 'stale', reason: 'book is stale: gap' }))
    expect(received.map(({ type }) => type)).toEqual(['subscribed', 'book', 'book', 'book', 'stale'])
    expect(await refused.ended).toMatchObject({ code: 'MARKET_NOT_FOUND' })
    // The program answers the probe for silence.
    turned.manual.advance(20_000)
    own.bus.book(bookUpdate('m', 4))
    own.stream.flush()
    await eventually(() => expect(books.book?.bids[0]?.size).toBe(4))
    turned.manual.advance(10_000)
    expect(stream.isUp).toBe(true)
  } finally {
    stream.close()
    await own.stop()
  }
})
