// A row with a leg on a polled venue, at the venue's real polling pace: it is executable without interruption while its prices allow it, or
// never.
import { afterEach, describe, expect, it } from 'vitest'
import { spawnArbitrage } from '#actors/arbitrage/arbitrageActor'
import { startSurfaceFeed } from '#actors/arbitrage/surfaceInputs'
import { spawnIngest } from '#actors/ingest/ingestActor'
import * as actors from '#actors/system'
import type { ClusterInput } from '#arbitrage/cluster'
import { inlineEngine } from '#arbitrage/engine'
import { VenueOwners } from '#core/books/epochFencing'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPrng } from '#lab/prng'
import { openSocket } from '#net/socket'
import { createLocalBus } from '#storage/bus/local'
import { bookUpdate } from '#test/src/stream/support'
import { contextOf } from '#test/support/ingest'
import { singleProcessLease } from '#test/support/lease'
import { gemini } from '#venues/gemini/index'
import { hyperliquid } from '#venues/hyperliquid/index'
import { polymarketUs } from '#venues/polymarket_us/index'
import { type BookSnapshot, defaultRequestsPerSecond, type VenueManifest } from '#venues/venue'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Only the first cluster has a profitable row; the others are further demand of the surface at this venue. */
const clustersOf = (venue: string): ClusterInput[] =>
  Array.from({ length: 40 }, (_, i) => ({
    clusterId: `q${i}`,
    question: `Will it rain on day ${i}?`,
    members: [venue, 'kalshi'].map((slug) => ({
      venue: slug,
      canonicalMarketId: null,
      marketId: `${slug}-${i}`,
      yesBook: { bookId: `${slug}-${i}`, complement: false },
      noBook: { bookId: `${slug}-${i}`, complement: true },
      polarity: 'same',
      fee: { kind: 'none' },
      settlementFee: { kind: 'none' },
      similarity: 1,
    })),
    pairs: [
      {
        a: venue < 'kalshi' ? venue : 'kalshi',
        b: venue < 'kalshi' ? 'kalshi' : venue,
        matchScore: 100,
        matchBand: 'verified',
        matchDifferences: [],
        resolution: { compatible: true, reason: null, auditReasons: [] },
        resolutionEquivalence: 'verified',
      },
    ],
  }))

const kalshiCore = Buffer.from('{"bids":[{"price":0.6,"size":50}],"asks":[{"price":0.61,"size":50}],"timestamp":1')

async function world(venue: VenueManifest) {
  const clock = new ManualClock()
  const random = createPrng(`legs of ${venue.slug}`)
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const system = actors.start()
  const { requestsPerSecond = defaultRequestsPerSecond } = venue.data
  let freeAt = 0
  /** The venue's own limit, plus the network round trip. */
  const fetchOrderBook = (_: unknown, bookId: string): Promise<BookSnapshot> => {
    freeAt = Math.max(freeAt, clock.monotonic()) + 1_000 / requestsPerSecond
    const dueMs = freeAt - clock.monotonic() - 1_000 / requestsPerSecond + 80 + random.int(250)
    return new Promise((resolve) =>
      clock.after(dueMs, () =>
        resolve({
          bookId,
          bids: [[400_000, 50]],
          asks: [[420_000, 50]],
          eventTs: null,
          recvTs: clock.now(),
          lastTradeMicros: null,
          isNegRisk: null,
          tickMicros: null,
        }),
      ),
    )
  }
  const { stream: _, fetchOrderBooks: __, ...data } = venue.data
  const ingest = spawnIngest(system, {
    venue: { ...venue, data: { ...data, fetchOrderBook, fetchTrades: async () => [] } },
    context: contextOf(venue.slug, clock),
    bus,
    clock,
    log: silentLog,
    openSocket,
    random: random.next,
    tickMs: 1,
    idleUnwatchMs: 3_600_000,
    bookSnapshotMs: 3_600_000,
    lease: singleProcessLease(clock.now()),
  })
  await bus.subscribe('demand', (demand) => {
    if (demand.venue === venue.slug) ingest.actor.send({ kind: 'demand', ...demand })
  })
  const arena = createArena(128)
  const feed = new BookFeed(arena, (slot) => arbitrage.touch(slot), clock)
  const arbitrage = spawnArbitrage(system, {
    intervalMs: 100,
    contracts: 5,
    limit: 1_000,
    createEngine: inlineEngine(arena),
    slotOf: feed.slotOf,
    clock,
    log: silentLog,
  })
  const surface = await startSurfaceFeed({ bus, feed, arbitrage, clock, demandId: 's', owners: new VenueOwners(clock) })
  stops.push(
    () => bus.close(),
    () => actors.stop(system),
    () => arbitrage.stop(),
    () => ingest.stop(),
    () => surface.stop(),
  )
  void surface.setClusters(clustersOf(venue.slug))
  let seq = 0
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  /** A tenth of a second; the other leg is streamed and always verified. */
  async function step(): Promise<boolean> {
    if (clock.monotonic() % 1_000 < 100)
      bus.publish(
        'books',
        'kalshi:kalshi-0',
        bookUpdate('kalshi-0', ++seq, { venue: 'kalshi', core: kalshiCore, recvTs: clock.now() }),
      )
    for (let i = 0; i < 4; i++) {
      clock.advance(25)
      await turn()
    }
    return [...arbitrage.publication.rows.present()].some(({ executable }) => executable)
  }
  return {
    clock,
    step,
    read: (...bookIds: string[]) =>
      bus.publish('demand', `g:${venue.slug}`, {
        gatewayId: 'g',
        venue: venue.slug,
        marketIds: bookIds,
        purpose: 'readers',
        at: clock.now(),
      }),
  }
}

describe.each([gemini, hyperliquid])('a profitable row with a leg on $slug', (venue) => {
  it.each([
    ['without readers', 0],
    ['with a reader', 1],
  ])('%s stays executable without interruption once it is', async (_, readers) => {
    const { clock, step, read } = await world(venue)
    const wish = (): void => {
      if (readers > 0) read(`${venue.slug}-0`, `${venue.slug}-7`)
    }
    let since: number | null = null
    const gaps: string[] = []
    while (clock.monotonic() < 90_000) {
      if (clock.monotonic() % 5_000 < 100) wish()
      const isExecutable = await step()
      if (isExecutable && since === null) since = clock.monotonic()
      if (since !== null && !isExecutable) gaps.push(`not executable at ${clock.monotonic()}`)
    }
    expect(since).not.toBeNull()
    expect(since!).toBeLessThan(30_000)
    expect(gaps).toEqual([])
  })
})

it('never marks a row executable, not even briefly after a read, when a leg is read twice a minute', async () => {
  const { clock, step } = await world(polymarketUs)
  while (clock.monotonic() < 90_000) expect(await step(), `at ${clock.monotonic()}`).toBe(false)
})
