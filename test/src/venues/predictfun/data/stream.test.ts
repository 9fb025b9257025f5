// The session frame by frame, and against the lab over a real socket.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { type ClientSocket, openSocket } from '#net/socket'
import { streamWorld } from '#test/support/streamFeed'
import { stream } from '#venues/predictfun/data/stream'
import { predictfun } from '#venues/predictfun/index'
import { hasTradesTape } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { socketBook } from '../fixtures/recorded.ts'

const worldOf = () => streamWorld('predictfun', ['2107', '8'], (feed) => stream.open(feed))
const parseCommand = (text: string) => JSON.parse(text) as { method: string; requestId: number; params: string[] }
const book = (more: object = {}, marketId = 2107) => {
  const frame = socketBook()
  return { ...frame, topic: `predictOrderbook/${marketId}`, data: { ...frame.data, marketId, ...more } }
}
const contextOf = (urls: Record<string, string>, credentials: Record<string, string> | null): VenueContext => ({
  venue: 'predictfun',
  http: { request: async () => Promise.reject(new Error('unexpected request')) },
  clock: new ManualClock(),
  log: silentLog,
  urls,
  credentials,
  signal: new AbortController().signal,
})

test('subscribes to every book separately, and reads it over REST after the acknowledgement', () => {
  const { session, events, receive } = worldOf()
  const texts = session.subscribe(['2107', '8', '2107']).map(parseCommand)
  expect(texts.map(({ method, params }) => [method, params])).toEqual([
    ['subscribe', ['predictOrderbook/2107']],
    ['subscribe', ['predictOrderbook/8']],
  ])
  expect(receive({ type: 'R', requestId: texts[0]!.requestId, success: true })).toBe(false)
  expect(events).toEqual(['unseeded 2107'])
  expect([session.feeds('2107'), session.feeds('8')]).toEqual([true, false])
  const [left] = session.unsubscribe(['8']).map(parseCommand)
  expect(left).toMatchObject({ method: 'unsubscribe', params: ['predictOrderbook/8'] })
  receive({ type: 'R', requestId: left!.requestId, success: true })
  expect(events).toHaveLength(1)
})

test('a recorded book replaces the previous one, and an older one is ignored', () => {
  const world = worldOf()
  world.session.subscribe(['2107'])
  expect(world.receive(socketBook())).toBe(true)
  const whole = {
    bids: [
      [20_000, 1386.724081632653],
      [17_000, 2640.3371187742646],
    ],
    asks: [
      [29_000, 1478.08],
      [30_000, 870.93],
    ],
  }
  expect(world.levels('2107')).toEqual(whole)
  const earlier = socketBook().data.updateTimestampMs - 1
  world.receive(book({ bids: [], updateTimestampMs: earlier }))
  expect(world.levels('2107')).toEqual(whole)
  world.receive(book({ bids: [[0.021, 1]], asks: [], updateTimestampMs: earlier + 2 }))
  expect(world.levels('2107')).toEqual({ bids: [[21_000, 1]], asks: [] })
})

test('echoes a heartbeat unchanged, and does not treat it as data', () => {
  const { receive, sent } = worldOf()
  expect(receive({ type: 'M', topic: 'heartbeat', data: 1_790_000_000_123 })).toBe(false)
  expect(sent).toEqual(['{"method":"heartbeat","data":1790000000123}'])
})

test.each([{ event: 'reconnect', reason: 'server_shutdown', graceMs: 7_431 }, { event: 'another_event' }])(
  'a server notice (%j) announces the end of the connection and touches no book',
  (data) => {
    const { session, events, receive } = worldOf()
    session.subscribe(['2107'])
    expect(receive({ type: 'M', topic: 'system', data })).toBe(false)
    expect(events).toEqual(['draining'])
  },
)

test('a refusal concerns its book; one about the key fails the connection', () => {
  const { session, events, receive } = worldOf()
  const [first, second] = session.subscribe(['2107', '8']).map(parseCommand)
  receive({ type: 'R', requestId: first!.requestId, success: false, error: { code: 'invalid_topic' } })
  receive({ type: 'R', requestId: second!.requestId, success: false, error: { code: 'invalid_credentials' } })
  expect(events).toEqual(['refused 2107 {"code":"invalid_topic"}', 'failed {"code":"invalid_credentials"}'])
})

test.each([
  ['an impossible price', book({ bids: [[0, 5]] })],
  ['a size below zero', book({ asks: [[0.5, -5]] })],
  ['no sides', book({ bids: null })],
  ['another market', { ...book({}, 8), topic: 'predictOrderbook/2107' }],
])('a book with %s breaks the one it names, and no other', (_what, frame) => {
  const world = worldOf()
  world.session.subscribe(['2107', '8'])
  world.receive(socketBook(), book({}, 8), frame)
  expect([world.levels('2107'), world.levels('8')?.bids.length]).toEqual([null, 2])
})

test.each([['[]'], ['null'], ['no JSON'], ['{"type":"R","requestId":99,"success":true}'], ['{"type":"X"}']])(
  '%s is malformed and touches no book',
  (frame) => {
    const world = worldOf()
    world.session.subscribe(['2107'])
    world.receive(socketBook())
    expect(world.receive(frame)).toBe(false)
    expect(world.events.some((line) => line.startsWith('malformed'))).toBe(true)
    expect(world.levels('2107')).not.toBeNull()
    // Topics without a subscription are ignored.
    expect(world.receive({ type: 'M', topic: 'assetPriceUpdate/1', data: 5 })).toBe(false)
  },
)

test('needs a key to connect; trades are read over REST', () => {
  expect(stream.connect(contextOf({ WS: 'wss://x/ws' }, null))).toBeNull()
  const there = stream.connect(contextOf({ WS: 'wss://x/ws' }, { API_KEY: 'k' }))
  expect(there).toEqual({ url: 'wss://x/ws?apiKey=k', headers: {} })
  expect([hasTradesTape(predictfun.data), stream.hasTrades]).toEqual([true, false])
})

describe('the lab', () => {
  const clock = new ManualClock()
  let lab: Lab
  const sockets: ClientSocket[] = []
  beforeAll(async () => {
    lab = await startLab({ clock, seed: 'stream', venues: ['predictfun'], ratePerSecond: 0 })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.close()
    await lab.stop()
  })

  test('receives each book exactly with a valid key; the lab drops clients that do not answer heartbeats', async () => {
    const { engine, listing, urls, credentials, counters } = lab.predictfun
    const open = listing.markets.filter(({ key }) => engine.statusOf(key) === 'open').slice(0, 2)
    const ids = open.map(({ id }) => String(id)) as [string, string]
    const world = streamWorld('predictfun', ids, (feed) => stream.open(feed))
    const closed: string[] = []
    const answers: string[] = []
    const connect = (key: string, mute = false) => {
      const { url } = stream.connect(contextOf(urls, { API_KEY: key }))!
      const socket: ClientSocket = openSocket(
        url,
        {},
        {
          opened: () => mute || void world.session.subscribe(ids).map((text) => socket.send(text)),
          frame(data) {
            if (mute) return
            world.session.receive(data, clock.now())
            for (const text of world.sent.splice(0)) {
              socket.send(text)
              answers.push(text)
            }
          },
          closed: () => closed.push(mute ? 'mute' : key),
        },
      )
      sockets.push(socket)
      return socket
    }
    connect('wrong')
    await vi.waitFor(() => expect(closed).toEqual(['wrong']))
    const socket = connect(credentials.API_KEY)
    await vi.waitFor(() => expect(ids.every((id) => counters().subscriptions[id] === 1)).toBe(true))
    for (const { key } of open) engine.run(key, 200)
    for (const id of ids) {
      const { bids, asks } = lab.predictfun.book(id)!
      await vi.waitFor(() => expect(world.levels(id)).toEqual({ bids, asks }))
    }
    connect(credentials.API_KEY, true)
    await vi.waitFor(() => expect(counters().socketsOpen).toBe(2))
    clock.advance(15_000)
    await vi.waitFor(() => expect(answers).toHaveLength(1))
    for (const text of world.session.unsubscribe([ids[0]])) socket.send(text)
    // The heartbeat response was sent before it.
    await vi.waitFor(() => expect(counters().subscriptions[ids[0]]).toBeUndefined())
    clock.advance(15_000)
    await vi.waitFor(() => expect(closed).toEqual(['wrong', 'mute']))
    expect(world.events.filter((line) => /^(?:broken|malformed|failed|refused)/.test(line))).toEqual([])
  })
})
