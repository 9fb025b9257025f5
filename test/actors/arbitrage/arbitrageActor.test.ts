import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Arbitrage, spawnArbitrage, unfollowedFlushMs } from '#actors/arbitrage/arbitrageActor'
import * as actors from '#actors/system'
import { arbitrageChannel } from '#arbitrage/channel'
import type { ClusterInput } from '#arbitrage/cluster'
import { compileSurface } from '#arbitrage/compileSurface'
import { type CreateEngine, inlineEngine } from '#arbitrage/engine'
import { arbitrageRows } from '#arbitrage/fetchArbitrage'
import { rowFilter, type SubscriberFilter } from '#arbitrage/filter'
import { rowOf } from '#arbitrage/row'
import { Surface } from '#arbitrage/surface'
import { LiveBook } from '#core/books/liveBook'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { type Clock, ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { TestClient } from '#test/src/arbitrage/client'
import { drain } from '#test/src/arbitrage/published'
import { Random, type SampleBook, SampleBooks, sampleBook, sampleCluster } from '#test/src/arbitrage/worlds'
import { workerEngine } from '#workers/surfaceEngine'

const faulty = fileURLToPath(new URL('../../workers/faulty.worker.ts', import.meta.url))
const slots = 400
const started = 1_790_000_000_000
const running: { arbitrage: Arbitrage; system: actors.Supervisor }[] = []

afterEach(async () => {
  for (const { arbitrage, system } of running.splice(0)) {
    await arbitrage.stop()
    actors.stop(system)
  }
})

interface Options {
  clock?: Clock
  createEngine?: (arena: SharedArrayBuffer) => CreateEngine
}

/** The whole surface with the inputs and outputs of production: book updates in, frames out. */
function world(seed: number, { clock = systemClock, createEngine = inlineEngine }: Options = {}) {
  const random = new Random(seed)
  const arena = createArena(slots)
  const feed = new BookFeed(arena, (slot) => arbitrage.touch(slot))
  const system = actors.start()
  const arbitrage = spawnArbitrage(system, {
    intervalMs: 100,
    contracts: 100,
    limit: 50_000,
    createEngine: createEngine(arena),
    slotOf: feed.slotOf,
    clock,
    log: silentLog,
  })
  running.push({ arbitrage, system })
  const channel = arbitrageChannel(arbitrage.publisher, (principal) => principal.plan !== 'free', [])
  const live = new Map<string, LiveBook>()
  let at = started
  const sendBook = (venue: string, bookId: string, sample: SampleBook): void => {
    const key = `${venue} ${bookId}`
    let book = live.get(key)
    if (book === undefined) {
      book = new LiveBook({ venue, marketId: bookId, tickMicros: null, onDirty: () => undefined })
      live.set(key, book)
    }
    at += 10
    book.beginSnapshot()
    for (const { micros, size } of sample.bids) book.set(0, micros, Number(size))
    for (const { micros, size } of sample.asks) book.set(1, micros, Number(size))
    book.commit(at, at + 3)
    if (sample.state === 'stale') book.markStale('gap')
    feed.update(book.update(1))
  }
  const flush = (): void => {
    feed.flush()
    arbitrage.flush()
  }
  /** Clusters whose books this test publishes; the sample's own books are not used. */
  const clusters = (count: number, from = 0): ClusterInput[] => {
    const unused = new SampleBooks(count * 12)
    return Array.from({ length: count }, (_, i) => sampleCluster(random, `c${from + i}`, unused, started))
  }
  const sourcesOf = (inputs: readonly ClusterInput[]) =>
    inputs.flatMap(({ members }) =>
      members.flatMap(({ venue, yesBook, noBook }) =>
        [yesBook, noBook].flatMap((source) => (source === null ? [] : [{ venue, bookId: source.bookId }])),
      ),
    )
  const sendSome = (inputs: readonly ClusterInput[], share: number): void => {
    for (const { venue, bookId } of sourcesOf(inputs)) {
      if (random.chance(share)) sendBook(venue, bookId, sampleBook(random, `${venue} ${bookId}`, at))
    }
    flush()
  }
  /** What a client with this filter must hold, recomputed from the current books. */
  const truth = (inputs: readonly ClusterInput[], filter: SubscriberFilter = {}): Record<string, string> => {
    const compiled = compileSurface(inputs, { contracts: 100, limit: 50_000, slotOf: feed.slotOf })
    const surface = Surface.alone(compiled.plan, arena)
    surface.pass()
    const { passes } = rowFilter(filter)
    const rows = compiled.rowFacts.map((_, row) => rowOf(compiled, surface.table, row))
    const shown = rows.filter((row) =>
      passes({
        executable: row.executable,
        venueA: row.legs.buyYes.venue,
        venueB: row.legs.buyNo.venue,
        netMicros: row.netEdge === null ? NaN : Math.round(row.netEdge * 1e6),
        spreadMicros: NaN,
        matchBand: row.matchBand,
      }),
    )
    return Object.fromEntries(
      shown
        .map((row) => [row.clusterId, JSON.stringify(JSON.parse(JSON.stringify(row)))] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  }
  const subscribe = (filter: SubscriberFilter = {}, id = 1): TestClient => {
    const client = new TestClient(id)
    channel.started(client, 'arbitrage', {
      op: 'subscribeArbitrage',
      ...filter,
      venues: filter.venues === undefined ? undefined : [...filter.venues],
    })
    return client
  }
  const leave = (client: TestClient): void => channel.stopped(client, 'arbitrage')
  return {
    random,
    arena,
    feed,
    arbitrage,
    channel,
    clusters,
    sourcesOf,
    sendBook,
    sendSome,
    flush,
    truth,
    subscribe,
    leave,
  }
}

/** Two markets of one question, at prices of our choosing. */
const pair = (id: string): ClusterInput => ({
  clusterId: id,
  question: 'Will it rain?',
  members: ['polymarket', 'kalshi'].map((venue) => ({
    venue,
    canonicalMarketId: null,
    marketId: `${id}-${venue}`,
    yesBook: { bookId: `${id}-${venue}`, complement: false },
    noBook: { bookId: `${id}-${venue}`, complement: true },
    polarity: 'same',
    fee: { kind: 'none' },
    settlementFee: { kind: 'none' },
    similarity: 1,
  })),
  pairs: [
    {
      a: 'polymarket',
      b: 'kalshi',
      matchScore: 100,
      matchBand: 'verified',
      matchDifferences: [],
      resolution: { compatible: true, reason: null, auditReasons: [] },
      resolutionEquivalence: 'verified',
    },
  ],
})
const book = (bid: number, ask: number): SampleBook => ({
  key: '',
  bids: [{ micros: bid, size: '500' }],
  asks: [{ micros: ask, size: '500' }],
  state: 'live',
  asOf: 0,
})

describe('the arbitrage surface', () => {
  it('publishes a pair whose legs cost less than they pay, and withdraws it when a book goes stale', async () => {
    const { arbitrage, sendBook, flush, subscribe } = world(1)
    await arbitrage.setClusters([pair('q')])
    const client = subscribe({ executableOnly: true })
    sendBook('polymarket', 'q-polymarket', book(390_000, 400_000))
    sendBook('kalshi', 'q-kalshi', book(450_000, 460_000))
    flush()
    await vi.waitFor(() => expect(client.rows.size).toBe(2))
    const row = JSON.parse(client.rows.get('q:polymarket:kalshi')!)
    expect(row).toMatchObject({
      label: 'arbitrage',
      executable: true,
      netEdge: 5,
      totalCost: 95,
      payout: 100,
      roi: 0.052632,
    })
    expect(row.legs.buyNo).toMatchObject({
      venue: 'kalshi',
      side: 'no',
      vwap: 0.55,
      cost: 55,
      filled: 100,
      fullyFilled: true,
    })
    expect(JSON.parse(client.rows.get('q:kalshi:polymarket')!).label).toBe('indicative price discrepancy')
    sendBook('kalshi', 'q-kalshi', { ...book(450_000, 460_000), state: 'stale' })
    flush()
    await vi.waitFor(() => expect(client.rows.size).toBe(0))
  })

  it('wakes the engine for changed books at most every 25 ms without subscribers, and immediately with one', async () => {
    const clock = new ManualClock(started)
    let wakes = 0
    const createEngine =
      (arena: SharedArrayBuffer): CreateEngine =>
      (events) => {
        const engine = inlineEngine(arena)(events)
        const flush = engine.flush.bind(engine)
        return Object.defineProperty(engine, 'flush', {
          value: () => {
            wakes++
            flush()
          },
        })
      }
    const { arbitrage, sendBook, flush, subscribe } = world(3, { clock, createEngine })
    await arbitrage.setClusters([pair('q')])
    const change = (): void => {
      sendBook('kalshi', 'q-kalshi', book(450_000, 460_000))
      flush()
    }
    change()
    expect(wakes).toBe(1)
    for (let i = 0; i < 10; i++) change()
    expect(wakes).toBe(1)
    clock.advance(unfollowedFlushMs - 1)
    expect(wakes).toBe(1)
    clock.advance(1)
    expect(wakes).toBe(2)
    clock.advance(10 * unfollowedFlushMs)
    expect(wakes).toBe(2)
    change()
    expect(wakes).toBe(3)
    change()
    expect(wakes).toBe(3)
    arbitrage.flush(true)
    expect(wakes).toBe(4)
    change()
    expect(wakes).toBe(4)
    // Pending publications are sent in time; from here on nothing is pending.
    subscribe()
    clock.advance(unfollowedFlushMs)
    expect(wakes).toBe(5)
    change()
    change()
    expect(wakes).toBe(7)
  })

  it('keeps every subscriber equal to a recomputed surface while books and clusters change', async () => {
    for (const seed of [11, 12, 13]) {
      const { random, arbitrage, clusters, sendSome, truth, subscribe } = world(seed)
      let inputs = clusters(12)
      await arbitrage.setClusters(inputs)
      sendSome(inputs, 0.8)
      const filters: SubscriberFilter[] = [
        {},
        { executableOnly: true },
        { minEdge: 0 },
        { venues: ['polymarket', 'kalshi', 'limitless', 'opinion'] },
      ]
      const clients = filters.map((filter, i) => subscribe(filter, i))
      for (let round = 0; round < 15; round++) {
        if (round % 5 === 4) {
          inputs = [...inputs.slice(random.int(1, 3)), ...clusters(2, 100 * round)]
          await arbitrage.setClusters(inputs)
        }
        sendSome(inputs, 0.1)
        await vi.waitFor(() => {
          clients.forEach((client, i) => {
            expect(client.state()).toEqual(truth(inputs, filters[i]))
          })
        })
      }
    }
  })

  it('writes rows without subscribers when they are read or subscribed to, equal to a recomputed surface', async () => {
    const { random, arbitrage, clusters, sendSome, truth, subscribe, leave } = world(14)
    const { rows } = arbitrage.publication
    const read = (): Record<string, string> => {
      const found = drain(arbitrageRows(rows, { limit: 10_000 }))
      const texts = found.map(({ key, bytes }) => [key, bytes.toString()] as const)
      return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)))
    }
    let inputs = clusters(12)
    await arbitrage.setClusters(inputs)
    sendSome(inputs, 0.8)
    await vi.waitFor(() => expect(read()).toEqual(truth(inputs)))
    for (let round = 0; round < 8; round++) {
      if (round % 4 === 3) {
        inputs = [...inputs.slice(random.int(1, 3)), ...clusters(2, 100 * round)]
        await arbitrage.setClusters(inputs)
      }
      sendSome(inputs, 0.1)
      const { seq } = arbitrage.publication
      await vi.waitFor(() => expect(arbitrage.publication.seq).toBeGreaterThan(seq))
      if (round % 3 === 2) {
        const client = subscribe({}, round)
        await vi.waitFor(() => expect(client.state()).toEqual(truth(inputs)))
        leave(client)
      } else if (round > 2) await vi.waitFor(() => expect(read()).toEqual(truth(inputs)))
    }
  })

  it('sends an empty delta each interval as a heartbeat, and a snapshot every 30 s', async () => {
    const clock = new ManualClock(started)
    const { arbitrage, subscribe } = world(21, { clock })
    await arbitrage.setClusters([pair('q')])
    const client = subscribe()
    await vi.waitFor(() => {
      clock.advance(1)
      expect(client.kinds).toEqual(['snapshot'])
    })
    const { heartbeatMs } = arbitrage.publication
    expect(heartbeatMs).toBe(30_000)
    for (let tick = 1; tick <= 300; tick++) {
      const before = client.frames
      clock.advance(100)
      await vi.waitFor(() => expect(client.frames).toBeGreaterThan(before), { interval: 1 })
    }
    await vi.waitFor(() => expect(client.kinds.slice(-2)).toEqual(['snapshot', 'delta']))
    expect(client.kinds.filter((kind) => kind === 'snapshot').length).toBe(2)
    expect(client.empty).toBe(client.kinds.filter((kind) => kind === 'delta').length)
    expect(client.empty).toBe(300)
  })

  it('sends to each subscriber at its own interval, also between full passes', async () => {
    const clock = new ManualClock(started)
    const { arbitrage, sendBook, flush, subscribe } = world(22, { clock })
    await arbitrage.setClusters([pair('q')])
    const [often, seldom, atOnce] = [200, 500, 0].map((intervalMs, i) => subscribe({ intervalMs }, i))
    const begun = () =>
      expect([often, seldom, atOnce].map((client) => client!.kinds.length > 0)).toEqual([true, true, true])
    await vi.waitFor(() => {
      clock.advance(1)
      begun()
    })
    const before = [often, seldom].map((client) => client!.frames)
    const from = clock.now()
    for (let step = 1; clock.now() < from + 5_000; step++) {
      sendBook('polymarket', 'q-polymarket', book(390_000, 400_000 + step * 100))
      flush()
      const frames = atOnce!.frames
      await vi.waitFor(
        () => {
          clock.advance(1)
          expect(atOnce!.frames).toBeGreaterThan(frames)
        },
        { interval: 1 },
      )
      clock.advance(20)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const seconds = (clock.now() - from) / 1_000
    const sentFrames = [often, seldom].map((client, i) => client!.frames - before[i]!)
    expect(sentFrames[0]).toBeGreaterThan(3.5 * seconds)
    expect(sentFrames[0]).toBeLessThanOrEqual(5 * seconds + 1)
    expect(sentFrames[1]).toBeGreaterThan(1.4 * seconds)
    expect(sentFrames[1]).toBeLessThanOrEqual(2 * seconds + 1)
    expect(atOnce!.frames).toBeGreaterThan(100)
    expect([often, seldom, atOnce].map((client) => client!.paces.at(-1)!.intervalMs)).toEqual([200, 500, 0])
  })

  it.each([
    ['throws', 1],
    ['loops forever', 2],
    ['is terminated', 3],
  ])('withholds its rows when the worker %s, and resumes with a snapshot under a higher seq', async (_, what) => {
    const orders = new SharedArrayBuffer(8)
    // The worker may be back before a poll notices that it was gone, so wait for its restart, which cannot be missed.
    const restarted = Promise.withResolvers<{ withheld: boolean; frames: number; seq: number; late: TestClient }>()
    // On a busy machine it may have been restarted before, because it was too slow.
    let isOrdered = false
    const createEngine =
      (arena: SharedArrayBuffer): CreateEngine =>
      (events) => {
        const engine = workerEngine({ arena, slots, clock: systemClock, filename: faulty, workerData: orders })(events)
        const begin = engine.start.bind(engine)
        const start = (): void => {
          if (isOrdered) {
            isOrdered = false
            const { frames, seq } = client
            restarted.resolve({ withheld: arbitrage.publisher.withheld, frames, seq, late: subscribe({}, 2) })
          }
          begin()
        }
        return Object.defineProperty(engine, 'start', { value: start, writable: true })
      }
    const { arbitrage, clusters, sendSome, truth, subscribe } = world(31, { createEngine })
    const inputs = clusters(10)
    await arbitrage.setClusters(inputs)
    sendSome(inputs, 1)
    const client = subscribe()
    await vi.waitFor(() => expect(client.state()).toEqual(truth(inputs)), { timeout: 20_000 })
    isOrdered = true
    Atomics.store(new Int32Array(orders), 0, what)
    arbitrage.flush()
    const { withheld, frames, seq, late } = await restarted.promise
    expect(withheld).toBe(true)
    sendSome(inputs, 0.5)
    await vi.waitFor(() => expect(client.frames).toBeGreaterThan(frames), { timeout: 20_000 })
    expect(client.kinds[frames]).toBe('snapshot')
    expect(client.seq).toBeGreaterThan(seq)
    await vi.waitFor(
      () => {
        expect(client.state()).toEqual(truth(inputs))
        expect(late.state()).toEqual(truth(inputs))
      },
      { timeout: 20_000 },
    )
    expect(late.kinds[0]).toBe('snapshot')
  })
})
