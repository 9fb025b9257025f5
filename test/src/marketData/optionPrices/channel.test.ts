// `subscribePrice` on the stream: acknowledgement first, then the frames of the specification; a rejection keeps the socket open.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createFindPool, type PricedVenue, priceChannel } from '#marketData/optionPrices/index'
import type { OnPrices, PoolPrices } from '#marketData/optionPrices/prices'
import type { Market } from '#schemas/market'
import { OptionPrice, OptionPriceData, PriceTrigger } from '#schemas/optionPrices'
import type { StreamChannels } from '#stream/ports'
import { startStream } from '#stream/server'
import type { SendResult } from '#stream/socket'
import { sampleMarket } from '#test/src/marketData/catalog/samples'
import { KeyStore, MemoryBus, principal, testCatalog } from '#test/src/stream/support'
import type { OptionPrices, PricedPool } from '#venues/optionPrices'

const specFile = fileURLToPath(new URL('../../../../../shared/spec.md', import.meta.url))
const spec = existsSync(specFile) ? readFileSync(specFile, 'utf8') : null
const skipped = spec === null ? ' (needs ../shared/spec.md)' : ''

const clock = new ManualClock()
const address = `0x${'A1'.repeat(20)}`
const triggeredBy = { eventName: 'EnterOption', transactionHash: '0xabc', blockNumber: 7, logIndex: 0 }
const pricesAt = (price01: number, by: PoolPrices['triggeredBy'] = null): PoolPrices => ({
  prices: [{ choiceIndex: 1, label: 'Ann', price01, rawPrice: '400000000000000000' }],
  triggeredBy: by,
  asOfMs: clock.now(),
})

const pooled: OptionPrices = {
  rowsOf: (marketId) => (/^pool|^book/.test(marketId) ? { marketId } : null),
  poolOf: (marketId, [market]): PricedPool | 'not_found' | 'order_book' =>
    market?.marketId !== marketId
      ? 'not_found'
      : marketId.startsWith('book')
        ? 'order_book'
        : { key: marketId, address, choices: [], contract: null },
}

async function open({ isLit = true, rows = async (id: string): Promise<Market[] | null> => [sampleMarket(id)] } = {}) {
  const listeners = new Set<OnPrices>()
  const looked: string[] = []
  let watchersMax = 9
  const venue: PricedVenue = {
    prices: pooled,
    context: { urls: {} },
    nameOf: (marketId) => marketId.replace(/^amm:/, ''),
    async findNamed(name) {
      if (name === 'token of pool') return { by: 'outcome', marketId: 'pool' }
      return name === 'slug-of-pool' ? { by: 'other', marketId: 'pool' } : null
    },
    findRows(of) {
      const id = 'marketId' in of ? of.marketId : of.eventId
      looked.push(id)
      return rows(id)
    },
    watcherOf: () =>
      listeners.size >= watchersMax
        ? null
        : (onPrices) => {
            listeners.add(onPrices)
            onPrices(pricesAt(0.4))
            return () => void listeners.delete(onPrices)
          },
  }
  const venues = new Map<string, PricedVenue>([
    ['amm', venue],
    ['rain', { ...venue, prices: { ...pooled, needsAddress: true } }],
    ['nodeless', { ...venue, prices: { ...pooled, missing: () => 'no node is configured' } }],
    ['books', { ...venue, prices: undefined }],
  ])
  const keyStore = new KeyStore()
  keyStore.keys.set('good', principal({ plan: 'free' }))
  const channels: StreamChannels = isLit ? { price: priceChannel(createFindPool(venues), clock) } : {}
  const stream = await startStream({
    bus: new MemoryBus(),
    clock,
    log: silentLog,
    auth: keyStore,
    catalog: testCatalog,
    books: { get: () => undefined },
    limitsOf: () => ({ subscriptionsPerConnection: 3, streamConnections: 9 }),
    gatewayId: 'prices',
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
  const sendMessage = (...messages: object[]) => {
    for (const message of messages) connection.message(Buffer.from(JSON.stringify(message)), false)
  }
  return {
    stream,
    connection,
    peer,
    listeners,
    looked,
    sendMessage,
    take: () => frames.splice(0),
    limit: (pools: number) => {
      watchersMax = pools
    },
    /** The frames sent after all requests were answered. */
    async sendAndTake(...messages: object[]) {
      sendMessage(...messages)
      await new Promise((resolve) => setImmediate(resolve))
      return frames.splice(0)
    },
  }
}

const subscribe = (marketId = 'pool', more: object = {}) => ({ op: 'subscribePrice', venue: 'amm', marketId, ...more })
const unsubscribe = (marketId = 'pool', more: object = {}) => ({ ...subscribe(marketId, more), op: 'unsubscribePrice' })
const named = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!)

it('acknowledges with the caller’s fields, then sends the known price and every change', async () => {
  const { sendAndTake, listeners, take, stream } = await open()
  const marketAddress = address.toLowerCase()
  const [ack, first, ...rest] = await sendAndTake(subscribe('amm:pool', { venue: 'AMM', marketAddress }))
  expect(ack).toEqual({
    ...{ type: 'subscribed', channel: 'price', venue: 'amm', marketId: 'amm:pool' },
    ...{ catalogMarketId: 'pool', nativeId: 'pool' },
  })
  expect(first).toEqual({
    type: 'price',
    venue: 'amm',
    marketId: 'amm:pool',
    marketAddress,
    ts: clock.now(),
    data: {
      provider: 'amm',
      marketId: 'pool',
      marketAddress: address,
      prices: [{ choiceIndex: 1, label: 'Ann', price01: 0.4, rawPrice: '400000000000000000' }],
      triggeredBy: null,
      asOfISO: new Date(clock.now()).toISOString(),
    },
  })
  expect(rest).toEqual([])
  for (const onPrices of listeners) onPrices(pricesAt(0, triggeredBy))
  const [next] = take()
  expect(next.data).toMatchObject({ prices: [{ price01: 0 }], triggeredBy })
  // A repeated subscription, also with another name, is one.
  const again = await sendAndTake(subscribe('amm:pool', { marketAddress }), subscribe('amm:pool'))
  expect([again.filter(({ type }) => type === 'subscribed').length, listeners.size]).toEqual([2, 1])
  expect(await sendAndTake(unsubscribe('amm:pool'))).toEqual([
    { type: 'unsubscribed', channel: 'price', venue: 'amm', marketId: 'amm:pool' },
  ])
  expect(listeners.size).toBe(0)
  await stream.stop()
})

it.skipIf(spec === null)(
  `has the frame, the operations and the acknowledgement of the specification${skipped}`,
  async () => {
    const row = /^\| `price` \|(.*)\|$/m.exec(spec!)![1]!
    const [, top, data, prices, trigger, nulls] =
      /^(.*?), `data` \{(.*?)\[\{(.*?)\}\], `triggeredBy` \{(.*?)\} or null.*?; (.*) may be null/.exec(row)!
    const { sendAndTake, take, listeners, stream } = await open()
    const [ack] = await sendAndTake(subscribe())
    for (const onPrices of listeners) onPrices(pricesAt(0.5, triggeredBy))
    const [frame] = take()
    expect(Object.keys(frame)).toEqual(['type', ...named(top!), 'ts', 'data'])
    expect(Object.keys(frame.data)).toEqual([...named(data!), 'triggeredBy', 'asOfISO'])
    expect(OptionPriceData.parse(frame.data)).toEqual(frame.data)
    expect(Object.keys(frame.data.prices[0])).toEqual(named(prices!))
    expect(Object.keys(frame.data.triggeredBy)).toEqual(named(trigger!))
    const nullable = named(nulls!.split(' and every ')[0]!)
    for (const [name, shape] of Object.entries(OptionPrice.shape))
      expect([name, shape.safeParse(null).success]).toEqual([name, nullable.includes(name)])
    for (const shape of Object.values(PriceTrigger.shape)) expect(shape.safeParse(null).success).toBe(true)
    expect(nulls).toContain('every `triggeredBy` field')

    const op = /^\| `subscribePrice` \/ `unsubscribePrice` \| (.*) \|$/m.exec(spec!)![1]!
    expect(op).toMatch(/`marketAddress` \(rain\)/)
    expect(named(op)).toEqual(['venue', 'marketId', 'marketAddress'])
    const acks = /^- per market: (.*);$/m.exec(spec!)![1]!
    expect(named(acks)).toContain('price')
    // After them, the resolved names.
    const found = ['catalogMarketId', 'nativeId']
    expect(Object.keys(ack)).toEqual(['type', ...named(acks.replace(/\(.*?\)/, '')), ...found])
    await stream.stop()
  },
)

it('rejects with the caller’s fields, keeps the socket open and starts nothing', async () => {
  const { sendAndTake, listeners, looked, limit, stream } = await open({
    rows: async (id) => (id.endsWith('gone') ? null : [sampleMarket(id)]),
  })
  const refusals: [op: object, code: string][] = [
    [subscribe('pool', { venue: 'smarkets' }), 'EXCHANGE_NOT_AVAILABLE'],
    [subscribe('pool', { venue: 'constructor' }), 'EXCHANGE_NOT_AVAILABLE'],
    [subscribe('pool', { venue: 'books' }), 'NOT_SUPPORTED'],
    [subscribe('pool', { venue: 'nodeless' }), 'NOT_SUPPORTED'],
    [subscribe('pool', { venue: 'rain' }), 'BAD_MESSAGE'],
    [subscribe('nonsense'), 'MARKET_NOT_FOUND'],
  ]
  for (const [op, code] of refusals) {
    expect(await sendAndTake(op), code).toEqual([expect.objectContaining({ type: 'error', code, channel: 'price' })])
  }
  // None of them reached the venue.
  expect(looked).toEqual([])
  const rejections: typeof refusals = [
    [subscribe('book'), 'NOT_SUPPORTED'],
    [subscribe('pool gone'), 'MARKET_NOT_FOUND'],
    [subscribe('pool', { marketAddress: '0x1' }), 'MARKET_NOT_FOUND'],
    [subscribe('pool', { venue: 'rain', marketAddress: '0x1' }), 'MARKET_NOT_FOUND'],
  ]
  for (const [op, code] of rejections) {
    const { venue, marketId } = op as { venue: string; marketId: string }
    expect(await sendAndTake(op)).toMatchObject([{ type: 'error', code, channel: 'price', venue, marketId }])
  }
  for (const bad of [
    { marketId: '' },
    { marketId: 7 },
    { venue: 7 },
    { marketAddress: 7 },
    { marketAddress: '' },
    { marketAddress: `0X${'1'.repeat(40)}` },
  ])
    expect((await sendAndTake(subscribe('pool', bad)))[0]).toMatchObject({ type: 'error', code: 'BAD_MESSAGE' })
  expect(await sendAndTake(unsubscribe())).toMatchObject([{ code: 'NOT_SUBSCRIBED', venue: 'amm', marketId: 'pool' }])
  limit(0)
  expect(await sendAndTake(subscribe())).toMatchObject([{ code: 'SUBSCRIPTION_LIMIT' }])
  expect([listeners.size, stream.totals().subscriptions]).toEqual([0, 0])
  limit(9)
  expect(await sendAndTake(subscribe('pool', { venue: 'rain', marketAddress: address }))).toHaveLength(2)
  await stream.stop()
})

it('accepts an outcome of the catalog by either name, and echoes the requested one', async () => {
  const { sendAndTake, listeners, stream } = await open()
  const byOutcome = (op: string) => ({ op, venue: 'amm', outcomeId: 'token of pool' })
  const named = { channel: 'price', venue: 'amm', marketId: 'token of pool', outcomeId: 'token of pool' }
  const [ack, frame] = await sendAndTake(byOutcome('subscribePrice'))
  expect(ack).toEqual({ type: 'subscribed', ...named, catalogMarketId: 'pool', nativeId: 'pool' })
  expect(frame).toMatchObject({ marketId: 'token of pool', data: { marketId: 'pool' } })
  expect(await sendAndTake(byOutcome('unsubscribePrice'))).toEqual([{ type: 'unsubscribed', ...named }])
  expect(listeners.size).toBe(0)
  expect((await sendAndTake(subscribe('token of pool')))[1]).toMatchObject({ data: { marketId: 'pool' } })
  const { marketId: _, ...nameless } = subscribe()
  for (const bad of [nameless, { ...subscribe(), outcomeId: 'pool' }])
    expect(await sendAndTake(bad)).toMatchObject([
      { code: 'BAD_MESSAGE', channel: 'price', message: expect.stringMatching(/^marketId: .*outcomeId.*only one/) },
    ])
  await stream.stop()
})

it('suggests a valid name for an unknown one', async () => {
  const { sendAndTake, stream } = await open({ rows: async (id) => (id === 'pool' ? [sampleMarket(id)] : null) })
  const [refused] = await sendAndTake(subscribe('slug-of-pool'))
  expect(refused).toMatchObject({
    ...{ code: 'MARKET_NOT_FOUND', message: 'the venue has no such market; did you mean pool?' },
  })
  const [, instead] = /did you mean (\S+)\?/.exec(refused.message)!
  expect(await sendAndTake(subscribe(instead))).toMatchObject([{ type: 'subscribed' }, { type: 'price' }])
  expect(await sendAndTake(subscribe('pool', { marketAddress: '0x1' }))).toMatchObject([
    { code: 'MARKET_NOT_FOUND', message: expect.stringContaining(address) },
  ])
  await stream.stop()
})

it('reports an unavailable catalog, and a retry is a new lookup', async () => {
  let isAway = true
  const { sendAndTake, listeners, stream } = await open({
    rows: async (id) => {
      if (isAway) throw new Error('secret of the database')
      return [sampleMarket(id)]
    },
  })
  const frames = await sendAndTake(subscribe())
  expect(frames).toMatchObject([{ type: 'error', code: 'CATALOG_UNAVAILABLE', channel: 'price', marketId: 'pool' }])
  expect(JSON.stringify(frames)).not.toContain('secret')
  isAway = false
  expect(await sendAndTake(subscribe())).toHaveLength(2)
  expect(listeners.size).toBe(1)
  await stream.stop()
})

it('reports that a venue receives too many requests', async () => {
  const { sendAndTake, stream } = await open({
    rows: () => Promise.reject(new Fault('RATE_LIMITED', 'words of the inside')),
  })
  const frames = await sendAndTake(subscribe())
  expect(frames).toMatchObject([{ type: 'error', code: 'RATE_LIMITED', channel: 'price', marketId: 'pool' }])
  expect(frames[0].message).toMatch(/unknown to the catalog/)
  await stream.stop()
})

it('queues a bounded number of messages while the market is looked up', async () => {
  const waiting: (() => void)[] = []
  const { sendAndTake, sendMessage, take, listeners, looked, connection, stream } = await open({
    rows: (id) => new Promise((resolve) => waiting.push(() => resolve([sampleMarket(id)]))),
  })
  const answer = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  sendMessage(subscribe(), unsubscribe(), unsubscribe(), { op: 'unsubscribeOrders' })
  // Another subscription does not wait.
  expect(take()).toMatchObject([{ code: 'NOT_SUBSCRIBED', channel: 'orders' }])
  answer()
  expect((await sendAndTake()).map(({ type, code }) => code ?? type)).toEqual([
    'subscribed',
    'price',
    'unsubscribed',
    'NOT_SUBSCRIBED',
  ])
  expect([looked, listeners.size]).toEqual([['pool'], 0])
  sendMessage(subscribe(), ...Array.from({ length: 70 }, () => unsubscribe()))
  expect(take().map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'RATE_LIMITED'))
  connection.closed()
  answer()
  expect(await sendAndTake()).toEqual([])
  expect(listeners.size).toBe(0)
  await stream.stop()
})

it('counts against the plan, also during the lookup, and ends with its socket', async () => {
  const { sendAndTake, listeners, connection, stream } = await open()
  const frames = await sendAndTake(...['pool1', 'pool2', 'pool3', 'pool4'].map((id) => subscribe(id)))
  expect(frames.filter(({ type }) => type === 'error')).toMatchObject([
    { code: 'SUBSCRIPTION_LIMIT', marketId: 'pool4' },
  ])
  expect(listeners.size).toBe(3)
  connection.closed()
  expect(listeners.size).toBe(0)
  await stream.stop()
})

it('drops frames for a slow socket, and queues none', async () => {
  const { sendAndTake, listeners, peer, stream } = await open()
  await sendAndTake(subscribe())
  Object.assign(peer, { buffered: 1_000_000, result: 'buffered' })
  for (const onPrices of listeners) for (let n = 0; n < 100; n++) onPrices(pricesAt(n / 100))
  const { produced, sent, dropped } = stream.totals()
  expect([produced, sent + dropped]).toEqual([101, 101])
  expect(dropped).toBeGreaterThan(90)
  await stream.stop()
})

it('is not supported where prices are not read', async () => {
  const { sendAndTake, stream } = await open({ isLit: false })
  expect(await sendAndTake(subscribe())).toMatchObject([{ code: 'NOT_SUPPORTED', channel: 'price', marketId: 'pool' }])
  await stream.stop()
})
