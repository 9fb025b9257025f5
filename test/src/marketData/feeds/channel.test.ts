// `subscribeFeedTicker` on the stream: acknowledgement first, then the frames of the specification; a rejection keeps the socket open.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { Feeds, ReferenceFeed } from '#marketData/feeds/index'
import { binanceMarkets, feedTickerChannel } from '#marketData/feeds/index'
import { emptyTicker } from '#marketData/feeds/tickers'
import { type FeedTicker, FeedTickerData } from '#schemas/feeds'
import type { StreamChannels } from '#stream/ports'
import { startStream } from '#stream/server'
import type { SendResult } from '#stream/socket'
import { KeyStore, MemoryBus, principal, testCatalog } from '#test/src/stream/support'

const specFile = fileURLToPath(new URL('../../../../../shared/spec.md', import.meta.url))
const spec = existsSync(specFile) ? readFileSync(specFile, 'utf8') : null

const clock = new ManualClock()
const priced: FeedTicker = {
  ...emptyTicker('BTC/USDT', 'binance-ws', clock.now(), { symbol: 'BTCUSDT' }),
  ...{ last: 96_000.5, baseVolume: 0, timestamp: clock.now(), datetime: new Date(clock.now()).toISOString() },
}
const unproven = emptyTicker('BTC/USDT', 'binance-ws', clock.now(), { unproven: 'silent' })

async function open(lit = true) {
  const listeners = new Set<(ticker: FeedTicker) => void>()
  const watched: string[] = []
  const binance: ReferenceFeed = {
    name: 'binance',
    markets: binanceMarkets(['BTC/USDT', 'ETH/USDT']),
    fetchTickers: async () => [],
    watchTicker(symbol, onTicker) {
      watched.push(symbol)
      listeners.add(onTicker)
      if (symbol === 'BTC/USDT') onTicker(priced)
      return () => void listeners.delete(onTicker)
    },
  }
  const feeds: Feeds = new Map([
    ['binance', binance],
    ['chainlink', { ...binance, name: 'chainlink', watchTicker: null }],
  ])
  const keyStore = new KeyStore()
  keyStore.keys.set('good', principal({ plan: 'enterprise' }))
  const channels: StreamChannels = lit ? { feedTicker: feedTickerChannel(feeds, clock) } : {}
  const stream = await startStream({
    bus: new MemoryBus(),
    clock,
    log: silentLog,
    auth: keyStore,
    catalog: testCatalog,
    books: { get: () => undefined },
    limitsOf: () => ({ subscriptionsPerConnection: 3, streamConnections: 9 }),
    gatewayId: 'feeds',
    channels,
  })
  // biome-ignore lint/suspicious/noExplicitAny: frames are whatever they are
  const frames: any[] = []
  const peer = { buffered: 0, result: 'sent' as SendResult }
  const connection = stream.open(
    {
      id: 1,
      send(bytes) {
        frames.push(JSON.parse(String(bytes)))
        return peer.result
      },
      cork: (run) => run(),
      bufferedAmount: () => peer.buffered,
      close: () => undefined,
    },
    'good',
  )
  return {
    stream,
    connection,
    frames,
    peer,
    listeners,
    watched,
    send: (message: object) => connection.message(Buffer.from(JSON.stringify(message)), false),
    take: () => frames.splice(0),
  }
}

const subscribe = (symbol = 'BTC/USDT', feed = 'binance') => ({ op: 'subscribeFeedTicker', feed, symbol })

it('acknowledges with the caller’s symbol, then sends the known ticker and every change', async () => {
  const { send, take, listeners, watched, stream } = await open()
  send(subscribe('btcusdt', 'Binance'))
  const [ack, first] = take()
  expect(ack).toEqual({ type: 'subscribed', channel: 'feedTicker', feed: 'Binance', symbol: 'btcusdt' })
  expect(first).toEqual({
    type: 'feedTicker',
    feed: 'Binance',
    symbol: 'btcusdt',
    ts: clock.now(),
    data: {
      symbol: 'BTC/USDT',
      asOf: priced.asOf,
      provenance: { source: 'binance-ws' },
      price: 96_000.5,
      // Data, not a gap.
      volume: 0,
      timestamp: clock.now(),
      datetime: priced.datetime,
      sourceMetadata: { symbol: 'BTCUSDT' },
    },
  })
  expect(watched).toEqual(['BTC/USDT'])
  for (const onTicker of listeners) onTicker(unproven)
  const [taken] = take()
  expect(Object.keys(taken.data)).toEqual(['symbol', 'asOf', 'provenance'])
  // A repeated subscription is one.
  send(subscribe('btcusdt', 'Binance'))
  expect([take().length, listeners.size]).toEqual([1, 1])
  send({ ...subscribe('btcusdt', 'Binance'), op: 'unsubscribeFeedTicker' })
  expect(take()).toEqual([{ type: 'unsubscribed', channel: 'feedTicker', feed: 'Binance', symbol: 'btcusdt' }])
  expect(listeners.size).toBe(0)
  await stream.stop()
})

it.skipIf(spec === null)(
  `sends data with the fields of the specification${spec === null ? ' (needs ../shared/spec.md)' : ''}`,
  () => {
    const row = /^\| `feedTicker` \|(.*)\|$/m.exec(spec!)![1]!
    const [, always, proven] = /\{(.*) always; (.*) only when proven\}/.exec(row)!
    const names = (text: string) => [...text.matchAll(/`?(\b[a-zA-Z]+\b)`?/g)].map(([, name]) => name!)
    const { shape } = FeedTickerData
    const isOptional = (name: string) => shape[name as keyof typeof shape].safeParse(undefined).success
    expect(Object.keys(shape).sort()).toEqual([...names(always!), ...names(proven!)].sort())
    for (const name of names(always!)) expect(isOptional(name), name).toBe(false)
    for (const name of names(proven!)) expect(isOptional(name), name).toBe(true)
  },
)

it.skipIf(spec === null)('takes the operations of the specification and acknowledges as it says', async () => {
  const op = /^\| `subscribeFeedTicker` \/ `unsubscribeFeedTicker` \| (.*) \|$/m.exec(spec!)![1]!
  expect([...op.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(['feed', 'symbol'])
  const ack = /^- feed ticker: (.*);$/m.exec(spec!)![1]!
  const [, ...fields] = [...ack.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
  const { send, take, stream } = await open()
  send(subscribe())
  const [subscribed] = take()
  expect(Object.keys(subscribed).sort()).toEqual(
    ['type', 'channel', ...fields.filter((name) => name !== 'feedTicker')].sort(),
  )
  expect(subscribed.channel).toBe(fields.find((name) => name === 'feedTicker'))
  await stream.stop()
})

it('returns NOT_SUPPORTED for unknown feeds and symbols, and starts nothing', async () => {
  const { send, take, listeners, stream } = await open()
  for (const [symbol, feed] of [
    ['BTC/USD', 'binance'],
    ['__proto__', 'binance'],
    ['BTC/USDT', 'kraken'],
    ['BTC/USDT', 'constructor'],
    // Without a node.
    ['BTC/USDT', 'chainlink'],
  ] as const) {
    send(subscribe(symbol, feed))
    const [frame, ...rest] = take()
    expect(frame).toMatchObject({ type: 'error', code: 'NOT_SUPPORTED', channel: 'feedTicker', feed, symbol })
    expect(rest).toEqual([])
    send({ ...subscribe(symbol, feed), op: 'unsubscribeFeedTicker' })
    expect(take()[0]).toMatchObject({ type: 'error', code: 'NOT_SUBSCRIBED', feed, symbol })
  }
  for (const bad of [{ feed: 'binance' }, { symbol: 'BTC/USDT' }, { feed: 1, symbol: 2 }, { feed: '', symbol: '' }]) {
    send({ op: 'subscribeFeedTicker', ...bad })
    expect(take()[0]).toMatchObject({ type: 'error', code: 'BAD_MESSAGE' })
  }
  expect(listeners.size).toBe(0)
  await stream.stop()
})

it('counts against the plan, and ends with its socket', async () => {
  const { send, take, listeners, connection, stream } = await open()
  for (const symbol of ['BTC/USDT', 'ETH/USDT', 'BTCUSDT', 'ETHUSDT']) send(subscribe(symbol))
  expect(take().at(-1)).toMatchObject({ type: 'error', code: 'SUBSCRIPTION_LIMIT' })
  expect(listeners.size).toBe(3)
  connection.closed()
  expect(listeners.size).toBe(0)
  await stream.stop()
})

it('drops frames for a slow socket, and queues none', async () => {
  const { send, take, listeners, peer, stream } = await open()
  send(subscribe())
  take()
  Object.assign(peer, { buffered: 1_000_000, result: 'buffered' })
  for (const onTicker of listeners) for (let n = 0; n < 100; n++) onTicker({ ...priced, last: n + 1 })
  const { produced, sent, dropped } = stream.totals()
  expect([produced, sent + dropped]).toEqual([101, 101])
  expect(dropped).toBeGreaterThan(90)
  await stream.stop()
})

it('is not supported where feeds are disabled', async () => {
  const { send, take, stream } = await open(false)
  send(subscribe())
  expect(take()).toMatchObject([{ type: 'error', code: 'NOT_SUPPORTED', feed: 'binance', symbol: 'BTC/USDT' }])
  await stream.stop()
})
