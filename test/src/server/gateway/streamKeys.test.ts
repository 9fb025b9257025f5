// Access to the stream, and how it is lost.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import type { ChannelPeer } from '#stream/ports'
import { bookUpdate, principal, seqOf } from '../../stream/support.ts'
import { Client, startServer, type TestServer } from './support.ts'

let server: TestServer
afterEach(() => server.stop())

describe('keys', () => {
  it('accepts a bearer key on the upgrade without an acknowledgement', async () => {
    server = await startServer()
    const client = await Client.open(server.url)
    client.subscribe('m')
    await client.frame((frame) => frame.type === 'subscribed')
    expect(client.frames).toEqual([
      {
        ...{ type: 'subscribed', channel: 'orderbook', venue: 'test', marketId: 'm' },
        ...{ outcomeId: null, catalogMarketId: null, nativeId: 'm' },
      },
    ])
  })

  it.each([
    ['an unknown key', 'Bearer wrong'],
    ['a header without a bearer key', 'Basic Z29vZA=='],
    ['a key without read scope', 'Bearer tradeonly'],
  ])('%s on the upgrade gets UNAUTHORIZED and 4001', async (_title, authorization) => {
    server = await startServer()
    server.keys.keys.set('tradeonly', principal({ scopes: ['trade'] }))
    const client = new Client(server.url, null)
    client.ws.terminate()
    const refused = new Client(server.url, authorization.slice(7))
    if (authorization.startsWith('Basic')) {
      refused.ws.terminate()
      const { WebSocket } = await import('ws')
      const ws = new WebSocket(server.url, { headers: { authorization } })
      const seen: unknown[] = []
      ws.on('message', (data) => seen.push(JSON.parse(String(data))))
      const code = await new Promise((resolve) => ws.on('close', resolve))
      expect(code).toBe(4001)
      expect(seen).toMatchObject([{ type: 'error', code: 'UNAUTHORIZED' }])
      return
    }
    expect(await refused.ended()).toBe(4001)
    expect(refused.frames).toMatchObject([{ type: 'error', code: 'UNAUTHORIZED', message: expect.any(String) }])
  })

  it('never accepts a key in the URL', async () => {
    server = await startServer()
    const client = await Client.open(`${server.url}?apiKey=good&token=good&access_token=good`, null)
    client.subscribe('m')
    expect(await client.ended()).toBe(4001)
    expect(client.frames).toMatchObject([{ code: 'UNAUTHORIZED' }])
  })

  it('acknowledges first-frame auth before earlier requests', async () => {
    server = await startServer()
    server.keys.held = []
    const client = await Client.open(server.url, null)
    client.send({ op: 'auth', apiKey: 'good' })
    client.subscribe('m')
    client.send({ op: 'subscribe' })
    await vi.waitFor(() => expect(server.keys.held).toHaveLength(1))
    server.keys.release()
    await client.count(3)
    expect(client.frames.map((frame) => frame.code ?? frame.type)).toEqual(['auth', 'subscribed', 'BAD_MESSAGE'])
    expect(client.frames[0]).toEqual({ type: 'auth', status: 'ok' })
  })

  it('bounds the number of messages that wait for a key’s verification', async () => {
    server = await startServer()
    server.keys.held = []
    const client = await Client.open(server.url, null)
    client.send({ op: 'auth', apiKey: 'good' })
    // As many as the largest plan has, plus a hundred.
    for (let i = 0; i < 201; i++) client.subscribe(`m${i}`)
    expect(await client.ended()).toBe(4029)
    server.keys.release()
    expect(server.stream.totals()).toMatchObject({ sockets: 0, subscriptions: 0 })
  })

  it('bounds their size', async () => {
    server = await startServer()
    server.keys.held = []
    const client = await Client.open(server.url)
    for (let i = 0; i < 8; i++) client.send({ op: 'subscribe', marketId: 'x'.repeat(15_000) })
    expect(await client.ended()).toBe(4029)
    server.keys.release()
  })

  it('accepts all of its plan’s subscriptions at once, however long the key lookup takes', async () => {
    const subscriptionsPerConnection = 2_000
    server = await startServer({ limitsOf: () => ({ subscriptionsPerConnection, streamConnections: 5 }) })
    server.keys.held = []
    const client = await Client.open(server.url)
    for (let i = 0; i < subscriptionsPerConnection; i++) client.subscribe(`m${i}`)
    await vi.waitFor(() => expect(server.keys.held).toHaveLength(1))
    client.subscribe('one too many')
    server.keys.release()
    await client.count(subscriptionsPerConnection + 1)
    expect(
      client.frames
        .slice(0, -1)
        .every(({ type }, i) => type === 'subscribed' && client.frames[i]!.marketId === `m${i}`),
    ).toBe(true)
    expect(client.frames.at(-1)).toMatchObject({ code: 'SUBSCRIPTION_LIMIT', marketId: 'one too many' })
  })

  it.each([
    ['a wrong key', { op: 'auth', apiKey: 'wrong' }],
    ['no key', { op: 'auth' }],
    ['an overlong key', { op: 'auth', apiKey: 'k'.repeat(5_000) }],
    ['another operation first', { op: 'subscribe', channel: 'orderbook', venue: 'test', marketId: 'm' }],
    ['garbage', 'not json'],
  ])('%s as the first frame gets UNAUTHORIZED and 4001', async (_title, first) => {
    server = await startServer()
    const client = await Client.open(server.url, null)
    client.send(first)
    expect(await client.ended()).toBe(4001)
    expect(client.frames).toMatchObject([{ type: 'error', code: 'UNAUTHORIZED' }])
    expect(server.stream.totals()).toMatchObject({ sockets: 0, subscriptions: 0 })
  })

  it('a second auth is a BAD_MESSAGE and the socket stays open', async () => {
    server = await startServer()
    const client = await Client.open(server.url)
    client.send({ op: 'auth', apiKey: 'good' })
    client.subscribe('m')
    await client.count(2)
    expect(client.frames.map((frame) => frame.code ?? frame.type)).toEqual(['BAD_MESSAGE', 'subscribed'])
  })

  it('an unavailable key store is PLATFORM_UNAVAILABLE with close code 1013, not a bad key', async () => {
    server = await startServer()
    server.keys.broken = true
    const client = new Client(server.url)
    expect(await client.ended()).toBe(1013)
    expect(client.frames).toMatchObject([{ code: 'PLATFORM_UNAVAILABLE' }])
  })

  it('limits the sockets of a key to its plan, and frees the place of a closed one', async () => {
    server = await startServer({ limitsOf: () => ({ subscriptionsPerConnection: 5, streamConnections: 2 }) })
    const first = await Client.open(server.url)
    await Client.open(server.url)
    const third = new Client(server.url)
    expect(await third.ended()).toBe(4029)
    expect(third.frames).toMatchObject([{ code: 'RATE_LIMITED' }])
    first.close()
    await vi.waitFor(() => expect(server.stream.totals().sockets).toBe(1))
    const fourth = await Client.open(server.url)
    fourth.subscribe('m')
    await fourth.frame((frame) => frame.type === 'subscribed')
  })
})

describe('fault 19: entitlement loss', () => {
  const minute = async (clock: ManualClock) => {
    clock.advance(60_000)
    await new Promise((resolve) => setImmediate(resolve))
  }

  it('reports a revoked key once, keeps its subscriptions, refuses new ones; a failed lookup changes nothing', async () => {
    const clock = new ManualClock()
    server = await startServer({ clock })
    const clients = await Promise.all([Client.open(server.url), Client.open(server.url), Client.open(server.url)])
    for (const client of clients) client.subscribe('m')
    for (const client of clients) await client.frame((frame) => frame.type === 'subscribed')
    server.bus.book(bookUpdate('m', 1))
    server.stream.flush()
    for (const client of clients) await client.frame((frame) => frame.type === 'snapshot')
    const lookupsBefore = server.keys.lookups
    await minute(clock)
    expect(server.keys.lookups, 'one lookup for three sockets of one key').toBe(lookupsBefore + 1)
    server.keys.broken = true
    await minute(clock)
    server.keys.broken = false
    server.bus.book(bookUpdate('m', 2))
    server.stream.flush()
    for (const client of clients) {
      await client.frame((frame) => seqOf(frame) === 2)
      expect(client.frames.some((frame) => frame.type === 'error')).toBe(false)
    }
    server.keys.keys.delete('good')
    await minute(clock)
    await minute(clock)
    server.bus.book(bookUpdate('m', 3))
    server.stream.flush()
    for (const client of clients) {
      client.subscribe('another')
      client.unsubscribe('m')
      await client.frame((frame) => frame.type === 'unsubscribed')
      expect(client.frames.slice(3).map((frame) => frame.code ?? frame.type)).toEqual([
        'UNAUTHORIZED',
        'update',
        'UNAUTHORIZED',
        'unsubscribed',
      ])
    }
    server.keys.keys.set('good', principal())
    await minute(clock)
    clients[0]!.subscribe('another')
    await clients[0]!.frame((frame) => frame.type === 'subscribed' && frame.marketId === 'another')
  })

  it('ends arbitrage with PLAN_UPGRADE_REQUIRED when the plan no longer includes it, with UNAUTHORIZED when the key is revoked', async () => {
    const clock = new ManualClock()
    const peers = new Map<string, ChannelPeer>()
    const arbitrage = {
      entitled: ({ plan }: { plan: string }) => plan !== 'free',
      check: () => null,
      started: (peer: ChannelPeer, topic: string) => void peers.set(topic + peer.id, peer),
      stopped: (peer: ChannelPeer, topic: string) => void peers.delete(topic + peer.id),
    }
    server = await startServer({ clock, channels: { arbitrage } })
    const client = await Client.open(server.url)
    const arbitrageOp = { op: 'subscribeArbitrage', executableOnly: true }
    client.subscribe('m', 'trades')
    client.send(arbitrageOp)
    client.send(arbitrageOp)
    await client.count(3)
    expect(client.frames[1]).toEqual({ type: 'subscribed', channel: 'arbitrage' })
    expect(peers.size).toBe(1)
    for (const peer of peers.values()) expect(peer.offer('arbitrage', Buffer.from('{"type":"arbitrage"}'))).toBe('sent')
    await client.frame((frame) => frame.type === 'arbitrage')

    server.keys.keys.set('good', principal({ plan: 'free' }))
    await minute(clock)
    await client.frame((frame) => frame.code === 'PLAN_UPGRADE_REQUIRED' && frame.channel === 'arbitrage')
    expect(peers.size).toBe(0)
    client.send(arbitrageOp)
    await client.count(6)
    expect(client.frames[5]).toMatchObject({ code: 'PLAN_UPGRADE_REQUIRED', channel: 'arbitrage' })

    server.keys.keys.set('good', principal())
    await minute(clock)
    client.send(arbitrageOp)
    await client.count(7)
    server.keys.keys.delete('good')
    await minute(clock)
    await client.frame((frame) => frame.code === 'UNAUTHORIZED' && frame.channel === 'arbitrage')
    expect(peers.size).toBe(0)
    expect(client.closeCode).toBeNull()
    expect(server.stream.totals().subscriptions, 'the trades continue').toBe(1)
  })
})
