// The socket of the older API family: the messages of its published clients, and the responses.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '#core/clock'
import { closeFlood } from '#schemas/stream'
import { bookUpdate, principal, tradeUpdate } from '../../stream/support.ts'
import { startServer, type TestServer } from './support.ts'

interface OlderFrame {
  event: string
  id?: string
  symbol?: string
  // biome-ignore lint/suspicious/noExplicitAny: frames are looked at by path
  data?: any
  error?: { code: string; message: string }
}

const patient = { timeout: 25_000, interval: 5 }
let server: TestServer
let sockets: WebSocket[]
beforeEach(async () => {
  sockets = []
  server = await startServer({
    withOlder: true,
    limitsOf: () => ({ subscriptionsPerConnection: 3, streamConnections: 9 }),
  })
})
afterEach(async () => {
  for (const socket of sockets) socket.terminate()
  await server.stop()
})

function open(query = '?apiKey=good', headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.gateway.port}/ws${query}`, { headers })
  sockets.push(socket)
  const frames: OlderFrame[] = []
  socket.on('message', (text) => frames.push(JSON.parse(String(text))))
  socket.on('error', () => undefined)
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  const send = (message: unknown) => {
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    if (socket.readyState === WebSocket.OPEN) socket.send(text)
    else socket.once('open', () => socket.send(text))
  }
  return {
    frames,
    closed,
    send,
    watch: (id: string, args: unknown[], method = 'watchOrderBook', exchange = 'Test') =>
      send({ id, action: 'subscribe', exchange, method, args }),
    find: (fits: (frame: OlderFrame) => boolean): Promise<OlderFrame> =>
      vi.waitFor(() => {
        const found = frames.find(fits)
        expect(found, JSON.stringify(frames.slice(-5))).toBeDefined()
        return found!
      }, patient),
  }
}
const isData = (id: string, size: number) => (frame: OlderFrame) =>
  frame.event === 'data' && frame.id === id && frame.data.bids[0].size === size

describe('keys', () => {
  it.each([
    ['in the address', '?apiKey=good', {}],
    ['in the header', '', { authorization: 'Bearer good' }],
  ])('%s opens it', async (_, query, headers) => {
    const client = open(query, headers as Record<string, string>)
    client.watch('r', ['m'])
    expect(await client.find(({ event }) => event === 'subscribed')).toEqual({
      event: 'subscribed',
      id: 'r',
      symbol: 'm',
    })
  })

  it.each(['?apiKey=wrong', '', '?apiKey=', '?token=good', '?apiKey=tradeonly', `?apiKey=${'x'.repeat(300)}`])(
    'an address that ends in "%.20s" gets an error under the id of its first request, and is closed',
    async (query) => {
      server.keys.keys.set('tradeonly', principal({ scopes: ['trade'] }))
      const client = open(query)
      client.watch('r', ['m'])
      expect(await client.closed).toBe(4001)
      expect(client.frames[0]).toMatchObject({ event: 'error', error: { code: 'UNAUTHORIZED' } })
    },
  )

  it('a request that waits for an invalid key is answered under its id', async () => {
    server.keys.held = []
    const client = open('?apiKey=wrong')
    client.watch('r', ['m'])
    client.send({ id: 'p', action: 'subscribe', exchange: 'test', method: '_ping', args: [] })
    await client.find(({ id }) => id === 'p')
    server.keys.release()
    expect(await client.find(({ event, id }) => event === 'error' && id === 'r')).toMatchObject({
      error: { code: 'UNAUTHORIZED' },
    })
  })
})

it('delivers a book from its snapshot on, cut to the requested levels, to each request', async () => {
  server.books.set('test:m', bookUpdate('m', 1, {}, 4))
  const client = open()
  client.watch('one', ['m', 2])
  expect(await client.find(isData('one', 1))).toMatchObject({
    method: 'watchOrderBook',
    symbol: 'm',
    source: 'test',
    data: { bids: [{ price: 0.41, size: 1 }], asks: [{ price: 0.42 }, { price: 0.43 }], timestamp: 1_790_000_000_001 },
  })
  client.watch('many', [['m', 'n']], 'watchOrderBooks')
  await client.find(({ id, symbol }) => id === 'many' && symbol === 'n')
  server.bus.book(bookUpdate('m', 2, {}, 4))
  expect((await client.find(isData('one', 2))).data.asks).toHaveLength(2)
  expect((await client.find(isData('many', 2))).data.asks).toHaveLength(5)
  // Repeating a list, as its clients do with each call, adds no subscription and ends the earlier request.
  client.watch('again', [['m']], 'watchOrderBooks')
  await client.find(({ id }) => id === 'again')
  server.bus.book(bookUpdate('m', 3))
  await client.find(isData('again', 3))
  expect(client.frames.filter(isData('many', 3))).toEqual([])
  expect(server.stream.totals().subscriptions).toBe(2)
})

it('delivers trades in the form of fetchTrades', async () => {
  const client = open()
  client.watch('t', ['m'], 'watchTrades')
  await client.find(({ event }) => event === 'subscribed')
  server.bus.trade(tradeUpdate('m', 7))
  const { data } = await client.find(({ event }) => event === 'data')
  expect(Object.keys(data[0])).toEqual(['id', 'timestamp', 'price', 'amount', 'side', 'outcomeId'])
  expect(data).toMatchObject([{ outcomeId: 'm', side: expect.stringMatching(/^(buy|sell|unknown)$/) }])
})

it('a stale book is an error and never a book; once live it continues', async () => {
  server.books.set('test:m', bookUpdate('m', 1))
  const client = open()
  client.watch('r', ['m'])
  await client.find(isData('r', 1))
  server.bus.book(bookUpdate('m', 2, { state: 'stale' }))
  expect(await client.find(({ event }) => event === 'error')).toMatchObject({
    id: 'r',
    error: { code: 'NETWORK_ERROR', message: expect.stringContaining('stale') },
  })
  server.bus.book(bookUpdate('m', 3))
  await client.find(isData('r', 3))
  expect(client.frames.filter(isData('r', 2))).toEqual([])
})

it('an unwatched book is no longer delivered, and leaves nothing behind', async () => {
  const client = open()
  client.watch('r', ['m'])
  await client.find(({ event }) => event === 'subscribed')
  client.send({ id: 'r', action: 'unsubscribe', exchange: 'test', method: 'unwatchOrderBook', args: ['m'] })
  await vi.waitFor(() => expect(server.stream.totals().subscriptions).toBe(0), patient)
  client.watch('anew', ['m'])
  await client.find(({ id }) => id === 'anew')
})

describe('refusals', () => {
  it.each([
    ['invalid JSON', 'nonsense', null, 'BAD_MESSAGE'],
    ['not an object', [1], null, 'BAD_MESSAGE'],
    ['a missing action', { id: 'r', exchange: 'test', method: 'watchOrderBook', args: ['m'] }, 'r', 'BAD_MESSAGE'],
    [
      'a missing market',
      { id: 'r', action: 'subscribe', exchange: 'test', method: 'watchOrderBook', args: [] },
      'r',
      'BAD_MESSAGE',
    ],
    [
      'invalid levels',
      { id: 'r', action: 'subscribe', exchange: 'test', method: 'watchOrderBook', args: ['m', 0] },
      'r',
      'BAD_MESSAGE',
    ],
    [
      'a wallet’s trades',
      { id: 'r', action: 'subscribe', exchange: 'test', method: 'watchTrades', args: ['m', '0x1'] },
      'r',
      'BAD_MESSAGE',
    ],
    [
      'a method of Object',
      { id: 'r', action: 'subscribe', exchange: 'test', method: 'toString', args: ['m'] },
      'r',
      'NOT_SUPPORTED',
    ],
    [
      'another method',
      { id: 'r', action: 'subscribe', exchange: 'test', method: '_ping', args: [] },
      'r',
      'NOT_SUPPORTED',
    ],
    [
      'another venue',
      { id: 'r', action: 'subscribe', exchange: 'x', method: 'watchOrderBook', args: ['m'] },
      'r',
      'EXCHANGE_NOT_AVAILABLE',
    ],
    [
      'an unknown market',
      { id: 'r', action: 'subscribe', exchange: 'test', method: 'watchOrderBook', args: ['none'] },
      'r',
      'MARKET_NOT_FOUND',
    ],
  ])('%s is answered under its id, and the socket stays open', async (_, message, id, code) => {
    const client = open()
    client.send(message)
    const refused = await client.find(({ event }) => event === 'error')
    expect([refused.id ?? null, refused.error!.code]).toEqual([id, code])
    client.watch('next', ['m'])
    await client.find((frame) => frame.id === 'next' && frame.event === 'subscribed')
  })

  it('enforces the plan’s subscription limit; a refused request may be repeated', async () => {
    const client = open()
    client.watch('many', [['a', 'b', 'c', 'd']], 'watchOrderBooks')
    expect(await client.find(({ event }) => event === 'error')).toMatchObject({
      id: 'many',
      error: { code: 'SUBSCRIPTION_LIMIT' },
    })
    client.watch('d', ['d'])
    expect(await client.find(({ id }) => id === 'd')).toMatchObject({ error: { code: 'SUBSCRIPTION_LIMIT' } })
    expect(server.stream.totals().subscriptions).toBe(3)
  })

  it('a flood closes the socket', async () => {
    const client = open()
    for (let i = 0; i < 2_000; i++) client.send('x')
    expect(await client.closed).toBe(closeFlood)
  })
})

it('exists only when enabled, and without an upgrade explains itself', async () => {
  const statusOf = async (one: TestServer) => (await fetch(`${one.gateway.url}/ws?apiKey=good`)).status
  expect(await statusOf(server)).toBe(426)
  const disabled = await startServer({ clock: new ManualClock(), http: () => ({ status: 404, headers: {}, body: '' }) })
  expect(await statusOf(disabled)).toBe(404)
  await disabled.stop()
})
