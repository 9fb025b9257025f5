// Books of the lab’s gateway, polled by ingest on a manual clock: a wanted book becomes live, is polled again, and is never shown as fresh
// when it could not be read.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Ingest, spawnIngest } from '#actors/ingest/ingestActor'
import { start, stop } from '#actors/system'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createHttpClient } from '#net/httpClient'
import { openSocket } from '#net/socket'
import { type BookUpdate, type CoverageEvent, takeoverMarker } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import { singleProcessLease } from '#test/support/lease'
import { polymarketUs } from '#venues/polymarket_us/index'

/** An update at the time of its publication, because the publisher reuses its bytes. */
interface Seen extends Pick<BookUpdate, 'marketId' | 'state' | 'staleReason'> {
  book: Record<'bids' | 'asks', { price: number; size: number }[]>
}

let lab: Lab
let ingest: Ingest
let clock: ManualClock
let books: Seen[]
let coverage: CoverageEvent[]
const stops: (() => Promise<void> | void)[] = []

beforeEach(async () => {
  clock = new ManualClock()
  books = []
  coverage = []
  lab = await startLab({ clock, seed: 'polled', venues: ['polymarket_us'], ratePerSecond: 0, markets: 12 })
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  await bus.subscribe('books', ({ marketId, state, staleReason, core }) => {
    books.push({ marketId, state, staleReason, book: JSON.parse(`${core}}`) as Seen['book'] })
  })
  await bus.consume('coverage', 'test', async ({ values }) => {
    coverage.push(...values.filter(({ outcomeId }) => outcomeId !== takeoverMarker))
  })
  const system = start()
  const http = createHttpClient({ venue: 'polymarket_us', requestsPerSecond: 1_000, clock })
  const { signal } = new AbortController()
  ingest = spawnIngest(system, {
    venue: polymarketUs,
    context: {
      venue: 'polymarket_us',
      http,
      clock,
      log: silentLog,
      urls: lab.polymarket_us.urls,
      credentials: null,
      signal,
    },
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
    () => http.close(),
    () => stop(system),
    () => bus.close(),
    () => lab.stop(),
  )
})
afterEach(async () => {
  for (const end of stops.splice(0)) await end()
})

/** Advances the clock in small steps while real requests are pending. */
const until = (look: () => void): Promise<void> =>
  vi.waitFor(
    () => {
      clock.advance(250)
      look()
    },
    { timeout: 20_000, interval: 5 },
  )
const openSlugs = (): string[] =>
  lab.polymarket_us.listing.markets
    .filter(({ key }) => lab.polymarket_us.engine.statusOf(key) === 'open')
    .map(({ slug }) => slug)
const last = (slug: string): Seen | undefined => books.findLast(({ marketId }) => marketId === slug)
const micros = (side: { price: number; size: number }[]) =>
  side.map(({ price, size }) => [Math.round(price * 1e6), size])
function isOwn(slug: string): void {
  const { bids, asks } = lab.polymarket_us.book(slug)!
  const seen = last(slug)
  expect(seen?.state).toBe('live')
  expect([micros(seen!.book.bids), micros(seen!.book.asks)]).toEqual([bids, asks])
}
const want = (...bookIds: string[]): void => ingest.actor.send({ kind: 'pin', bookIds })

it('a wanted book becomes live with the venue’s levels and follows them from poll to poll', async () => {
  const [slug] = openSlugs()
  want(slug!)
  await until(() => isOwn(slug!))
  const { key } = lab.polymarket_us.listing.bySlug.get(slug!)!
  const { engine } = lab.polymarket_us
  engine.setLevel(key, 0, engine.market(key)!.truth().bids[0]![0], 77_777)
  await until(() => isOwn(slug!))
  expect(ingest.health()).toMatchObject({ connection: 'polling', staleBooks: 0 })
})

it('errors of the venue make the book stale, and it becomes live again once the venue recovers', async () => {
  const [slug] = openSlugs()
  want(slug!)
  await until(() => isOwn(slug!))
  lab.polymarket_us.faults.http({ status: 500 })
  await until(() => expect(last(slug!)).toMatchObject({ state: 'stale', staleReason: 'unreachable' }))
  expect(ingest.health().connection).toBe('unreachable')
  lab.polymarket_us.faults.recover()
  await until(() => isOwn(slug!))
  await until(() => expect(coverage.slice(0, 3).map(({ kind }) => kind)).toEqual(['opened', 'gap', 'resumed']))
  expect(coverage[0]).toMatchObject({ mechanism: 'rest-adaptive', effectiveIntervalMs: null })
  // After two reads the actual interval is reported.
  await until(() => expect(coverage.at(-1)!.effectiveIntervalMs).toBeGreaterThanOrEqual(25_000))
})

it('a 429 makes the book stale, pauses polling, and then polling resumes', async () => {
  const [slug] = openSlugs()
  want(slug!)
  await until(() => isOwn(slug!))
  lab.polymarket_us.faults.http({ status: 429, retryAfterSeconds: 1 })
  await until(() => expect(last(slug!)?.state).toBe('stale'))
  expect(ingest.health().reason).toMatch(/limits our requests/)
  lab.polymarket_us.faults.recover()
  await until(() => isOwn(slug!))
})

it('a market unknown to the venue is dropped and the others continue', async () => {
  const [slug] = openSlugs()
  want('no-such-market', slug!)
  await until(() => isOwn(slug!))
  expect(ingest.health().watchedBooks).toBe(1)
  expect(books.filter(({ marketId, state }) => marketId === 'no-such-market' && state === 'live')).toEqual([])
})
