// The session frame by frame, and against the lab over a real socket.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { type ClientSocket, openSocket } from '#net/socket'
import { type StreamWorld, streamWorld } from '#test/support/streamFeed'
import { stream } from '#venues/opinion/data/stream'
import { opinion } from '#venues/opinion/index'
import { canHaveCandles, hasTradesTape } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const [yesToken, noToken, otherToken] = ['1', '2', '3'].map((digit) => digit.repeat(77)) as [string, string, string]
const [yes, no, other] = [`31:${yesToken}`, `31:${noToken}`, `32:${otherToken}`]
const worldOf = () => streamWorld('opinion', [yes, no, other], (feed) => stream.open(feed))
const command = (action: string, marketId: number) => JSON.stringify({ action, channel: 'market.depth.diff', marketId })
/** As recorded in ccxt 4.5.84 (MIT), field by field. */
const level = (tokenId: string, side: string, price: string, size: string) => ({
  marketId: 31,
  tokenId,
  outcomeSide: tokenId === yesToken ? 1 : 2,
  side,
  price,
  size,
  msgType: 'market.depth.diff',
})
/** Writes a REST snapshot into the book, like ingest does. */
function seed({ books, session }: StreamWorld, bookId: string, bids: [number, number][], asks: [number, number][]) {
  const book = books.get(bookId)!
  book.beginSnapshot()
  for (const [micros, size] of bids) book.set(0, micros, size)
  for (const [micros, size] of asks) book.set(1, micros, size)
  book.commit(null, 1)
  session.snapshotWritten?.(bookId, 1)
}
const contextOf = (urls: Record<string, string>, credentials: Record<string, string> | null): VenueContext => ({
  venue: 'opinion',
  http: { request: async () => Promise.reject(new Error('unexpected request')) },
  clock: new ManualClock(),
  log: silentLog,
  urls,
  credentials,
  signal: new AbortController().signal,
})

test('subscribes to a market once for both of its books, and unsubscribes when neither is wanted', () => {
  const { session, events } = worldOf()
  expect(session.subscribe([yes, other])).toEqual([command('SUBSCRIBE', 31), command('SUBSCRIBE', 32)])
  expect(session.subscribe([no, yes])).toEqual([])
  // The feed only sends changes, so books are first read over REST.
  expect(events).toEqual([`unseeded ${yes}`, `unseeded ${other}`, `unseeded ${no}`])
  expect(session.unsubscribe([yes])).toEqual([])
  expect(session.unsubscribe([no, other])).toEqual([command('UNSUBSCRIBE', 31), command('UNSUBSCRIBE', 32)])
  expect(session.subscribe([no])).toEqual([command('SUBSCRIBE', 31)])
  expect(session.unsubscribe(['garbage'])).toEqual([])
})

test('sets levels in the book of their token; changes from before the snapshot are applied on top of it', () => {
  const world = worldOf()
  world.session.subscribe([yes, no])
  expect(world.receive(level(yesToken, 'asks', '0.62', '140'))).toBe(true)
  expect(world.levels(yes)).toBeNull()
  seed(world, yes, [[500_000, 5]], [[620_000, 7]])
  seed(world, no, [], [])
  expect(world.levels(yes)).toEqual({ bids: [[500_000, 5]], asks: [[620_000, 140]] })
  world.receive(level(yesToken, 'bids', '0.5', '0'), level(yesToken, 'bids', '0.4999', '2.5'))
  world.receive(level(noToken, 'asks', '0.5001', '2.5'))
  expect(world.levels(yes)).toEqual({ bids: [[499_900, 2.5]], asks: [[620_000, 140]] })
  expect(world.levels(no)).toEqual({ bids: [], asks: [[500_100, 2.5]] })
})

test('ignores acknowledgements, echoes, and updates of books that are not wanted', () => {
  const world = worldOf()
  world.session.subscribe([yes])
  seed(world, yes, [[500_000, 5]], [])
  world.events.length = 0
  expect(world.receive({ code: 200, message: 'success', action: 'SUBSCRIBE' })).toBe(false)
  expect(world.receive({ msgType: 'market.last.trade', marketId: 31, tokenId: yesToken, price: '0.5' })).toBe(false)
  world.receive(level(noToken, 'bids', '0.5', '1'))
  expect([world.events, world.levels(yes)]).toEqual([[], { bids: [[500_000, 5]], asks: [] }])
})

test.each([
  ['an impossible price', level(yesToken, 'bids', '1', '5')],
  ['a size below zero', level(yesToken, 'bids', '0.5', '-1')],
  ['an exponent', level(yesToken, 'bids', '5e-1', '1')],
])('%s breaks the book it names, and no other', (_what, frame) => {
  const world = worldOf()
  world.session.subscribe([yes, no])
  for (const id of [yes, no]) seed(world, id, [[500_000, 5]], [])
  world.receive(frame)
  expect([world.levels(yes), world.levels(no)]).toEqual([null, { bids: [[500_000, 5]], asks: [] }])
})

test.each([['[]'], ['null'], ['no JSON'], [JSON.stringify({ msgType: 'market.depth.diff', marketId: 'x' })]])(
  '%s is malformed and touches no book',
  (frame) => {
    const world = worldOf()
    world.session.subscribe([yes])
    seed(world, yes, [[500_000, 5]], [])
    expect(world.receive(frame)).toBe(false)
    expect(world.events.some((line) => line.startsWith('malformed'))).toBe(true)
    expect(world.levels(yes)).toEqual({ bids: [[500_000, 5]], asks: [] })
  },
)

test('needs a key to connect, and has no list of trades', () => {
  expect(stream.connect(contextOf({ WS: 'wss://x' }, null))).toBeNull()
  expect(stream.connect(contextOf({ WS: 'wss://x' }, { API_KEY: 'a b' }))).toEqual({
    url: 'wss://x?apikey=a%20b',
    headers: {},
  })
  expect([hasTradesTape(opinion.data), canHaveCandles(opinion.data)]).toEqual([false, false])
})

describe('the lab', () => {
  let lab: Lab
  const sockets: ClientSocket[] = []
  beforeAll(async () => {
    lab = await startLab({ clock: systemClock, seed: 'stream', venues: ['opinion'], ratePerSecond: 0 })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.close()
    await lab.stop()
  })

  test('receives every change of both books of a market, with a valid key and a single subscription', async () => {
    const { engine, listing, urls, credentials, counters } = lab.opinion
    const [market] = listing.markets.filter(({ key }) => engine.statusOf(key) === 'open')
    const ids = market!.tokens.map((token) => `${market!.id}:${token}`) as [string, string]
    const world = streamWorld('opinion', ids, (feed) => stream.open(feed))
    const truth = (id: string) => {
      const { bids, asks } = lab.opinion.book(id)!
      return { bids, asks }
    }
    const closed: string[] = []
    const connect = (key: string, opened: (socket: ClientSocket) => void) => {
      const { url } = stream.connect(contextOf(urls, { API_KEY: key }))!
      const socket: ClientSocket = openSocket(
        url,
        {},
        {
          opened: () => opened(socket),
          frame: (data) => void world.session.receive(data, Date.now()),
          closed: (reason) => closed.push(reason),
        },
      )
      sockets.push(socket)
      return socket
    }
    connect('wrong', () => undefined)
    await vi.waitFor(() => expect(closed).toHaveLength(1))
    const socket = connect(credentials.API_KEY, (open) => {
      for (const text of world.session.subscribe(ids)) open.send(text)
    })
    await vi.waitFor(() => expect(counters().subscriptions[String(market!.id)]).toBe(1))
    for (const id of ids) seed(world, id, truth(id).bids, truth(id).asks)
    engine.run(market!.key, 300)
    for (const id of ids) await vi.waitFor(() => expect(world.levels(id)).toEqual(truth(id)))
    for (const text of world.session.unsubscribe(ids)) socket.send(text)
    await vi.waitFor(() => expect(counters().subscriptions[String(market!.id)]).toBeUndefined())
    expect(world.events.filter((line) => /^(?:broken|malformed|failed)/.test(line))).toEqual([])
  })
})
