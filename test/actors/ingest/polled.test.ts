// Books of a venue without a feed, on a manual clock. The venue here responds when the test lets it.
import { afterEach, expect, it, vi } from 'vitest'
import { type Ingest, spawnIngest } from '#actors/ingest/ingestActor'
import { maintainPinnedMarkets } from '#actors/ingest/pinnedMarkets'
import { polledBooksMax, polledStaleAfterMs } from '#actors/ingest/pollerPool'
import { start, stop } from '#actors/system'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { openSocket } from '#net/socket'
import type { Trade } from '#schemas/marketData'
import { type CoverageEvent, recordsTrades, type TapeTradeRow } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import { sampleMarket } from '#test/src/marketData/catalog/samples'
import { booksOnly, contextOf } from '#test/support/ingest'
import { singleProcessLease } from '#test/support/lease'
import type { BookSnapshot, VenueData, VenueManifest } from '#venues/venue'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of stops.splice(0)) await end()
})
const eventually = (look: () => void) => vi.waitFor(look, { timeout: 25_000, interval: 5 })
const poll = { intervalMs: 5_000, concurrency: 1 }

function venueOf(fetchOrderBook: VenueData['fetchOrderBook'], more: Partial<VenueData> = {}): VenueManifest {
  return {
    slug: 'gemini',
    title: 'Slow',
    urls: {},
    credentialNames: [],
    volume24h: false,
    data: {
      ...booksOnly,
      fetchOrderBook,
      poll,
      ...more,
    },
  }
}

function ingestOf(clock: ManualClock, fetchOrderBook: VenueData['fetchOrderBook'], more: Partial<VenueData> = {}) {
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const system = start()
  const context = contextOf('gemini', clock)
  const ingest: Ingest = spawnIngest(system, {
    venue: venueOf(fetchOrderBook, more),
    context,
    bus,
    clock,
    log: silentLog,
    openSocket,
    random: () => 0.5,
    tickMs: 1,
    idleUnwatchMs: 3_600_000,
    bookSnapshotMs: 3_600_000,
    lease: singleProcessLease(clock.now()),
  })
  stops.push(
    () => ingest.stop(),
    () => stop(system),
    () => bus.close(),
  )
  return { bus, ingest }
}

const bookOf = (bookId: string, recvTs: number): BookSnapshot => ({
  bookId,
  bids: [[400_000, 10]],
  asks: [[600_000, 10]],
  eventTs: null,
  recvTs,
  lastTradeMicros: null,
  isNegRisk: null,
  tickMicros: null,
})

it('reads a polled book immediately when wanted, marks it stale after too long without a read, and live again with the next', async () => {
  const clock = new ManualClock()
  const answers: (() => void)[] = []
  const seen: string[] = []
  const read = (bookId: string): Promise<BookSnapshot> =>
    new Promise((resolve) => answers.push(() => resolve(bookOf(bookId, clock.now()))))
  const { bus, ingest } = ingestOf(clock, (_context, bookId) => (bookId === 'a' ? read(bookId) : Promise.resolve(null)))
  await bus.subscribe(
    'books',
    ({ state, staleReason }) => void seen.push(state === 'live' ? state : `${state} ${staleReason}`),
  )
  ingest.actor.send({ kind: 'pin', bookIds: ['a'] })
  // No time passes: a newly wanted book does not wait for its round.
  await eventually(() => expect(answers).toHaveLength(1))
  expect(ingest.health()).toMatchObject({ connection: 'polling', reason: '1 of 1 books are stale: not_received' })
  answers.pop()!()
  await eventually(() => {
    clock.advance(1)
    expect(seen.at(-1)).toBe('live')
  })
  // The next read, of the round, hangs.
  const readAt = clock.now()
  await eventually(() => {
    clock.advance(100)
    expect(answers).toHaveLength(1)
  })
  while (clock.now() - readAt < polledStaleAfterMs({ poll }) - 2_000) clock.advance(1_000)
  expect(ingest.health().staleBooks).toBe(0)
  await eventually(() => {
    clock.advance(1_000)
    expect(seen.at(-1)).toBe('stale not_polled')
  })
  expect(ingest.health()).toMatchObject({
    staleBooks: 1,
    connection: 'degraded',
    reason: '1 of 1 books are stale: not_polled',
  })
  // The hanging read may have been given up by now: answer whichever is waited for.
  await eventually(() => {
    for (const answer of answers.splice(0)) answer()
    clock.advance(1)
    expect(seen.at(-1)).toBe('live')
  })
})

it('tapes each trade of a polled book once, and reports from when and up to when trades are covered', async () => {
  const clock = new ManualClock()
  const trade = (id: string): Trade => ({ id, timestamp: 5, price: 0.41, amount: 3, side: 'sell', outcomeId: 'a' })
  const { bus, ingest } = ingestOf(clock, async (_context, bookId) => bookOf(bookId, clock.now()), {
    fetchTrades: async () => [trade('t2'), trade('t1')],
    poll: { ...poll, tradesEveryMs: 1_000 },
  })
  const rows: TapeTradeRow[] = []
  const coverage: CoverageEvent[] = []
  await bus.consume('tape', 'test', async ({ values }) => void rows.push(...values.flatMap(({ trades }) => trades)))
  await bus.consume('coverage', 'test', async ({ values }) => void coverage.push(...values))
  ingest.actor.send({ kind: 'pin', bookIds: ['a'] })
  await eventually(() => {
    clock.advance(100)
    expect(rows.length).toBeGreaterThan(0)
    expect(coverage.length).toBeGreaterThan(1)
  })
  const now = clock.now()
  await eventually(() => {
    clock.advance(1_000)
    expect(clock.now() - now).toBeGreaterThan(60_000)
  })
  expect(
    rows.map(({ outcomeId, tradeId, priceMicros, size, side }) => [outcomeId, tradeId, priceMicros, size, side]),
  ).toEqual([
    ['a', 't2', 410_000, 3, 'sell'],
    ['a', 't1', 410_000, 3, 'sell'],
  ])
  const tradeCoverage = coverage.filter(({ reason }) => reason === recordsTrades)
  expect(tradeCoverage[0]).toMatchObject({ outcomeId: 'a', kind: 'resumed', mechanism: 'rest-adaptive' })
  const upTo = tradeCoverage.map(({ at }) => at)
  expect(upTo.length).toBeGreaterThan(1)
  expect(upTo).toEqual([...new Set(upTo)].toSorted((a, b) => a - b))
  expect(coverage[0]).toMatchObject({ kind: 'opened' })
})

it('does not let a reader’s book become stale because the surface wants eighty more, and reports the pace of each', async () => {
  const clock = new ManualClock()
  let pendingRead: { bookId: string; answer(): void } | null = null
  const { bus, ingest } = ingestOf(
    clock,
    (_context, bookId) =>
      new Promise((resolve) => {
        pendingRead = { bookId, answer: () => resolve(bookOf(bookId, clock.now())) }
      }),
  )
  const mine: string[] = []
  const paces = new Map<string, number | null>()
  await bus.subscribe('books', ({ marketId, state }) => {
    if (marketId === 'mine') mine.push(state)
  })
  await bus.consume('coverage', 'test', async ({ values }) => {
    for (const { outcomeId, effectiveIntervalMs } of values) paces.set(outcomeId, effectiveIntervalMs)
  })
  const surface = Array.from({ length: 80 }, (_, i) => `leg${i}`)
  ingest.actor.send({ kind: 'demand', gatewayId: 's', purpose: 'surface', near: ['leg3', 'leg5'], marketIds: surface })
  ingest.actor.send({ kind: 'demand', gatewayId: 'g', marketIds: ['mine'] })
  const reads = new Map<string, number[]>()
  const begunAt = clock.now()
  while (clock.now() < begunAt + 360_000) {
    // One request a second, as the venue allows.
    await vi.waitFor(() => expect(pendingRead).not.toBeNull(), { timeout: 25_000, interval: 1 })
    const { bookId, answer } = pendingRead!
    pendingRead = null
    clock.advance(1_000)
    answer()
    reads.set(bookId, [...(reads.get(bookId) ?? []), clock.now() - begunAt])
    for (const gatewayId of ['s', 'g']) {
      if (clock.now() % 5_000 !== 0) continue
      const marketIds = gatewayId === 's' ? surface : ['mine']
      const purpose = gatewayId === 's' ? 'surface' : 'readers'
      ingest.actor.send({ kind: 'demand', gatewayId, purpose, near: ['leg3', 'leg5'], marketIds })
    }
  }
  const gaps = (id: string) => (reads.get(id) ?? []).slice(1).map((at, i) => at - reads.get(id)![i]!)
  expect(Math.max(...gaps('mine'))).toBeLessThanOrEqual(8_000)
  expect(mine).toContain('live')
  expect(mine.slice(mine.indexOf('live'))).not.toContain('stale')
  expect(Math.max(...gaps('leg3'))).toBeLessThanOrEqual(5_000)
  expect([...reads.keys()]).toHaveLength(81)
  await eventually(() => {
    expect(paces.get('mine')).toBeLessThanOrEqual(8_000)
    expect(paces.get('leg7')).toBeGreaterThan(60_000)
  })
})

it.each([
  [1, 5_000, 15],
  [1, 30_000, 45],
  [6, 5_000, 90],
  [10, 2_000, 150],
])(
  'with %i reads a second and a round every %i ms reads no more than %i books for the tape alone',
  (rate, intervalMs, books) => {
    expect(polledBooksMax({ poll: { intervalMs, concurrency: 1 } }, rate)).toBe(books)
  },
)

it('pins only as many of the most active markets’ books as can be read in time', async () => {
  const clock = new ManualClock()
  const market = sampleMarket('m1')
  const outcomes = Array.from({ length: 10 }, (_, i) => ({ ...market.outcomes[0]!, outcomeId: `o${i}` }))
  const pinned: string[][] = []
  const pins = maintainPinnedMarkets({
    venue: venueOf(async () => null),
    catalog: { findMostActiveMarkets: async () => [{ ...market, outcomes }] } as never,
    limit: 50,
    booksMax: 4,
    clock,
    log: silentLog,
    pin: (bookIds) => void pinned.push([...bookIds]),
  })
  stops.push(() => pins.stop())
  await eventually(() => expect(pinned).toEqual([['o0', 'o1', 'o2', 'o3']]))
})
