// The session frame by frame, and against the lab over a real socket.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { type ClientSocket, openSocket } from '#net/socket'
import { streamWorld } from '#test/support/streamFeed'
import { stream } from '#venues/limitless/data/stream'
import { limitless } from '#venues/limitless/index'
import { hasTradesTape } from '#venues/venue'
import { fixture, venueOf } from './support.ts'

const pool = `0x${'aB'.repeat(20)}`
const [first, second, ofPool] = ['one-1:yes', 'two-2:yes', `${pool}:yes`]
const all = [first, second, ofPool]

function entered() {
  const world = streamWorld('limitless', all, (feed) => stream.open(feed))
  world.session.subscribe([first, ofPool])
  world.receive('0{"sid":"x","upgrades":[],"pingInterval":25000,"pingTimeout":20000}', '40/markets,{"sid":"y"}')
  return world
}
const event = (name: string, payload: unknown) => `42/markets,${JSON.stringify([name, payload])}`
const wanted = (marketSlugs: string[], marketAddresses: string[] = []) =>
  event('subscribe_market_prices', { marketSlugs, marketAddresses })
const at = (ms: number) => new Date(1_790_000_000_000 + ms).toISOString()
const level = (price: number, size: number) => ({ price, size })
const update = (marketSlug: string, bids: unknown[], asks: unknown[], ms: number) =>
  event('orderbookUpdate', {
    marketSlug,
    orderbook: { bids, asks, tokenId: '1', adjustedMidpoint: 0.5, maxSpread: 0.03, minSize: 1 },
    timestamp: at(ms),
  })

test('each subscription lists all wanted markets, and a new book is read over REST first', () => {
  const world = entered()
  expect(world.sent.splice(0)).toEqual([
    '40/markets,',
    '42/markets,["subscribe_market_lifecycle"]',
    wanted(['one-1'], [pool]),
  ])
  expect(world.events.splice(0)).toEqual([`unseeded ${first}`, `unseeded ${ofPool}`])
  expect(world.session.subscribe([second])).toEqual([wanted(['one-1', 'two-2'], [pool])])
  expect(world.session.unsubscribe([first])).toEqual([wanted(['two-2'], [pool])])
  expect(world.session.unsubscribe([second, ofPool])).toEqual([wanted([])])
  expect(world.session.feeds(first)).toBe(false)
})

test('a whole book replaces the previous one, and an older one is ignored', () => {
  const world = entered()
  expect(
    world.receive(update('one-1', [level(0.4, 2_000_000), level(0.3, 1_500_000)], [level(0.6, 5_000_000)], 10)),
  ).toBe(true)
  expect(world.levels(first)).toEqual({
    bids: [
      [400_000, 2],
      [300_000, 1.5],
    ],
    asks: [[600_000, 5]],
  })
  world.receive(update('one-1', [level(0.41, 1_000_000)], [], 20), update('one-1', [level(0.2, 1_000_000)], [], 15))
  expect(world.levels(first)).toEqual({ bids: [[410_000, 1]], asks: [] })
  expect(world.session.feeds(first)).toBe(true)
  expect(world.receive(update('nobodys', [], [], 30))).toBe(true)
})

describe('frames with a version number', () => {
  const versioned = (version: unknown, price: number, ms: number) =>
    event('orderbookUpdate', {
      marketSlug: 'one-1',
      orderbook: { bids: [level(price, 1_000_000)], asks: [], tokenId: '1' },
      version,
      timestamp: at(ms),
    })
  const bid = (world: ReturnType<typeof entered>) => world.levels(first)?.bids[0]?.[0]

  test('are ordered by version, whatever their timestamps', () => {
    const world = entered()
    world.receive(versioned(504_852, 0.4, 20), versioned(504_851, 0.3, 30))
    expect(bid(world)).toBe(400_000)
    world.receive(versioned(504_900, 0.5, 10))
    expect(bid(world)).toBe(500_000)
  })

  test('are ordered by time against frames without a version', () => {
    const world = entered()
    world.receive(versioned(7, 0.4, 20), versioned(undefined, 0.3, 10))
    expect(bid(world)).toBe(400_000)
    world.receive(versioned(undefined, 0.5, 30))
    expect(bid(world)).toBe(500_000)
    world.receive(versioned(8, 0.6, 40), versioned('9', 0.2, 35))
    expect(bid(world)).toBe(600_000)
  })

  test('a restarted version counter is followed once the time has moved on by five seconds', () => {
    const world = entered()
    world.receive(versioned(9_000_000, 0.4, 0), versioned(1, 0.3, 4_999))
    expect(bid(world)).toBe(400_000)
    world.receive(versioned(2, 0.5, 5_000), versioned(3, 0.6, 5_001))
    expect(bid(world)).toBe(600_000)
  })

  test('a duplicate frame gives the same book', () => {
    const world = entered()
    world.receive(versioned(7, 0.4, 0), versioned(7, 0.4, 0))
    expect(bid(world)).toBe(400_000)
  })
})

test('a frame recorded by a third party on 2026-09-01 is a whole book', () => {
  // github.com/codebuster22/pm-ws-preview, tests/wire_observed.rs (MIT).
  const frame =
    '42/markets,["orderbookUpdate",{"marketSlug":"btc-up-or-down-5-min-1788267900","orderbook":{"bids":[{"price":0.002,"size":50000000,"side":"BUY"}],"asks":[{"price":0.998,"size":50000000,"side":"SELL"}],"tokenId":"83416341894274737086755695271958877285974747994652828356442717729857948830534","adjustedMidpoint":0.5,"midpoint":0.5,"maxSpread":0.065,"minSize":50000000},"version":504852,"timestamp":"2026-09-01T13:09:45.277Z"}]'
  const bookId = 'btc-up-or-down-5-min-1788267900:yes'
  const world = streamWorld('limitless', [bookId], (feed) => stream.open(feed))
  world.session.subscribe([bookId])
  world.receive('0{"sid":"x","upgrades":[],"pingInterval":25000,"pingTimeout":60000}', '40/markets,{"sid":"y"}')
  expect(world.receive(frame)).toBe(true)
  expect(world.levels(bookId)).toEqual({ bids: [[2_000, 50]], asks: [[998_000, 50]] })
})

test('an unreadable level breaks the book', () => {
  const world = entered()
  world.receive(update('one-1', [level(0.4, 2_000_000)], [], 10))
  world.receive(update('one-1', [level(0.4, 2_000_000), level(1.4, 1)], [], 20))
  expect(world.levels(first)).toBeNull()
  expect(world.events.at(-1)).toBe(`broken ${first} unreadable`)
})

test('a pool price becomes one level a step either side, for any case of its address; older blocks are ignored', () => {
  const world = entered()
  const priced = (yesPrice: number, blockNumber: number, marketAddress = pool.toLowerCase()) =>
    event('newPriceData', {
      marketAddress,
      updatedPrices: [{ marketId: 1, marketAddress, yesPrice, noPrice: 1 - yesPrice }],
      blockNumber,
      timestamp: at(blockNumber),
    })
  world.receive(priced(0.4283, 7))
  expect(world.levels(ofPool)).toEqual({ bids: [[427_000, 1]], asks: [[429_000, 1]] })
  world.receive(priced(0.5, 6))
  expect(world.levels(ofPool)?.bids).toEqual([[427_000, 1]])
  world.receive(priced(42.8, 8))
  expect(world.levels(ofPool)).toBeNull()
  expect(world.events.at(-1)).toBe(`broken ${ofPool} unreadable`)
})

test('publishes resolutions, ignores unrelated events, and counts malformed ones', () => {
  const world = entered()
  world.events.splice(0)
  world.receive(
    event('marketResolved', {
      slug: 'one-1',
      type: 'CLOB',
      winningOutcome: 'YES',
      winningIndex: 0,
      resolutionDate: at(0),
    }),
  )
  world.receive(event('system', { message: 'hello' }), event('marketCreated', { slug: 'three-3' }))
  world.receive(
    event('orderbookUpdate', { marketSlug: 7 }),
    event('newPriceData', null),
    event('exception', { message: 'no' }),
  )
  expect(world.events.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'status one-1 resolved',
    expect.stringMatching(/^malformed/),
    expect.stringMatching(/^malformed/),
    'malformed an event',
  ])
})

test('has no trades, because the recorder reads them over REST', () => {
  expect([stream.hasTrades, hasTradesTape(limitless.data)]).toEqual([false, true])
  expect(stream.connect({ ...venueOf({}).context, urls: { WS: 'wss://ws.limitless.exchange' } })?.url).toBe(
    'wss://ws.limitless.exchange/socket.io/?EIO=4&transport=websocket',
  )
  // The same format over REST and on the socket.
  expect(Object.keys(fixture('orderbook') as object)).toEqual(expect.arrayContaining(['bids', 'asks', 'tokenId']))
})

describe('the lab', () => {
  let lab: Lab
  const sockets: ClientSocket[] = []
  beforeAll(async () => {
    lab = await startLab({ clock: systemClock, seed: 'stream', venues: ['limitless'], ratePerSecond: 0 })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.close()
    await lab.stop()
  })

  test('receives each book exactly, and nothing for books that are no longer wanted', async () => {
    const { engine, listing, urls, faults } = lab.limitless
    const open = listing.markets.filter(({ key }) => engine.statusOf(key) === 'open')
    const clob = open.filter((market) => market.pool === null).slice(0, 2)
    const pooled = open.find((market) => market.pool !== null)!
    const ids = [...clob.map(({ slug }) => `${slug}:yes`), `${pooled.pool}:yes`] as [string, string, string]
    const world = streamWorld('limitless', ids, (feed) => stream.open(feed))
    const { url } = stream.connect({ ...venueOf({}).context, urls })!
    const send = (texts: readonly string[]) => texts.map((text) => socket.send(text))
    const socket: ClientSocket = openSocket(
      url,
      {},
      {
        opened: () => void send(world.session.subscribe(ids)),
        frame(data) {
          world.session.receive(data, Date.now())
          send(world.sent.splice(0))
        },
        closed: (reason) => world.events.push(`closed ${reason}`),
      },
    )
    sockets.push(socket)
    const isSubscribed = () => ids.every((id) => lab.limitless.counters().subscriptions[id.split(':')[0]!] === 1)
    await vi.waitFor(() => expect(isSubscribed()).toBe(true))
    for (const { key } of [...clob, pooled]) engine.run(key, 200)
    const truth = (id: string) => {
      const { bids, asks } = lab.limitless.book(id)!
      return { bids, asks }
    }
    for (const id of ids) await vi.waitFor(() => expect(world.levels(id)).toEqual(truth(id)))
    send(world.session.unsubscribe([ids[0]]))
    await vi.waitFor(() => expect(isSubscribed()).toBe(false))
    faults.resolve({ market: ids[1], result: 'yes' })
    await vi.waitFor(() => expect(world.events).toContain(`status ${clob[1]!.slug} resolved`))
    expect(world.levels(ids[1])).toEqual({ bids: [], asks: [] })
    expect(world.events.filter((line) => /^(?:broken|malformed|failed|closed)/.test(line))).toEqual([])
  })
})
