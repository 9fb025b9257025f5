// A paced replay from the real engine to a socket behind the real gateway: order, pace, pause, gaps, slow readers, refusals.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ManualClock, systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createClickhouseTape } from '#history/clickhouseTape'
import { type PlaybackDeps, replayChannel } from '#history/paced/channel'
import { createTapeCoverage } from '#history/tapeCoverage'
import { ReplayFrame } from '#schemas/streamFrames'
import type { TapeDepthRow } from '#schemas/topics'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'
import { sampleMarket } from '../marketData/catalog/samples.ts'
import { Client, startServer, type TestServer } from '../server/gateway/support.ts'
import { principal } from '../stream/support.ts'

const start = Date.UTC(2026, 5, 7)
const window = { since: start, until: start + 3_600_000 }
const many = 6_000

let tape: TestTape
let server: TestServer | undefined
const clients: Client[] = []

const top = (venue: string, outcomeId: string, after: number, size = 1) => ({
  venue,
  outcomeId,
  ts: start + after,
  recvTs: start + after + 3,
  bidMicros: after % 2 === 0 ? 400_000 : null,
  bidSize: size,
  askMicros: 600_000,
  askSize: 2,
})

const change = (
  type: TapeDepthRow['type'],
  after: number,
  seq: number,
  levels: [micros: number, size: number][],
  bids: number,
): TapeDepthRow => ({
  ...{ type, ts: start + after - 5, recvTs: start + after, seq, bids },
  ...{ micros: levels.map(([micros]) => micros), sizes: levels.map(([, size]) => size) },
})

beforeAll(async () => {
  tape = await openTestTape()
  const one = emptyBatch('kalshi', 'A')
  one.topOfBook = [0, 200, 400, 3_000].map((after) => top('kalshi', 'A', after))
  one.trades = [200, 500].map((after, i) => ({
    ...{ venue: 'kalshi', outcomeId: 'A', tradeId: `t${i}`, ts: start + after, recvTs: start + after },
    ...{ priceMicros: 450_000, size: 2, side: 'buy' as const, transactionHash: null },
  }))
  const two = emptyBatch('polymarket', 'B')
  two.topOfBook = [100, 200, 301].map((after) => top('polymarket', 'B', after))
  const busy = emptyBatch('kalshi', 'busy')
  busy.topOfBook = Array.from({ length: many }, (_, i) => top('kalshi', 'busy', Math.floor(i / 3), i + 1))
  const deep = emptyBatch('kalshi', 'deep')
  deep.topOfBook = [500, 1_000, 1_100, 1_300, 200_000].map((after) => top('kalshi', 'deep', after))
  deep.depth = [
    change(
      'start',
      1_000,
      1,
      [
        [400_000, 1],
        [390_000, 2],
        [600_000, 3],
      ],
      2,
    ),
    change(
      'delta',
      1_100,
      2,
      [
        [390_000, 0],
        [610_000, 4],
      ],
      1,
    ),
    // The third is lost.
    change('delta', 1_200, 4, [[400_000, 9]], 1),
    change(
      'snapshot',
      1_300,
      5,
      [
        [400_000, 8],
        [610_000, 4],
      ],
      1,
    ),
    change('gap', 1_400, 6, [], 0),
  ]
  await tape.insert([one, two, busy, deep])
  const event = { venue: 'kalshi', outcomeId: 'A', mechanism: 'ws-lossless', effectiveIntervalMs: null } as const
  await insertCoverage(
    tape.store,
    [
      { ...event, kind: 'opened', at: start - 10, reason: null },
      { ...event, kind: 'gap', at: start + 600, reason: 'socket closed' },
      { ...event, kind: 'resumed', at: start + 2_900, reason: null },
    ],
    'coverage',
  )
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.ws.terminate()
  await server?.stop()
  server = undefined
})
afterAll(() => tape?.close())

function depsOf(over: Partial<PlaybackDeps> = {}): PlaybackDeps {
  return {
    tape: createClickhouseTape(tape.store),
    coverage: createTapeCoverage(tape.store),
    catalog: { findOutcomes: async () => [], findMarket: async () => null },
    serves: (venue) => venue !== 'opinion',
    meant: async () => null,
    entitled: () => true,
    floorOf: () => null,
    credits: undefined,
    clock: systemClock,
    log: silentLog,
    ...over,
  }
}

async function open(over: Partial<PlaybackDeps> = {}): Promise<Client> {
  server = await startServer({ channels: { replay: replayChannel(depsOf(over)) } })
  const client = await Client.open(server.url)
  clients.push(client)
  return client
}
const send = (client: Client, message: object): void => client.ws.send(JSON.stringify(message))
const both = [
  { venue: 'kalshi', marketId: 'A' },
  { venue: 'polymarket', marketId: 'B' },
]
const within = { timeout: 20_000 }
const ended = (client: Client) => vi.waitFor(() => expect(client.frames.at(-1)?.type).toBe('replayEnd'), within)
const happened = (client: Client) =>
  client.frames
    .filter(({ type }) => ['snapshot', 'update', 'trade', 'replayGap'].includes(String(type)))
    .map((frame) => {
      const data = frame.data as { timestamp?: number; from?: string }
      const at = data.timestamp ?? Date.parse(data.from!)
      return [frame.type, frame.marketId, at - start]
    })

describe('a replay', () => {
  test('sends several markets in one time order, with gaps, in frames like live ones', async () => {
    const client = await open()
    send(client, { op: 'subscribeReplay', markets: both, ...window, speed: 'max' })
    await ended(client)
    expect(client.frames[0]).toMatchObject({ type: 'subscribed', channel: 'replay' })
    expect(happened(client)).toEqual([
      ['snapshot', 'A', 0],
      ['snapshot', 'B', 100],
      // A book was received 3 ms after its event.
      ['trade', 'A', 200],
      ['update', 'A', 200],
      ['update', 'B', 200],
      ['update', 'B', 301],
      ['update', 'A', 400],
      ['trade', 'A', 500],
      ['replayGap', 'A', 600],
      ['update', 'A', 3_000],
    ])
    for (const frame of client.frames.slice(1)) {
      expect(ReplayFrame.safeParse(frame).error).toBeUndefined()
      expect(frame).toMatchObject({ replay: true })
    }
    expect(client.frames.find(({ type }) => type === 'replayGap')?.data).toEqual({
      kind: 'gap',
      from: new Date(start + 600).toISOString(),
      to: new Date(start + 2_900).toISOString(),
      reason: 'socket closed',
    })
    expect(client.frames.at(-1)?.data).toEqual({ frames: 9, at: start + 3_003, completeUntil: null })
    // The replay has ended, so the same request starts a new one.
    send(client, { op: 'subscribeReplay', markets: both, ...window, speed: 'max', channels: ['trades'] })
    await vi.waitFor(() => expect(client.frames.filter(({ type }) => type === 'replayEnd')).toHaveLength(2), within)
    expect(
      happened(client)
        .slice(10)
        .map(([type]) => type),
    ).toEqual(['trade', 'trade', 'replayGap'])
  })

  test('sends a trade at its receive time, not its event time, and only trades received within the window', async () => {
    const late = emptyBatch('kalshi', 'late')
    late.topOfBook = [100, 900].map((after) => top('kalshi', 'late', after))
    const trades = { before: [-60_000, 500], early: [100, 2_000], later: [200, 150_000], after: [300, 4_000_000] }
    late.trades = Object.entries(trades).map(([tradeId, [after, received]]) => ({
      ...{ venue: 'kalshi', outcomeId: 'late', tradeId, ts: start + after!, recvTs: start + received! },
      ...{ priceMicros: 450_000, size: 2, side: 'buy' as const, transactionHash: null },
    }))
    await tape.insert([late])
    const client = await open()
    const markets = [{ venue: 'kalshi', marketId: 'late' }]
    send(client, { op: 'subscribeReplay', markets, ...window, speed: 'max' })
    await ended(client)
    const receivedFrames = client.frames.flatMap((frame) => {
      const replayed = ReplayFrame.safeParse(frame).data
      if (replayed === undefined || !('at' in replayed)) return []
      return [[replayed.type === 'trade' ? replayed.data.id : 'book', replayed.at - start]]
    })
    expect(receivedFrames).toEqual([
      ['book', 103],
      ['before', 500],
      ['book', 903],
      ['early', 2_000],
      ['later', 150_000],
    ])
  })

  test('sends the top of book while full depth was off, also up to the end', async () => {
    const off = emptyBatch('kalshi', 'off')
    off.topOfBook = [100, 1_000, 2_000, 3_000, 4_000].map((after) => top('kalshi', 'off', after))
    const of = (row: TapeDepthRow) => ({ ...row, outcomeId: 'off' })
    off.depth = [
      of(change('start', 103, 1, [[400_000, 5]], 1)),
      of(change('gap', 500, 2, [], 0)),
      of(change('start', 3_003, 3, [[400_000, 7]], 1)),
      of(change('gap', 3_500, 4, [], 0)),
    ]
    await tape.insert([off])
    const client = await open()
    const markets = [{ venue: 'kalshi', marketId: 'off' }]
    send(client, { op: 'subscribeReplay', markets, ...window, until: start + 10_000, speed: 'max' })
    await ended(client)
    const books = client.frames.flatMap((frame) => {
      const replayed = ReplayFrame.safeParse(frame).data
      const isBook = replayed?.type === 'snapshot' || replayed?.type === 'update'
      return isBook ? [[replayed.at - start, replayed.data.bids[0]?.size]] : []
    })
    expect(books).toEqual([
      [103, 5],
      [1_003, 1],
      [2_003, 1],
      [3_003, 7],
      [4_003, 1],
    ])
  })

  test('accepts outcome ids and market ids of the catalog, and names what each one reads', async () => {
    const labels = { A: 'Yes', 'A-NO': 'No' }
    const outcomes = Object.entries(labels).map(([outcomeId, label]) => ({
      ...sampleMarket('m').outcomes[0]!,
      outcomeId,
      label,
    }))
    const market = { ...sampleMarket('m'), outcomes }
    const client = await open({
      catalog: {
        findOutcomes: async (venue, id) =>
          outcomes.filter(({ outcomeId }) => outcomeId === id).map((outcome) => ({ venue, outcome, market })),
        findMarket: async (_, id) => (id === 'm' ? market : null),
      },
    })
    const venue = 'kalshi'
    const markets = [
      { venue, outcomeId: 'A' },
      { venue, marketId: 'm' },
      // Not in the catalog: the tape has it under this very name.
      { venue, marketId: 'deep' },
    ]
    send(client, { op: 'subscribeReplay', markets, ...window, speed: 'max', channels: ['trades'] })
    await ended(client)
    expect(client.frames[0]).toEqual({
      ...{ type: 'subscribed', channel: 'replay' },
      markets: [
        { venue, marketId: 'A', outcomeId: 'A', catalogMarketId: 'm', nativeId: 'A' },
        { venue, marketId: 'm', outcomeId: 'A', catalogMarketId: 'm', nativeId: 'A' },
        { venue, marketId: 'deep', outcomeId: null, catalogMarketId: null, nativeId: 'deep' },
      ],
    })
    const trades = (name: string) => client.frames.filter(({ type, marketId }) => type === 'trade' && marketId === name)
    expect([trades('A').length, trades('m').length]).toEqual([2, 2])
    send(client, { op: 'subscribeReplay', markets: [{ venue }], ...window })
    await vi.waitFor(() => expect(client.frames.at(-1)?.type).toBe('error'), within)
    expect(client.frames.at(-1)).toMatchObject({
      ...{ code: 'BAD_MESSAGE', channel: 'replay' },
      message: expect.stringMatching(/^markets\.0\.marketId: /),
    })
  })

  test('rejects a market missing in both catalog and tape, and suggests a name that works', async () => {
    const client = await open({
      meant: async (_, name) => (name === 'slug-of-b' ? { venue: 'polymarket', marketId: 'B' } : null),
    })
    const subscribe = (markets: object[]) =>
      send(client, { op: 'subscribeReplay', markets, ...window, speed: 'max', channels: ['orderbook'] })
    const refusals = () => client.frames.filter(({ type }) => type === 'error')
    subscribe([both[0]!, { venue: 'kalshi', marketId: 'slug-of-b' }])
    await vi.waitFor(() => expect(refusals()).toHaveLength(1), within)
    subscribe([{ venue: 'kalshi', marketId: 'nothing' }])
    await vi.waitFor(() => expect(refusals()).toHaveLength(2), within)
    const words = 'neither the catalog of kalshi nor its tape has'
    const refusal = { type: 'error', code: 'MARKET_NOT_FOUND', channel: 'replay', ts: expect.any(Number) }
    expect(refusals()).toEqual([
      { ...refusal, message: `${words} slug-of-b; did you mean B at polymarket?` },
      { ...refusal, message: `${words} nothing` },
    ])
    const [, marketId, venue] = /did you mean (\S+) at (\S+)\?/.exec(refusals()[0]!.message!)!
    subscribe([{ venue, marketId }])
    await ended(client)
    expect(happened(client).length).toBeGreaterThan(0)
  })

  test('sends full depth where recorded, from the book at the start of the window, and none while a change is missing', async () => {
    const client = await open()
    const markets = [{ venue: 'kalshi', marketId: 'deep' }]
    const from = async (after: number) => {
      const mark = client.frames.length
      send(client, { op: 'subscribeReplay', markets, ...window, since: start + after, speed: 'max' })
      await vi.waitFor(() => expect(client.frames.slice(mark).at(-1)?.type).toBe('replayEnd'), within)
      for (const frame of client.frames.slice(mark + 1)) expect(ReplayFrame.safeParse(frame).error).toBeUndefined()
      return client.frames.slice(mark + 1, -1).map(({ type, data }) => {
        const { bids, asks, timestamp, ...gap } = data as unknown as Record<string, { price: number; size: number }[]>
        const side = (levels: { price: number; size: number }[]) => levels.map(({ price, size }) => [price, size])
        return bids === undefined ? [type, gap] : [Number(timestamp) - start, side(bids), side(asks!)]
      })
    }
    const iso = (after: number) => new Date(start + after).toISOString()
    const later = [
      ['replayGap', { kind: 'gap', from: iso(1_100), to: iso(1_300), reason: 'full depth is not on the tape' }],
      [1_295, [[0.4, 8]], [[0.61, 4]]],
      [200_000, [[0.4, 1]], [[0.6, 2]]],
    ]
    expect(await from(0)).toEqual([
      [500, [[0.4, 1]], [[0.6, 2]]],
      [
        995,
        [
          [0.4, 1],
          [0.39, 2],
        ],
        [[0.6, 3]],
      ],
      [
        1_095,
        [[0.4, 1]],
        [
          [0.6, 3],
          [0.61, 4],
        ],
      ],
      ...later,
    ])
    expect(await from(1_050)).toEqual([
      [
        995,
        [
          [0.4, 1],
          [0.39, 2],
        ],
        [[0.6, 3]],
      ],
      [
        1_095,
        [[0.4, 1]],
        [
          [0.6, 3],
          [0.61, 4],
        ],
      ],
      ...later,
    ])
  })

  test('keeps the requested pace, stops while paused, and resumes at the same position', async () => {
    const clock = new ManualClock(start)
    const client = await open({ clock })
    const seen = (count: number) =>
      vi.waitFor(() => {
        clock.advance(0)
        expect(happened(client)).toHaveLength(count)
      }, within)
    send(client, { op: 'subscribeReplay', markets: [both[0]], ...window, speed: 0.5 })
    await client.count(1)
    clock.advance(6)
    await seen(1)
    // 200 ms of recorded time are 400 ms at half speed.
    clock.advance(393)
    await seen(1)
    clock.advance(1)
    await seen(2)
    clock.advance(6)
    await seen(3)
    send(client, { op: 'pauseReplay' })
    await vi.waitFor(() => expect(client.frames.at(-1)?.type).toBe('replayPaused'), within)
    clock.advance(60_000)
    send(client, { op: 'resumeReplay' })
    await vi.waitFor(() => expect(client.frames.at(-1)?.type).toBe('replayResumed'), within)
    clock.advance(399)
    await seen(3)
    clock.advance(1)
    await seen(4)
    send(client, { op: 'unsubscribeReplay' })
    await vi.waitFor(
      () => expect(client.frames.at(-1)).toMatchObject({ type: 'unsubscribed', channel: 'replay' }),
      within,
    )
    clock.advance(600_000)
    send(client, { op: 'pauseReplay' })
    await vi.waitFor(
      () => expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'NOT_SUBSCRIBED' }),
      within,
    )
    expect(happened(client)).toHaveLength(4)
  })

  test('waits for a slow reader, loses nothing, and reads no page before it is needed', async () => {
    const tapeReads = createClickhouseTape(tape.store)
    const clock = new ManualClock(start)
    let pageReads = 0
    const channel = replayChannel({
      ...depsOf(),
      clock,
      tape: {
        replay(query) {
          if (query.kind === 'tob') pageReads += 1
          return tapeReads.replay(query)
        },
      },
      rowsHeld: 400,
    })
    let capacity = 0
    const frames: { data: { bids: { size: number }[] } }[] = []
    const peer = {
      id: 1,
      principal: () => principal(),
      keepsUp: () => capacity > 0,
      offer(_topic: string, frame: Buffer) {
        capacity -= 1
        frames.push(JSON.parse(frame.toString()))
      },
      answer(frame: Buffer) {
        frames.push(JSON.parse(frame.toString()))
      },
      refuse: vi.fn(),
      done: vi.fn(),
    }
    const markets = [{ venue: 'kalshi', marketId: 'busy' }]
    const op = {
      op: 'subscribeReplay' as const,
      markets,
      ...window,
      speed: 'max' as const,
      channels: ['orderbook' as const],
    }
    expect(await channel.check(op, principal())).toBeNull()
    // The catalog does not know it, so the tape was queried once.
    pageReads = 0
    channel.started(peer, 'replay', op)
    clock.advance(60_000)
    expect([pageReads, frames.length]).toEqual([0, 0])
    // Pausing and resuming are still acknowledged.
    for (const op of ['pauseReplay', 'resumeReplay'] as const) channel.onControl(peer, 'replay', { op })
    expect(frames.splice(0)).toMatchObject([{ type: 'replayPaused' }, { type: 'replayResumed' }])
    const expectFrames = (count: number) =>
      vi.waitFor(() => {
        clock.advance(20)
        expect(frames).toHaveLength(count)
      }, within)
    capacity = 390
    await expectFrames(390)
    expect(pageReads).toBe(1)
    capacity = many
    // Plus the end frame.
    await expectFrames(many + 1)
    expect([pageReads, peer.refuse.mock.calls.length, peer.done.mock.calls.length]).toEqual([many / 400, 0, 1])
    // Rows of an odd millisecond have no bid.
    expect(frames.slice(0, many).map(({ data }) => data.bids[0]?.size ?? null)).toEqual(
      Array.from({ length: many }, (_, i) => (Math.floor(i / 3) % 2 === 0 ? i + 1 : null)),
    )
    expect(clock.pendingCount).toBe(0)
  })

  test('charges credits per page and ends when they run out', async () => {
    let balance = 1
    const reserve = (): { keep(): void; release(): void } => {
      if (balance === 0) throw new Fault('INSUFFICIENT_CREDITS', 'no credits are left')
      balance -= 1
      return { keep: () => undefined, release: () => undefined }
    }
    const client = await open({ credits: { reserve, balanceOf: () => balance } })
    const markets = [{ venue: 'kalshi', marketId: 'busy' }]
    send(client, { op: 'subscribeReplay', markets, ...window, speed: 'max', channels: ['orderbook'] })
    const refusal = { type: 'error', code: 'INSUFFICIENT_CREDITS', channel: 'replay' }
    await vi.waitFor(() => expect(client.frames.at(-1)).toMatchObject(refusal), within)
    expect(happened(client)).toHaveLength(5_000)
  })

  test('ends with its socket', async () => {
    let reading: AbortSignal | undefined
    const tapeReads = createClickhouseTape(tape.store)
    const client = await open({
      tape: {
        replay(query) {
          reading = query.signal
          return tapeReads.replay(query)
        },
      },
    })
    send(client, { op: 'subscribeReplay', markets: [both[0]], ...window, speed: 0.1 })
    await vi.waitFor(() => expect(happened(client).length).toBeGreaterThan(0), within)
    client.ws.close()
    await vi.waitFor(() => expect(reading?.aborted).toBe(true), within)
  })
})

test.each([
  ['a venue that is not served', { markets: [{ venue: 'opinion', marketId: 'x' }] }, 'EXCHANGE_NOT_AVAILABLE'],
  ['a window that is too long', { until: start + 32 * 86_400_000 }, 'BAD_MESSAGE'],
  ['an end before the beginning', { until: start - 1 }, 'BAD_MESSAGE'],
  ['a market named twice', { markets: [both[0], both[0]] }, 'BAD_MESSAGE'],
  ['no market', { markets: [] }, 'BAD_MESSAGE'],
  ['a speed beyond the fastest', { speed: 1_001 }, 'BAD_MESSAGE'],
  ['history that the plan does not reach', { since: start - 1 }, 'PLAN_REQUIRED'],
])('rejects %s', async (_what, over, code) => {
  const client = await open({ floorOf: () => start })
  send(client, { op: 'subscribeReplay', markets: both, ...window, ...over })
  await vi.waitFor(() => expect(client.frames.at(-1)).toMatchObject({ type: 'error', code, channel: 'replay' }), within)
})

test('rejects a plan without replay on the stream as well', async () => {
  const client = await open({ entitled: () => false })
  send(client, { op: 'subscribeReplay', markets: both, ...window })
  await vi.waitFor(() => expect(client.frames.at(-1)).toMatchObject({ code: 'PLAN_UPGRADE_REQUIRED' }), within)
})
