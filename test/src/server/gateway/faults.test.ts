// The catalogue's stream faults 11, 12, 14, 15, 16 and 18, through real sockets. CROSSBOOK_TEST_LONG=1 runs them at full size.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '#core/clock'
import type { Resolution } from '#stream/ports'
import { seed } from '#test/support/seed'
import { bookUpdate, type Frame, seqOf, testCatalog, tradeUpdate } from '../../stream/support.ts'
import { clientFrame } from './clientFrame.ts'
import { Client, RawSocket, startServer, type TestServer } from './support.ts'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const minutes = 60_000

let server: TestServer
afterEach(() => server.stop())

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Waits until nothing more arrives. */
async function quiet(count: () => number): Promise<void> {
  let before = -1
  await vi.waitFor(
    () => {
      const now = count()
      const still = now === before
      before = now
      expect(still).toBe(true)
    },
    { timeout: minutes, interval: 150 },
  )
}

describe('fault 11: stalled subscribers', () => {
  const stalledCount = long ? 200 : 6
  const readerCount = long ? 100 : 3

  it('readers miss nothing, memory stays bounded, and each stalled book resumes with exactly one current snapshot', async () => {
    server = await startServer()
    const stalled = Array.from({ length: stalledCount }, () => new RawSocket(server.gateway.port))
    const readers = Array.from({ length: readerCount }, () => new RawSocket(server.gateway.port))
    const markets = ['a', 'b']
    for (const socket of [...stalled, ...readers]) {
      await socket.upgraded()
      for (const marketId of markets) socket.send({ op: 'subscribe', channel: 'orderbook', venue: 'test', marketId })
    }
    const everyone = [...stalled, ...readers].length * markets.length
    await vi.waitFor(() => expect(server.stream.totals().subscriptions).toBe(everyone))
    for (const socket of stalled) socket.tcp.pause()
    let seq = 0
    const publish = async () => {
      seq++
      for (const marketId of markets) server.bus.book(bookUpdate(marketId, seq, {}, 400))
      server.stream.flush()
      await turn()
    }
    const ids = () => server.stream.accounts().filter((row) => row.waiting > 0)
    while (ids().length < stalledCount * markets.length) {
      await publish()
      expect(seq).toBeLessThan(20_000)
    }
    for (let more = 0; more < 200; more++) await publish()
    const bound = stalledCount * (64 + 32) * 1024
    expect(server.stream.totals().bufferedBytes).toBeLessThanOrEqual(bound)
    await vi.waitFor(() => {
      for (const reader of readers) expect(reader.frameCount).toBe(markets.length * (1 + seq))
    })
    const last = seq
    for (const socket of stalled) socket.tcp.resume()
    // Looks only at the newest frame: the thousands before are parsed once, at the end.
    const has = (socket: RawSocket, wanted: number) =>
      markets.every((marketId) => {
        const newest = socket.frames.findLast((text) => isOf(text, marketId))
        return newest !== undefined && seqOf(JSON.parse(newest) as Frame) === wanted
      })
    await vi.waitFor(() => expect(stalled.every((socket) => has(socket, last))).toBe(true), { timeout: minutes })
    for (let more = 0; more < 3; more++) await publish()
    await vi.waitFor(() => expect(stalled.every((socket) => has(socket, last + 3))).toBe(true), { timeout: minutes })
    for (const socket of stalled) {
      for (const marketId of markets) {
        const frames = framesOf(socket, marketId)
        for (const [i, frame] of frames.entries()) {
          const gap = i === 0 || seqOf(frame) !== seqOf(frames[i - 1]!) + 1
          expect(frame.type, `${marketId} ${seqOf(frame)}`).toBe(gap ? 'snapshot' : 'update')
          if (i > 0) expect(seqOf(frame)).toBeGreaterThan(seqOf(frames[i - 1]!))
        }
        expect(frames.slice(-4).map((frame) => `${frame.type} ${seqOf(frame)}`)).toEqual([
          `snapshot ${last}`,
          `update ${last + 1}`,
          `update ${last + 2}`,
          `update ${last + 3}`,
        ])
      }
    }
    for (const socket of [...stalled, ...readers]) socket.tcp.destroy()
  }, 120_000)

  const isOf = (text: string, marketId: string): boolean =>
    text.includes(`"marketId":"${marketId}"`) && !text.startsWith('{"type":"subscribed"')
  const framesOf = (socket: RawSocket, marketId: string): Frame[] =>
    socket.frames.filter((text) => isOf(text, marketId)).map((text) => JSON.parse(text))
})

describe('fault 12: loss accounting', () => {
  it('100,000 publications in batches of 100 with a stalled socket: sent + conflated + dropped = published, for every socket', async () => {
    const publications = 100_000
    server = await startServer()
    const stalled = await new RawSocket(server.gateway.port).upgraded()
    const reader = await new RawSocket(server.gateway.port).upgraded()
    for (const socket of [stalled, reader]) {
      socket.keep = false
      for (let market = 0; market < 50; market++) {
        for (const channel of ['orderbook', 'trades']) {
          socket.send({ op: 'subscribe', channel, venue: 'test', marketId: `m${market}` })
        }
      }
    }
    await vi.waitFor(() => expect([stalled.frameCount, reader.frameCount]).toEqual([100, 100]))
    stalled.tcp.pause()
    for (let batch = 1; batch <= publications / 100; batch++) {
      for (let market = 0; market < 50; market++) {
        server.bus.book(bookUpdate(`m${market}`, batch, {}, 26))
        server.bus.trade(tradeUpdate(`m${market}`, batch))
      }
      await turn()
    }
    await quiet(() => reader.frameCount)
    const half = server.stream.totals()
    expect(half.dropped, 'the stalled socket lost trades').toBeGreaterThan(0)
    stalled.tcp.resume()
    await quiet(() => stalled.frameCount)
    const accounts = server.stream.accounts()
    for (const [id, socket] of [stalled, reader].entries()) {
      const rows = accounts.filter((row) => row.socketId === id + 1)
      const sum = (field: 'produced' | 'sent' | 'conflated' | 'dropped' | 'waiting') =>
        rows.reduce((total, row) => total + row[field], 0)
      expect(sum('produced')).toBe(publications)
      expect(sum('waiting')).toBe(0)
      expect(sum('sent') + sum('conflated') + sum('dropped')).toBe(publications)
      expect(sum('sent'), 'the frames counted as sent equal those that arrived').toBe(socket.frameCount - 100)
      for (const row of rows) expect(row.sent + row.conflated + row.dropped).toBe(row.produced)
    }
    expect(accounts.filter((row) => row.socketId === 2).every((row) => row.dropped === 0)).toBe(true)
    stalled.tcp.destroy()
    reader.tcp.destroy()
  }, 120_000)
})

describe('fault 14: auth deadline', () => {
  it('closes silent sockets after 10 s, wrong or early messages at once, all with UNAUTHORIZED before 4001', async () => {
    const clock = new ManualClock()
    server = await startServer({ clock })
    const some = long ? 100 : 20
    const silent: Client[] = []
    for (let i = 0; i < (long ? 20 : 3); i++) {
      silent.push(...(await Promise.all(Array.from({ length: 100 }, () => Client.open(server.url, null)))))
    }
    const hasty = await Promise.all(Array.from({ length: some }, () => Client.open(server.url, null)))
    const wrong = await Promise.all(Array.from({ length: some }, () => Client.open(server.url, null)))
    const served = await Client.open(server.url, null)
    served.send({ op: 'auth', apiKey: 'good' })
    await served.frame((frame) => frame.type === 'auth')
    for (const client of hasty) client.subscribe('m')
    for (const client of wrong) client.send({ op: 'auth', apiKey: 'wrong' })
    for (const client of [...hasty, ...wrong]) expect(await client.ended()).toBe(4001)
    clock.advance(9_999)
    served.subscribe('m')
    await served.frame((frame) => frame.type === 'subscribed')
    expect(silent.filter((client) => client.closeCode !== null)).toEqual([])
    clock.advance(1)
    for (const client of silent) expect(await client.ended()).toBe(4001)
    for (const client of [...silent, ...hasty, ...wrong]) {
      expect(client.frames).toMatchObject([{ type: 'error', code: 'UNAUTHORIZED' }])
    }
    expect(server.stream.totals()).toMatchObject({ sockets: 1, subscriptions: 1 })
    served.close()
  }, 60_000)
})

describe('fault 15: client flood', () => {
  it('a flooding client gets RATE_LIMITED, then 4029; others are served meanwhile', async () => {
    server = await startServer({ bucket: { burst: 200, perSecond: 50, patience: 100 } })
    const other = await Client.open(server.url)
    other.subscribe('m')
    await other.count(1)
    const flooder = await Client.open(server.url)
    for (let i = 0; i < 10_000; i++) {
      if (i % 2 === 0) flooder.subscribe('m')
      else flooder.unsubscribe('m')
    }
    let seq = 0
    while (flooder.closeCode === null) {
      server.bus.book(bookUpdate('m', ++seq))
      await turn()
      expect(seq).toBeLessThan(1_000_000)
    }
    expect(flooder.closeCode).toBe(4029)
    const codes = flooder.frames.map((frame) => frame.code ?? frame.type)
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(100)
    expect(codes.at(-1)).toBe('RATE_LIMITED')
    const answered = codes.filter((code) => code === 'subscribed' || code === 'unsubscribed').length
    expect(answered, 'most of 10,000 were never read').toBeLessThan(1_000)
    await other.frame((frame) => seqOf(frame) === seq)
    expect(server.stream.totals()).toMatchObject({ sockets: 1, subscriptions: 1 })
    other.close()
  }, 60_000)

  it('a subscriber beyond its cap gets SUBSCRIPTION_LIMIT and keeps its subscriptions', async () => {
    server = await startServer({ limitsOf: () => ({ subscriptionsPerConnection: 50, streamConnections: 5 }) })
    const client = await Client.open(server.url)
    for (let i = 0; i < 120; i++) client.subscribe(`m${i}`)
    await client.count(120)
    const limited = client.frames.filter((frame) => frame.code === 'SUBSCRIPTION_LIMIT')
    expect(limited).toHaveLength(70)
    expect(limited[0]).toMatchObject({ type: 'error', marketId: 'm50', venue: 'test', channel: 'orderbook' })
    expect(server.stream.totals().subscriptions).toBe(50)
    client.close()
  })

  it('a 1 MB message ends its connection, not the others', async () => {
    server = await startServer()
    const other = await Client.open(server.url)
    other.subscribe('m')
    await other.count(1)
    const flooder = await Client.open(server.url)
    let reason = ''
    flooder.ws.once('close', (_code, closeReason) => {
      reason = String(closeReason)
    })
    flooder.ws.send('x'.repeat(1024 * 1024))
    expect(await flooder.ended()).toBe(1009)
    expect(reason).toBe('messages may have at most 65536 bytes')
    server.bus.book(bookUpdate('m', 1))
    await other.frame((frame) => seqOf(frame) === 1)
    other.close()
  })
})

describe('fault 16: malformed frames', () => {
  const text = (bytes: string) => Buffer.from(bytes)
  const fragments = () => {
    const parts = [clientFrame(text('x'), { opcode: 1, fin: false })]
    for (let i = 1; i <= 100_000; i++) parts.push(clientFrame(text('x'), { opcode: 0, fin: i === 100_000 }))
    return Buffer.concat(parts)
  }
  const cases: [string, () => Buffer][] = [
    ['reserved bits', () => clientFrame(text('{}'), { reserved: 3 })],
    ['a compressed frame that was not negotiated', () => clientFrame(text('{}'), { reserved: 4 })],
    ['an unknown opcode', () => clientFrame(text('{}'), { opcode: 5 })],
    ['text that is not UTF-8', () => clientFrame(Buffer.from([0xc3, 0x28, 0xff]))],
    ['a length of 2^40', () => clientFrame(Buffer.alloc(16), { claimed: 2n ** 40n })],
    ['a length of 2^63', () => clientFrame(Buffer.alloc(16), { claimed: 2n ** 63n })],
    ['100,000 one-byte fragments', fragments],
    ['a control frame above 125 bytes', () => clientFrame(Buffer.alloc(200), { opcode: 9 })],
    ['a fragmented control frame', () => clientFrame(text('x'), { opcode: 9, fin: false })],
    ['a continuation of nothing', () => clientFrame(text('x'), { opcode: 0 })],
  ]

  it.each(cases)('%s ends that connection; the process and the others continue', async (_title, bytes) => {
    server = await startServer()
    const other = await Client.open(server.url)
    other.subscribe('m')
    await other.count(1)
    const evil = await new RawSocket(server.gateway.port).upgraded()
    const sent = bytes()
    const before = process.memoryUsage().rss
    evil.tcp.write(sent)
    await vi.waitFor(() => expect(evil.closed || evil.closeCode !== null).toBe(true), { timeout: 25_000 })
    expect((process.memoryUsage().rss - before) / 1024 / 1024, 'MB').toBeLessThan(32)
    await vi.waitFor(() => expect(server.stream.totals().sockets).toBe(1))
    server.bus.book(bookUpdate('m', 1))
    await other.frame((frame) => seqOf(frame) === 1)
    evil.tcp.destroy()
    other.close()
  })

  it('compression is never negotiated, so no bomb can be inflated', async () => {
    server = await startServer()
    const ws = new WebSocket(server.url, {
      perMessageDeflate: true,
      headers: { authorization: 'Bearer good' },
    })
    await new Promise((resolve) => ws.once('open', resolve))
    expect(ws.extensions).toBe('')
    ws.terminate()
  })

  it.each([['12'], ['14'], ['x'], ['']])(
    'version %j of the protocol is refused with 426 and the supported one',
    async (version) => {
      server = await startServer()
      const raw = new RawSocket(server.gateway.port, [], false)
      raw.tcp.write(
        `GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${version === '' ? '' : `Sec-WebSocket-Version: ${version}\r\n`}Authorization: Bearer good\r\n\r\n`,
      )
      await vi.waitFor(() => expect(raw.head).toMatch(/^HTTP\/1.1 426 Upgrade Required/))
      expect(raw.head.toLowerCase()).toContain('\r\nsec-websocket-version: 13')
      expect(raw.head).toContain('application/json')
      expect(server.stream.totals().sockets).toBe(0)
      raw.tcp.destroy()
    },
  )

  it('accepts none of the subprotocols that a client offers', async () => {
    server = await startServer()
    const raw = await new RawSocket(server.gateway.port, [
      'Authorization: Bearer good',
      'Sec-WebSocket-Protocol: graphql-ws, chat',
    ]).upgraded()
    expect(raw.head.toLowerCase()).not.toContain('sec-websocket-protocol')
    raw.tcp.destroy()
  })

  it('2,000 headers on the upgrade are refused with 4xx', async () => {
    server = await startServer()
    const headers = Array.from({ length: 2_000 }, (_, i) => `X-${i}: 1`)
    const evil = new RawSocket(server.gateway.port, headers)
    await vi.waitFor(() => expect(evil.head).toMatch(/^HTTP\/1.1 4\d\d /))
    expect(server.stream.totals().sockets).toBe(0)
  })

  it('unmasked client frames do nothing: the transport does not refuse them as it should, but unmasks them into garbage', async () => {
    server = await startServer()
    const raw = await new RawSocket(server.gateway.port).upgraded()
    const payload = text('{"op":"subscribe","channel":"orderbook","venue":"test","marketId":"m"}')
    const unmasked = Buffer.concat([Buffer.from([0x81, payload.length]), payload])
    raw.tcp.write(Buffer.concat([unmasked, unmasked, unmasked, unmasked]))
    await vi.waitFor(() => expect(raw.frames.length > 0 || raw.closed).toBe(true))
    expect(server.stream.totals().subscriptions).toBe(0)
    raw.tcp.destroy()
  })
})

describe('fault 18: subscribe races', () => {
  it(`acknowledgements come before data, nothing after unsubscribed, nothing remains at the end (seed ${seed})`, async () => {
    const random = mulberry(seed)
    const pick = (n: number) => Math.floor(random() * n)
    // The catalog answers at once, a little later, or much later.
    const resolve = (_venue: string, bookId: string): Resolution | Promise<Resolution> => {
      const kind = pick(4)
      const found = { bookId, complement: false }
      if (kind < 2) return found
      return new Promise((answer) =>
        kind === 2 ? setImmediate(() => answer(found)) : setTimeout(() => answer(found), 3),
      )
    }
    const bucket = { burst: 1_000_000, perSecond: 1_000, patience: 1_000 }
    server = await startServer({ catalog: { ...testCatalog, resolve }, bucket })
    const steps = long ? 100_000 : 10_000
    const slots: (Client | null)[] = Array.from({ length: 12 }, () => null)
    const finished: Client[] = []
    const markets = ['a', 'b', 'c']
    let seq = 0
    for (let step = 0; step < steps; step++) {
      const slot = pick(slots.length)
      const client = slots[slot]
      if (client == null) {
        slots[slot] = new Client(server.url)
        finished.push(slots[slot]!)
      } else if (client.ws.readyState === WebSocket.OPEN) {
        const action = pick(12)
        const market = markets[pick(markets.length)]!
        const channel = pick(3) === 0 ? 'trades' : 'orderbook'
        if (action < 5) client.subscribe(market, channel)
        else if (action < 9) client.unsubscribe(market, channel)
        else if (action === 9 && pick(8) === 0) {
          if (pick(2) === 0) client.ws.close()
          else client.close()
          slots[slot] = null
        }
      }
      if (pick(2) === 0)
        server.bus.book(
          bookUpdate(markets[pick(3)]!, ++seq, pick(30) === 0 ? { state: 'stale', staleReason: 'gap' } : {}),
        )
      if (pick(3) === 0) server.bus.trade(tradeUpdate(markets[pick(3)]!, ++seq))
      if (pick(4) === 0) await turn()
    }
    await quiet(() => finished.reduce((sum, client) => sum + client.frames.length, 0))
    for (const client of slots) client?.close()
    await vi.waitFor(() => expect(server.bus.wanted('test')).toEqual([]), { timeout: 25_000 })
    const sum = server.stream.totals()
    expect(sum).toMatchObject({ sockets: 0, subscriptions: 0, topics: 0 })
    expect(sum.sent + sum.conflated + sum.dropped).toBe(sum.produced)
    let data = 0
    for (const [i, client] of finished.entries()) data += checkOrder(client, `seed ${seed} client ${i}`)
    expect(data, 'the races had data to race with').toBeGreaterThan(steps / 20)
  }, 180_000)

  /** Returns the number of data frames. */
  function checkOrder(client: Client, name: string): number {
    const state = new Map<string, 'fresh' | 'running'>()
    let data = 0
    for (const frame of client.frames) {
      const channel = frame.channel ?? (frame.type === 'trade' ? 'trades' : 'orderbook')
      const key = `${channel} ${frame.marketId}`
      if (frame.type === 'subscribed') {
        if (!state.has(key)) state.set(key, 'fresh')
      } else if (frame.type === 'unsubscribed') {
        expect(state.delete(key), `${name}: unsubscribed ${key} without being subscribed`).toBe(true)
      } else if (frame.type === 'error') {
        if (frame.code === 'NETWORK_ERROR') {
          expect(state.has(key), `${name}: notice for ${key} outside a subscription`).toBe(true)
          state.set(key, 'fresh')
        } else expect(frame.code, name).toBe('NOT_SUBSCRIBED')
      } else {
        data++
        expect(state.has(key), `${name}: ${frame.type} for ${key} outside a subscription`).toBe(true)
        if (frame.type === 'snapshot' || frame.type === 'update') {
          if (state.get(key) === 'fresh') expect(frame.type, `${name}: first book of ${key}`).toBe('snapshot')
          state.set(key, 'running')
        }
      }
    }
    return data
  }
})

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
