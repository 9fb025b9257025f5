// Option prices from the lab venues to a socket: Rain and Myriad pools from their chains with the logs that changed
// them, Limitless pools by polling rows.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { createMetrics } from '#roles/metrics'
import { type OpenOptionPrices, openOptionPrices } from '#roles/optionPrices'
import { OptionPriceData } from '#schemas/optionPrices'
import { startStream } from '#stream/server'
import { KeyStore, MemoryBus, principal, testCatalog } from '#test/src/stream/support'
import { manifests, registry } from '#venues/registry'
import type { VenueContext } from '#venues/venueContext'

const clock = new ManualClock()
const venues = ['rain', 'myriad', 'limitless'] as const
type Venue = (typeof venues)[number]

let lab: Lab
let clients: OwnedHttpClient[]
let opened: OpenOptionPrices
let stream: Awaited<ReturnType<typeof startStream>>
// biome-ignore lint/suspicious/noExplicitAny: frames are whatever they are
const frames: any[] = []
let sendOp: (message: object) => void

beforeAll(async () => {
  lab = await startLab({ clock, seed: 'prices', venues, ratePerSecond: 0 })
  const signal = new AbortController().signal
  clients = venues.map((venue) => createHttpClient({ venue, requestsPerSecond: 10_000 }))
  const contexts = venues.map((venue, n): VenueContext => {
    const urls: Record<string, string> = { ...lab[venue].urls }
    // The chain of Limitless says nothing about its pools.
    if (venue === 'limitless') delete urls.RPC
    return { venue, http: clients[n]!, clock, log: silentLog, urls, credentials: null, signal }
  })
  opened = openOptionPrices({
    venues: contexts.map((context) => ({ manifest: registry[context.venue as Venue], context })),
    // An empty catalog, so the venues are queried.
    catalog: {
      findMarket: async () => null,
      findMarketNamed: async () => null,
      findOutcomes: async () => [],
      findEvents: async () => ({ rows: [], positions: [], next: null, total: 0, asOf: null }),
    },
    clock,
    log: silentLog,
  })
  const auth = new KeyStore()
  auth.keys.set('good', principal())
  stream = await startStream({
    bus: new MemoryBus(),
    clock,
    log: silentLog,
    auth,
    catalog: testCatalog,
    books: { get: () => undefined },
    limitsOf: () => ({ subscriptionsPerConnection: 20, streamConnections: 1 }),
    gatewayId: 'prices',
    channels: { price: opened.channel },
  })
  const connection = stream.open(
    {
      id: 1,
      send(bytes) {
        frames.push(JSON.parse(String(bytes)))
        return 'sent'
      },
      cork: (run) => run(),
      bufferedAmount: () => 0,
      close: () => undefined,
    },
    'good',
  )
  sendOp = (message) => connection.message(Buffer.from(JSON.stringify(message)), false)
}, 60_000)
afterAll(async () => {
  opened?.stop()
  await stream?.stop()
  await Promise.all((clients ?? []).map((client) => client.close()))
  await lab?.stop()
})

/** Waits for the next frames and takes all that have arrived. */
async function nextFrames(count: number) {
  await vi.waitFor(() => expect(frames.length).toBeGreaterThanOrEqual(count), { timeout: 25_000, interval: 5 })
  await new Promise((resolve) => setImmediate(resolve))
  return frames.splice(0)
}

/** Expects the acknowledgement and the first prices. */
async function subscribe(venue: Venue, marketId: string, marketAddress?: string) {
  sendOp({ op: 'subscribePrice', venue, marketId, marketAddress })
  expect(await nextFrames(1)).toMatchObject([{ type: 'subscribed', channel: 'price', venue, marketId }])
  clock.advance(0)
  const [frame, ...rest] = await nextFrames(1)
  expect(rest).toEqual([])
  expect(OptionPriceData.parse(frame.data)).toMatchObject({ provider: venue, marketId, triggeredBy: null })
  return frame
}

const isOpen = (venue: Venue) => (key: string) => lab[venue].engine.statusOf(key) === 'open'

test('supports the venues whose books are pools', () => {
  const named = manifests.flatMap(({ slug, data }) => (data.optionPrices === undefined ? [] : [slug]))
  expect(named.sort()).toEqual(['limitless', 'myriad', 'rain'])
})

describe('off a chain', () => {
  /** Trades until the chain emits a log, then waits for the frame. */
  async function moved(venue: 'rain' | 'myriad', key: string) {
    lab[venue].engine.run(key, 200)
    // Blocks are mined automatically, and no request is in flight here.
    clock.advance(3_000)
    const [frame, ...rest] = await nextFrames(1)
    expect(rest).toEqual([])
    return frame
  }

  test('sends all options of a Rain pool, then updates with the log that changed them, also for the pool’s own id', async () => {
    const pool = lab.rain.listing.pools.find(({ options }) => options.length > 1 && isOpen('rain')(options[0]!.key))!
    const { address, options } = pool
    const first = await subscribe('rain', `${address}:1`, address.toUpperCase().replace('0X', '0x'))
    const price = (key: string) => lab.rain.engine.market(key)!.midMicros() / 1e6
    const now = () =>
      options.map(({ key, option, catalog }) => ({
        choiceIndex: option,
        label: catalog.label,
        price01: price(key),
        rawPrice: String(BigInt(Math.round(price(key) * 1e6)) * 10n ** 12n),
      }))
    expect(first.data).toMatchObject({ marketAddress: address, prices: now() })
    const frame = await moved('rain', options[1]!.key)
    expect(frame.data.prices).toEqual(now())
    const { transactionHash, blockNumber, eventName, logIndex } = frame.data.triggeredBy
    const found = lab.rain.chain.find(transactionHash)!
    expect(found.block.number).toBe(blockNumber)
    expect(['EnterOption', 'ExecuteBuyOrder']).toContain(eventName)
    expect(logIndex).toBeGreaterThanOrEqual(0)
    expect(frame.data.asOfISO).toBe(new Date(lab.rain.chain.head.timestamp * 1_000).toISOString())
    // A later subscriber receives the same at once, without another read.
    sendOp({ op: 'subscribePrice', venue: 'rain', marketId: address, marketAddress: address })
    const [ack, again] = await nextFrames(2)
    expect([ack.type, again.data]).toEqual(['subscribed', { ...frame.data, marketId: address }])
    for (const marketId of [address, `${address}:1`]) sendOp({ op: 'unsubscribePrice', venue: 'rain', marketId })
    expect((await nextFrames(2)).map(({ type }) => type)).toEqual(['unsubscribed', 'unsubscribed'])
  })

  test('sends a Myriad pool on BNB Chain with the trade that changed it', async () => {
    const market = lab.myriad.listing.markets.find(
      ({ model, networkId, key }) => model === 'amm' && networkId === 56 && isOpen('myriad')(key),
    )!
    const marketId = `56:amm:${market.id}`
    const first = await subscribe('myriad', marketId)
    expect(first.marketAddress).toBe('0x39E66eE6b2ddaf4DEfDEd3038E0162180dbeF340')
    const frame = await moved('myriad', market.key)
    const micros = lab.myriad.engine.market(market.key)!.midMicros()
    expect(frame.data.prices.map(({ price01 }: { price01: number }) => Math.round(price01 * 1e6))).toEqual([
      micros,
      1e6 - micros,
    ])
    expect(frame.data.triggeredBy).toMatchObject({ eventName: 'MarketActionTx', blockNumber: expect.any(Number) })
    sendOp({ op: 'unsubscribePrice', venue: 'myriad', marketId })
    await nextFrames(1)
  })
})

describe('off a row', () => {
  test.each([
    [
      'myriad',
      () =>
        lab.myriad.listing.markets.find(
          ({ model, networkId, key }) => model === 'amm' && networkId === 2741 && isOpen('myriad')(key),
        )!,
      (id: number) => `2741:amm:${id}`,
    ] as const,
    [
      'limitless',
      () => lab.limitless.listing.markets.find(({ pool, key }) => pool !== null && isOpen('limitless')(key))!,
      null,
    ] as const,
  ])('polls a pool of %s and sends it when it changes', async (venue, find, nameOf) => {
    const market = find() as { key: string; id?: number; slug: string }
    const marketId = nameOf === null ? market.slug : nameOf(market.id!)
    const first = await subscribe(venue, marketId)
    const about = (prices: { price01: number }[]) => prices.map(({ price01 }) => price01)
    const micros = () => lab[venue].engine.market(market.key)!.midMicros()
    expect(Math.abs(about(first.data.prices)[0]! - micros() / 1e6)).toBeLessThan(0.002)
    expect(first.data.prices.map(({ choiceIndex }: { choiceIndex: number }) => choiceIndex)).toEqual([0, 1])
    expect(first.data.prices.every(({ rawPrice }: { rawPrice: string }) => rawPrice !== null)).toBe(true)
    const before = micros()
    for (let n = 0; n < 50 && Math.abs(micros() - before) < 20_000; n++) lab[venue].engine.run(market.key, 50)
    const everyMs = 60_000 / registry[venue].data.optionPrices.poll!.readsPerMinute
    for (let ms = 0; ms < 5_000; ms += everyMs) {
      clock.advance(everyMs)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const [frame] = await nextFrames(1)
    expect(frame.data.triggeredBy).toBeNull()
    expect(Math.abs(about(frame.data.prices)[0]! - micros() / 1e6)).toBeLessThan(0.002)
    sendOp({ op: 'unsubscribePrice', venue, marketId })
    await nextFrames(1)
  })
})

test('rejects markets with an order book, unknown markets and unknown venues, and starts nothing', async () => {
  const { address } = lab.rain.listing.pools[0]!
  const ob = lab.myriad.listing.markets.find(({ model }) => model === 'ob')!
  const clob = lab.limitless.listing.markets.find(({ pool }) => pool === null)!
  const refusals: [venue: string, marketId: string, marketAddress: string | undefined, code: string][] = [
    ['rain', `${address}:1`, undefined, 'BAD_MESSAGE'],
    ['rain', `${address}:1`, `0x${'1'.repeat(40)}`, 'MARKET_NOT_FOUND'],
    ['rain', `${address}:999`, address, 'MARKET_NOT_FOUND'],
    ['rain', `0x${'1'.repeat(40)}:1`, `0x${'1'.repeat(40)}`, 'MARKET_NOT_FOUND'],
    ['myriad', `56:ob:${ob.id}`, undefined, 'NOT_SUPPORTED'],
    ['myriad', '56:amm:99999', undefined, 'MARKET_NOT_FOUND'],
    ['limitless', clob.slug, undefined, 'NOT_SUPPORTED'],
    ['limitless', 'nothing-of-that-name', undefined, 'MARKET_NOT_FOUND'],
    ['smarkets', '1', undefined, 'EXCHANGE_NOT_AVAILABLE'],
  ]
  for (const [venue, marketId, marketAddress, code] of refusals) {
    sendOp({ op: 'subscribePrice', venue, marketId, marketAddress })
    expect(await nextFrames(1)).toMatchObject([{ type: 'error', code, channel: 'price', venue, marketId }])
  }
  // Made-up names: only a few are requested from the venue at the same time, each once.
  const requests = () => Object.values(lab.myriad.counters().httpRequests).reduce((sum, count) => sum + count, 0)
  const before = requests()
  const madeUp = Array.from({ length: 6 }, (_, n) => `56:amm:${88_000 + n}`)
  for (const marketId of madeUp) sendOp({ op: 'subscribePrice', venue: 'myriad', marketId })
  const codes = (await nextFrames(6)).map(({ code }) => code)
  expect(codes.toSorted()).toEqual([...Array(4).fill('MARKET_NOT_FOUND'), 'RATE_LIMITED', 'RATE_LIMITED'])
  sendOp({ op: 'subscribePrice', venue: 'myriad', marketId: madeUp[0] })
  expect(await nextFrames(1)).toMatchObject([{ code: 'MARKET_NOT_FOUND' }])
  expect(requests() - before).toBe(4)
  const metrics = createMetrics()
  opened.measure(metrics)
  const { text } = await metrics.text()
  for (const line of [
    'venue="rain",source="chain"',
    'venue="myriad",source="chain"',
    'venue="limitless",source="poll"',
  ])
    expect(text).toContain(`crossbook_option_price_pools_watched{${line}} 0`)
  metrics.stop()
})
