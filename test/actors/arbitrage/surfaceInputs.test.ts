import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Arbitrage, spawnArbitrage } from '#actors/arbitrage/arbitrageActor'
import { type SurfaceFeed, type SurfaceFeedOptions, startSurfaceFeed } from '#actors/arbitrage/surfaceInputs'
import * as actors from '#actors/system'
import { arbitrageChannel } from '#arbitrage/channel'
import type { ClusterInput } from '#arbitrage/cluster'
import { inlineEngine } from '#arbitrage/engine'
import { VenueOwners } from '#core/books/epochFencing'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { ArbitrageRow } from '#schemas/arbitrage'
import type { StreamChannels } from '#stream/ports'
import { type Stream, startStream } from '#stream/server'
import { bookUpdate, KeyStore, MemoryBus, principal, testCatalog } from '#test/src/stream/support'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const cluster: ClusterInput = {
  clusterId: 'q',
  question: 'Will it rain?',
  members: ['polymarket', 'kalshi'].map((venue) => ({
    venue,
    canonicalMarketId: null,
    marketId: venue,
    yesBook: { bookId: `book-${venue}`, complement: false },
    noBook: { bookId: `book-${venue}`, complement: true },
    polarity: 'same',
    fee: { kind: 'none' },
    settlementFee: { kind: 'none' },
    similarity: 1,
  })),
  pairs: [
    {
      a: 'kalshi',
      b: 'polymarket',
      matchScore: 100,
      matchBand: 'verified',
      matchDifferences: [],
      resolution: { compatible: true, reason: null, auditReasons: [] },
      resolutionEquivalence: 'verified',
    },
  ],
}

interface World {
  bus: MemoryBus
  keys: KeyStore
  arbitrage: Arbitrage
  surface: SurfaceFeed
  stream: Stream
  /** The stream's own clock: tests advance it for its minute checks. */
  clock: ManualClock
}

/** Without a clock the feed checks no ages. */
async function world(
  slots = 16,
  feedClock: ManualClock | null = null,
  otherUsers?: SurfaceFeedOptions['otherUsers'],
): Promise<World> {
  const bus = new MemoryBus()
  const arena = createArena(slots)
  const feed = new BookFeed(arena, (slot) => arbitrage.touch(slot), feedClock)
  const system = actors.start()
  const arbitrage = spawnArbitrage(system, {
    intervalMs: 100,
    contracts: 5,
    limit: 1_000,
    createEngine: inlineEngine(arena),
    slotOf: feed.slotOf,
    clock: systemClock,
    log: silentLog,
  })
  const owners = new VenueOwners(systemClock)
  const surface = await startSurfaceFeed({
    ...{ bus, feed, arbitrage, clock: systemClock, demandId: 'surface-1', owners },
    ...(otherUsers !== undefined && { otherUsers }),
  })
  // The stream takes the channel unchanged: the compiler checks that the two types agree.
  const channels: StreamChannels = {
    arbitrage: arbitrageChannel(arbitrage.publisher, ({ plan }) => plan !== 'free', ['polymarket', 'kalshi']),
  }
  const keys = new KeyStore()
  keys.keys.set('pro', principal())
  keys.keys.set('free', principal({ keyId: 'key-2', plan: 'free' }))
  const clock = new ManualClock()
  const stream = await startStream({
    bus,
    clock,
    log: silentLog,
    auth: keys,
    catalog: testCatalog,
    books: { get: () => undefined },
    limitsOf: () => ({ subscriptionsPerConnection: 10, streamConnections: 10 }),
    gatewayId: 'gateway-1',
    channels,
  })
  stops.push(
    () => actors.stop(system),
    () => arbitrage.stop(),
    () => surface.stop(),
    () => stream.stop(),
  )
  return { bus, keys, arbitrage, surface, stream, clock }
}

interface ReceivedFrame {
  type: string
  code?: string
  message?: string
  channel?: string
  data?: { kind: string; seq: number; rows?: { clusterId: string; label: string }[]; upserts?: { label: string }[] }
}

function connect(stream: Stream, apiKey: string) {
  const frames: ReceivedFrame[] = []
  const connection = stream.open(
    {
      id: 1,
      send: (bytes) => {
        frames.push(JSON.parse(bytes.toString()) as ReceivedFrame)
        return 'sent'
      },
      cork: (run) => run(),
      bufferedAmount: () => 0,
      close: () => undefined,
    },
    apiKey,
  )
  const send = (op: object): void => connection.message(Buffer.from(JSON.stringify(op)), false)
  return { frames, send, connection }
}

describe('the surface connected to bus and stream', () => {
  it('reprices only the row of a book that turned stale, without delay', async () => {
    const bus = new MemoryBus()
    const clock = new ManualClock()
    const feed = new BookFeed(createArena(4), () => undefined)
    feed.slotOf('kalshi', 'book-kalshi')
    const urgent: boolean[] = []
    const surface = await startSurfaceFeed({
      bus,
      feed,
      clock,
      demandId: 'surface-1',
      owners: { admits: () => true, onInvalidation: () => () => undefined },
      arbitrage: {
        setClusters: async () => ({ hidden: 0, invalidMatchScore: 0, members: 0, overLimit: 0 }),
        flush: (isUrgent = false) => void urgent.push(isUrgent),
        publisher: {
          *nearLegs() {
            yield
            return new Map()
          },
        },
      },
    })
    stops.push(() => surface.stop())
    for (const [i, state] of (['live', 'stale', 'live'] as const).entries()) {
      bus.publish('books', 'kalshi:book-kalshi', bookUpdate('book-kalshi', i + 1, { venue: 'kalshi', state }))
      clock.advance(5)
    }
    expect(urgent).toEqual([false, true, false])
  })

  it('watches the books of its clusters and sends a subscriber the resulting rows after the acknowledgement', async () => {
    const { bus, surface, stream } = await world()
    await surface.setClusters([cluster])
    expect(bus.wanted('polymarket')).toEqual(['book-polymarket'])
    expect(bus.wanted('kalshi')).toEqual(['book-kalshi'])
    const { frames, send } = connect(stream, 'pro')
    send({ op: 'subscribeArbitrage' })
    await vi.waitFor(() => expect(frames.some(({ data }) => data?.kind === 'snapshot')).toBe(true))
    const received = frames.filter(({ type }) => type !== 'auth')
    expect(received[0]).toEqual({ type: 'subscribed', channel: 'arbitrage' })
    expect(received[1]).toMatchObject({ type: 'arbitrage', data: { kind: 'snapshot' } })
    const recvTs = 1_790_000_000_000
    // One venue: best bid 0.41 for 10, best ask 0.42 for 7.5; the other: best bid 0.60.
    bus.book(bookUpdate('book-polymarket', 10, { venue: 'polymarket', recvTs }))
    const core = Buffer.from('{"bids":[{"price":0.6,"size":50}],"asks":[{"price":0.61,"size":50}],"timestamp":1')
    bus.book(bookUpdate('book-kalshi', 1, { venue: 'kalshi', core, recvTs }))
    await vi.waitFor(() =>
      expect(frames.some(({ data }) => data?.upserts?.some(({ label }) => label === 'arbitrage'))).toBe(true),
    )
    const seqs = frames.flatMap(({ data }) => (data === undefined ? [] : [data.seq]))
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  })

  it('marks a row executable only while both legs were verified recently, even if no message arrives', async () => {
    const feedClock = new ManualClock()
    const { bus, surface, arbitrage } = await world(16, feedClock)
    await surface.setClusters([cluster])
    const recvTs = feedClock.now()
    const core = Buffer.from('{"bids":[{"price":0.6,"size":50}],"asks":[{"price":0.61,"size":50}],"timestamp":1')
    bus.book(bookUpdate('book-polymarket', 10, { venue: 'polymarket', recvTs }))
    bus.book(bookUpdate('book-kalshi', 1, { venue: 'kalshi', core, recvTs }))
    const rows = () =>
      [...arbitrage.publication.rows.present()]
        .map((row) => {
          arbitrage.publication.rows.write(row)
          return JSON.parse(row.bytes.toString('utf8', 0, row.size)) as ArbitrageRow
        })
        .filter(({ netEdge }) => netEdge !== null && netEdge > 0)
    const rowResults = () => rows().map(({ label, executable, reasons }) => ({ label, executable, reasons }))
    const good = [{ label: 'arbitrage', executable: true, reasons: [] }]
    await vi.waitFor(() => expect(rowResults()).toEqual(good))

    feedClock.advance(15_001)
    await vi.waitFor(
      () =>
        expect(rowResults()).toEqual([
          {
            label: 'indicative price discrepancy',
            executable: false,
            reasons: expect.arrayContaining(['buyYes:stale_book', 'buyNo:stale_book']),
          },
        ]),
      { timeout: 5_000 },
    )
    for (const [venue, marketId, seq] of [
      ['polymarket', 'book-polymarket', 10],
      ['kalshi', 'book-kalshi', 1],
    ] as const)
      bus.publish('proofs', venue, { venue, epoch: 1, books: [[marketId, seq]], at: feedClock.now() })
    await vi.waitFor(() => expect(rowResults()).toEqual(good))
  })

  it('requires a plan that includes it, and ends within the recheck interval when the key loses that plan', async () => {
    const { keys, surface, stream, clock } = await world()
    await surface.setClusters([cluster])
    const free = connect(stream, 'free')
    free.send({ op: 'subscribeArbitrage' })
    await vi.waitFor(() =>
      expect(free.frames.at(-1)).toMatchObject({ type: 'error', code: 'PLAN_UPGRADE_REQUIRED', channel: 'arbitrage' }),
    )
    const pro = connect(stream, 'pro')
    pro.send({ op: 'subscribeArbitrage', minEdge: 0.5 })
    await vi.waitFor(() => expect(pro.frames.some(({ type }) => type === 'arbitrage')).toBe(true))
    keys.keys.set('pro', principal({ plan: 'free' }))
    clock.advance(60_000)
    await vi.waitFor(() =>
      expect(pro.frames.at(-1)).toMatchObject({ type: 'error', code: 'PLAN_UPGRADE_REQUIRED', channel: 'arbitrage' }),
    )
    pro.send({ op: 'unsubscribeArbitrage' })
    await vi.waitFor(() => expect(pro.frames.at(-1)).toMatchObject({ type: 'error', code: 'NOT_SUBSCRIBED' }))
  })

  it('rejects a filter with an unavailable venue, and an invalid interval, without closing the socket', async () => {
    const { surface, stream } = await world()
    await surface.setClusters([cluster])
    const { frames, send } = connect(stream, 'pro')
    send({ op: 'subscribeArbitrage', venues: ['kalshi', 'nowhere'] })
    await vi.waitFor(() =>
      expect(frames.at(-1)).toMatchObject({
        code: 'BAD_MESSAGE',
        message: 'venues: "nowhere" is not served here; served are polymarket, kalshi',
      }),
    )
    for (const intervalMs of [-1, 30_001, 0.5, '100', null]) {
      send({ op: 'subscribeArbitrage', intervalMs })
      await vi.waitFor(() =>
        expect(frames.at(-1)).toMatchObject({ code: 'BAD_MESSAGE', message: expect.stringMatching(/^intervalMs: /) }),
      )
    }
    send({ op: 'subscribeArbitrage', venues: ['Kalshi', 'polymarket'], intervalMs: 0 })
    await vi.waitFor(() => expect(frames.at(-1)).toMatchObject({ data: { kind: expect.any(String), intervalMs: 0 } }))
  })

  it('releases books that no cluster needs, and all demand when it stops', async () => {
    const { bus, surface, arbitrage } = await world()
    await surface.setClusters([cluster])
    await vi.waitFor(() => expect(arbitrage.publication.rows.count).toBe(2))
    await surface.setClusters([])
    expect(bus.wanted('polymarket')).toEqual([])
    await vi.waitFor(() => expect(arbitrage.publication.rows.count).toBe(0))
    await surface.setClusters([cluster])
    expect(bus.wanted('kalshi')).toEqual(['book-kalshi'])
    await surface.stop()
    expect(bus.wanted('kalshi')).toEqual([])
  })

  it('watches the books of the last of several sets that arrive in quick succession', async () => {
    const { bus, surface, arbitrage } = await world()
    const other = structuredClone(cluster)
    for (const member of other.members)
      member.yesBook = member.noBook = { bookId: `other-${member.venue}`, complement: false }
    await Promise.all([surface.setClusters([cluster]), surface.setClusters([other])])
    expect([bus.wanted('polymarket'), bus.wanted('kalshi')]).toEqual([['other-polymarket'], ['other-kalshi']])
    bus.book(bookUpdate('other-polymarket', 10, { venue: 'polymarket', recvTs: 1_790_000_000_000 }))
    await vi.waitFor(() => {
      const [row] = [...arbitrage.publication.rows.present()]
      if (row !== undefined) arbitrage.publication.rows.write(row)
      expect(row?.bytes.toString('utf8', 0, row.size)).toContain('"vwap":0.')
    })
  })

  it('watches books that had no slot until those of the previous set are released', async () => {
    const { bus, surface } = await world(2)
    const other = structuredClone(cluster)
    for (const member of other.members)
      member.yesBook = member.noBook = { bookId: `other-${member.venue}`, complement: false }
    await surface.setClusters([cluster])
    await surface.setClusters([other])
    expect([bus.wanted('polymarket'), bus.wanted('kalshi')]).toEqual([['other-polymarket'], ['other-kalshi']])
    // More than fits: as many as possible are watched, and there are no endless retries.
    await surface.setClusters([other, cluster])
    expect([bus.wanted('polymarket'), bus.wanted('kalshi')]).toEqual([['other-polymarket'], ['other-kalshi']])
  })

  it('notifies other users of the books when slots may be free: after other clusters, and when its own books were released', async () => {
    let notifications = 0
    const own = new Set(['book-kalshi', 'book-polymarket'])
    const { surface } = await world(16, null, {
      needs: (_, bookId) => own.has(bookId),
      flush: () => undefined,
      slotsFreed: () => void notifications++,
    })
    await surface.setClusters([cluster])
    await surface.setClusters([])
    expect(notifications).toBe(2)
    surface.otherUsersChanged()
    expect(notifications, 'nothing was let go').toBe(2)
    own.clear()
    surface.otherUsersChanged()
    expect(notifications).toBe(3)
  })

  it('lists the legs near execution, nearest first, with every renewal of its demand', async () => {
    const bus = new MemoryBus()
    const clock = new ManualClock()
    const arena = createArena(16)
    const feed = new BookFeed(arena, () => undefined)
    let near = new Map([['kalshi', ['book-kalshi']]])
    const surface = await startSurfaceFeed({
      bus,
      feed,
      owners: new VenueOwners(clock),
      arbitrage: {
        async setClusters(clusters) {
          for (const { members } of clusters)
            for (const { venue, yesBook } of members) feed.slotOf(venue, yesBook!.bookId)
          return { hidden: 0, invalidMatchScore: 0, members: 0, overLimit: 0 }
        },
        flush: () => undefined,
        publisher: {
          *nearLegs() {
            yield
            return near
          },
        },
      },
      clock,
      demandId: 'surface-1',
    })
    stops.push(() => surface.stop())
    await surface.setClusters([cluster])
    const last = (venue: string) => bus.demand.findLast((message) => message.venue === venue)
    expect(last('kalshi')).toMatchObject({ purpose: 'surface', near: [] })
    clock.advance(5_001)
    expect(last('kalshi')).toMatchObject({ purpose: 'surface', near: ['book-kalshi'], marketIds: ['book-kalshi'] })
    expect(last('polymarket')).toMatchObject({ purpose: 'surface', near: [], lacking: [0] })
    near = new Map()
    clock.advance(5_001)
    expect(last('kalshi')).toMatchObject({ near: [], marketIds: ['book-kalshi'] })
  })
})
