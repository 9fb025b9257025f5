import { afterEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import {
  getJson,
  type Json,
  kalshiHeaders,
  plain,
  RecordingSocket,
  rebuildKalshi,
  rebuildPolymarket,
  truthBook,
} from './clients.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

/** A common interface to both venues, so that each fault is tested on both. */
interface Harness {
  clock: ManualClock
  lab: Lab
  venue: Lab['kalshi'] | Lab['polymarket']
  /** Public id of the watched market. */
  market: string
  connect(): Promise<RecordingSocket>
  /** Everything sent before has arrived. */
  settle(socket: RecordingSocket): Promise<void>
  /** `n` messages of flow on the watched market. */
  flow(n: number): void
  deltas(socket: RecordingSocket): Json[]
  rebuilt(messages: Json[]): unknown
  truth(): unknown
  bookUrl: string
}

const harnesses = {
  async kalshi(): Promise<Harness> {
    const clock = new ManualClock()
    const lab = await startLab({
      clock,
      seed: 'faults',
      venues: ['kalshi'],
      ratePerSecond: 0,
      sendQueueMaxBytes: 4 * 1024 * 1024,
    })
    opened.push({ close: () => lab.stop() })
    const market = lab.kalshi.openTickers()[1]!
    let id = 100
    const settle = async (socket: RecordingSocket) => {
      const mine = ++id
      socket.send({ id: mine, cmd: 'list_subscriptions' })
      await socket.next((text) => text.startsWith(`{"id":${mine},"type":"ok"`))
    }
    return {
      clock,
      lab,
      venue: lab.kalshi,
      market,
      bookUrl: `${lab.kalshi.urls.REST}/markets/${market}/orderbook`,
      async connect() {
        const socket = await RecordingSocket.open(
          lab.kalshi.urls.WS,
          kalshiHeaders(lab.kalshi.credentials, clock.now()),
        )
        opened.push(socket)
        socket.send({ id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta'], market_tickers: [market] } })
        await settle(socket)
        return socket
      },
      settle,
      flow: (n) => lab.kalshi.engine.run(lab.kalshi.listing.byTicker.get(market)!.key, n),
      deltas: (socket) => socket.messages().filter((message) => message?.type === 'orderbook_delta'),
      rebuilt: (messages) => plain(rebuildKalshi(messages, false).books.get(market)!),
      truth: () => plain(truthBook(lab.kalshi.book(market))),
    }
  },
  async polymarket(): Promise<Harness> {
    const clock = new ManualClock()
    const lab = await startLab({
      clock,
      seed: 'faults',
      venues: ['polymarket'],
      ratePerSecond: 0,
      sendQueueMaxBytes: 4 * 1024 * 1024,
    })
    opened.push({ close: () => lab.stop() })
    const market = lab.polymarket.openTokens()[1]!
    const settle = async (socket: RecordingSocket) => {
      socket.send('PING')
      await socket.next((text) => text === 'PONG')
    }
    return {
      clock,
      lab,
      venue: lab.polymarket,
      market,
      bookUrl: `${lab.polymarket.urls.CLOB}/book?token_id=${market}`,
      async connect() {
        const socket = await RecordingSocket.open(lab.polymarket.urls.WS)
        opened.push(socket)
        socket.send({ type: 'market', assets_ids: [market] })
        await settle(socket)
        return socket
      },
      settle,
      flow: (n) => lab.polymarket.engine.run(lab.polymarket.listing.byToken.get(market)!.market.key, n),
      deltas: (socket) => socket.messages().filter((message) => message?.event_type === 'price_change'),
      rebuilt: (messages) => plain(rebuildPolymarket(messages).get(market)!),
      truth: () => plain(truthBook(lab.polymarket.book(market))),
    }
  },
}

describe.each(['kalshi', 'polymarket'] as const)('faults of %s', (name) => {
  test('mute: pings are answered, no data is sent; a new connection is healthy', async () => {
    const at = await harnesses[name]()
    const socket = await at.connect()
    at.venue.faults.mute()
    at.flow(50)
    await at.settle(socket)
    expect(at.deltas(socket)).toEqual([])
    expect(socket.closed).toBeNull()
    const second = await at.connect()
    at.flow(50)
    await at.settle(second)
    expect(at.rebuilt(second.messages())).toEqual(at.truth())
    at.venue.faults.recover()
    at.flow(50)
    await at.settle(socket)
    expect(at.deltas(socket).length).toBeGreaterThan(0)
  })

  test('mute of the whole venue applies to new connections too and ends by itself', async () => {
    const at = await harnesses[name]()
    at.venue.faults.mute({ scope: 'venue', forMs: 5_000 })
    const socket = await at.connect()
    at.flow(50)
    await at.settle(socket)
    expect(at.deltas(socket)).toEqual([])
    at.clock.advance(5_000)
    at.flow(50)
    await at.settle(socket)
    expect(at.deltas(socket).length).toBeGreaterThan(0)
  })

  test('gap: exactly the requested deltas are lost', async () => {
    const at = await harnesses[name]()
    const [whole, lossy] = [await at.connect(), await at.connect()]
    at.venue.faults.gap({ market: at.market, positions: [3, 7] })
    at.flow(200)
    await at.settle(lossy)
    await at.settle(whole)
    expect(at.venue.counters().framesDropped).toBe(4)
    if (name === 'kalshi') {
      const { gaps } = rebuildKalshi(lossy.messages(), false)
      expect(gaps).toEqual(['3->5', '7->9'])
    }
    at.venue.faults.gap({ drop: 5 })
    at.flow(200)
    expect(at.venue.counters().framesDropped).toBe(14)
  })

  test('disconnect: sockets are closed with or without a close frame, reconnects are refused for a while', async () => {
    const at = await harnesses[name]()
    const polite = await at.connect()
    at.venue.faults.disconnect({ code: 1012 })
    await polite.until(() => polite.closed !== null)
    expect(polite.closed!.code).toBe(1012)
    const rude = await at.connect()
    at.venue.faults.disconnect({ closeFrame: false, refuseMs: 3_000 })
    await rude.until(() => rude.closed !== null)
    expect(rude.closed!.code).toBe(1006)
    await expect(at.connect()).rejects.toMatchObject({ status: 502 })
    at.clock.advance(3_000)
    await expect(at.connect()).resolves.toBeInstanceOf(RecordingSocket)
  })

  test('http: fails as often as requested, with and without Retry-After', async () => {
    const at = await harnesses[name]()
    at.venue.faults.http({ status: 429, count: 1, retryAfterSeconds: 7 })
    at.venue.faults.http({ status: 429, count: 1 })
    at.venue.faults.http({ status: 500, count: 1 })
    const seen = []
    for (let n = 0; n < 4; n++) {
      const { status, headers } = await getJson(at.bookUrl)
      seen.push([status, headers.get('retry-after')])
    }
    expect(seen).toEqual([
      [429, '7'],
      [429, null],
      [500, null],
      [200, null],
    ])
    at.venue.faults.http({ status: 500, path: '/no-such-path' })
    expect((await getJson(at.bookUrl)).status).toBe(200)
  })

  test('slow: responses and frames are delayed by the clock, in order, and none is lost', async () => {
    const at = await harnesses[name]()
    const socket = await at.connect()
    at.venue.faults.slow({ delayMs: 2_000 })
    at.flow(100)
    const before = at.deltas(socket).length
    let answered = false
    const answer = getJson(at.bookUrl).then((reply) => {
      answered = true
      return reply
    })
    await expect
      .poll(() => Object.values(at.venue.counters().httpRequests).some((count) => count > 0), { timeout: 25_000 })
      .toBe(true)
    expect([before, answered]).toEqual([0, false])
    at.clock.advance(2_000)
    expect((await answer).status).toBe(200)
    at.venue.faults.recover()
    await at.settle(socket)
    expect(at.rebuilt(socket.messages())).toEqual(at.truth())
  })

  test('duplicate: the next deltas are sent twice', async () => {
    const at = await harnesses[name]()
    const socket = await at.connect()
    at.venue.faults.duplicate({ market: at.market, count: 3 })
    at.flow(40)
    await at.settle(socket)
    const texts = socket.frames.filter(
      (frame) => /price_change|orderbook_delta/.test(frame) && !frame.includes('"subscribed"'),
    )
    const twice = texts.filter((text, i) => texts[i + 1] === text)
    expect(twice).toHaveLength(3)
  })

  test('reorder: a delta swaps places with the next frame', async () => {
    const at = await harnesses[name]()
    const [ordered, swapped] = [await at.connect(), await at.connect()]
    at.venue.faults.reorder({ market: at.market, count: 1 })
    at.flow(40)
    await at.settle(ordered)
    await at.settle(swapped)
    if (name === 'kalshi') {
      const seqs = at.deltas(swapped).map(({ seq }) => seq as number)
      expect(seqs.slice(0, 4)).toEqual([3, 2, 4, 5])
    } else expect(at.deltas(swapped)).toHaveLength(at.deltas(ordered).length)
  })

  test('garbage: every socket gets invalid frames among the valid ones', async () => {
    const at = await harnesses[name]()
    const socket = await at.connect()
    at.venue.faults.garbage({ count: 7 })
    at.flow(40)
    await at.settle(socket)
    const odd = socket.frames.filter((frame) => {
      try {
        const value: unknown = JSON.parse(frame)
        return value === null || (Array.isArray(value) && value.length === 0)
      } catch {
        return frame !== 'PONG'
      }
    })
    expect(odd.length).toBeGreaterThanOrEqual(5)
    expect(at.deltas(socket).length).toBeGreaterThan(20)
  })

  test('stale snapshot: REST returns the previous book once', async () => {
    const at = await harnesses[name]()
    const before = await getJson(at.bookUrl)
    at.venue.faults.staleSnapshot({ market: at.market, via: 'rest' })
    at.clock.advance(1_000)
    at.flow(50)
    const stale = await getJson(at.bookUrl)
    const book = ({ body }: { body: Json }) =>
      JSON.stringify(body.orderbook_fp ?? [body.bids, body.asks, body.timestamp])
    expect(book(stale)).toBe(book(before))
    expect(book(await getJson(at.bookUrl))).not.toBe(book(before))
  })

  test('ghost: after the reconnect the snapshot is smaller than the book of the client', async () => {
    const at = await harnesses[name]()
    const socket = await at.connect()
    at.flow(100)
    await at.settle(socket)
    const held = at.rebuilt(socket.messages()) as { bids: Json; asks: Json }
    at.venue.faults.ghost({ market: at.market })
    await socket.until(() => socket.closed !== null)
    const again = await at.connect()
    const fresh = at.rebuilt(again.messages()) as { bids: Json; asks: Json }
    expect(fresh).toEqual(at.truth())
    expect(Object.keys(fresh.bids).length).toBeLessThan(Object.keys(held.bids).length)
    expect(Object.keys(held.asks)).toEqual(expect.arrayContaining(Object.keys(fresh.asks)))
  })

  test('tick size: a coarser grid removes the levels between its steps, and is announced before it applies', async () => {
    const at = await harnesses[name]()
    const socket = await at.connect()
    at.venue.faults.tickSize({ market: at.market, grid: 'milli' })
    at.flow(400)
    const offGrid = () =>
      Object.keys((at.truth() as { bids: Json }).bids).filter((price) => Number(price) % 10_000 !== 0)
    expect(offGrid().length).toBeGreaterThan(0)
    at.venue.faults.tickSize({ market: at.market, grid: 'cent' })
    expect(offGrid()).toEqual([])
    at.flow(50)
    await at.settle(socket)
    expect(at.rebuilt(socket.messages())).toEqual(at.truth())
  })

  test('resolve: the book becomes empty on the socket and the catalog has the winner', async () => {
    const at = await harnesses[name]()
    const socket = await at.connect()
    at.venue.faults.resolve({ market: at.market, result: 'yes' })
    await at.settle(socket)
    expect(at.rebuilt(socket.messages())).toEqual({ bids: {}, asks: {} })
    if (name === 'kalshi') {
      const { body } = await getJson(`${at.lab.kalshi.urls.REST}/markets/${at.market}`)
      expect(body.market).toMatchObject({ status: 'finalized', result: 'yes', settlement_value_dollars: '1.0000' })
    } else expect((await getJson(at.bookUrl)).status).toBe(404)
  })

  test('unknown market: the venue rejects it over HTTP and in new subscriptions until recover', async () => {
    const at = await harnesses[name]()
    at.venue.faults.unknownMarket({ market: at.market, reply: 'error' })
    expect((await getJson(at.bookUrl)).status).toBe(404)
    const socket = await at.connect()
    if (name === 'kalshi')
      expect(socket.messages()).toContainEqual(
        expect.objectContaining({ type: 'error', msg: expect.objectContaining({ code: 16 }) }),
      )
    else expect(socket.frames).toContain('NO NEW ASSETS')
    at.venue.faults.recover()
    expect((await getJson(at.bookUrl)).status).toBe(200)
  })

  test('a client that does not read is disconnected, the others are not', async () => {
    const at = await harnesses[name]()
    const [reader, stalled] = [await at.connect(), await at.connect()]
    stalled.ws.pause()
    while (at.venue.counters().slowDisconnects === 0) {
      at.flow(1_000)
      await at.settle(reader)
    }
    expect(reader.closed).toBeNull()
    expect(at.venue.counters()).toMatchObject({ slowDisconnects: 1 })
    expect(at.rebuilt(reader.messages())).toEqual(at.truth())
    stalled.ws.resume()
  })

  test('overflow: kalshi sends error 25, polymarket has no such message', async () => {
    const at = await harnesses[name]()
    if (name === 'polymarket') {
      expect(() => at.venue.faults.overflow()).toThrow('no overflow message')
      return
    }
    const socket = await at.connect()
    at.venue.faults.overflow()
    const errorFrame = await socket.next((text) => text.includes('"error"'))
    expect(JSON.parse(errorFrame!)).toMatchObject({ type: 'error', msg: { code: 25 } })
  })

  test('rejects invalid options and an unknown market', async () => {
    const at = await harnesses[name]()
    expect(() => at.venue.faults.apply('slow', { delayMs: -1 })).toThrow()
    expect(() => at.venue.faults.apply('close', { market: 'unknown' })).toThrow('no market unknown')
  })
})
