// From a venue's bytes to the row: the lab's market moves, ingest follows it, and an order waiting at the best price triggers.
import { afterEach, expect, it, vi } from 'vitest'
import { spawnIngest } from '#actors/ingest/ingestActor'
import * as actors from '#actors/system'
import { spawnTriggers, type TriggersActor } from '#actors/triggers/triggersActor'
import { VenueOwners } from '#core/books/epochFencing'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { systemClock as clock } from '#core/clock'
import { silentLog } from '#core/log'
import { startLab } from '#lab/lab'
import { createHttpClient } from '#net/httpClient'
import { openSocket } from '#net/socket'
import type { Evidence } from '#orders/triggers/decision'
import type { TriggerRule } from '#schemas/conditional'
import { createLocalBus } from '#storage/bus/local'
import type { WatchedOrder } from '#storage/postgres/conditional/find'
import { openConditionalOrders, rule } from '#test/support/conditional/book'
import { singleProcessLease } from '#test/support/lease'
import { withPostgres } from '#test/support/postgres'
import { polymarket } from '#venues/polymarket/index'
import type { VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { triggerEngine } from '#workers/triggerEngine'

const pg = withPostgres()
const slots = 16
const venue: VenueManifest = polymarket
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function openMarket(context: VenueContext): Promise<{ marketId: string; outcomeId: string }> {
  for await (const { events } of venue.data.walkCatalog(context, { updatedSinceMs: null }))
    for (const { markets } of events)
      for (const { status, marketId, outcomes } of markets)
        if (status === 'active' && outcomes[0] !== undefined) return { marketId, outcomeId: outcomes[0].outcomeId }
  throw new Error('the lab has no open market')
}

type Level = { price: number; size: number }

it('triggers an order at the best price of a moving market, with evidence equal to what readers received', async () => {
  const lab = await startLab({ clock, seed: 'triggers', venues: ['polymarket'], ratePerSecond: 20, markets: 3 })
  stops.push(() => lab.stop())
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const published = new Map<number, { bids: Level[]; asks: Level[] }>()
  await bus.subscribe('books', ({ seq, state, core }) => {
    if (state === 'live') published.set(seq, JSON.parse(`${core}}`) as { bids: Level[]; asks: Level[] })
  })
  const system = actors.start()
  stops.push(() => actors.stop(system))
  const http = createHttpClient({ venue: 'polymarket', requestsPerSecond: 1_000, clock })
  stops.push(() => http.close())
  const context: VenueContext = {
    venue: 'polymarket',
    http,
    clock,
    log: silentLog,
    urls: lab.polymarket.urls,
    credentials: null,
    signal: new AbortController().signal,
  }
  const ingest = spawnIngest(system, {
    venue,
    context,
    bus,
    clock,
    log: silentLog,
    openSocket,
    random: () => 0.5,
    tickMs: 1,
    idleUnwatchMs: 5_000,
    bookSnapshotMs: 3_600_000,
    lease: singleProcessLease(clock.now()),
  })
  stops.push(() => ingest.stop())
  await bus.subscribe('demand', (demand) => ingest.actor.send({ kind: 'demand', ...demand }))
  const arena = createArena(slots)
  const feed = new BookFeed(arena, (slot) => triggers.touch(slot), clock)
  const book = await openConditionalOrders(pg.pool)
  const triggers: TriggersActor = await spawnTriggers(system, {
    bus,
    store: book.store,
    sourcesOf: async (orders: readonly WatchedOrder[]) =>
      orders.map(({ outcome_id, market_id }) => venue.data.bookRef(outcome_id, market_id)),
    feed,
    createEngine: triggerEngine({ arena, slots, clock }),
    owners: new VenueOwners(clock),
    demandId: 'triggers-1',
    clock,
    log: silentLog,
  })
  stops.push(() => triggers.stop())

  const { marketId, outcomeId } = await openMarket(context)
  const arm = (trigger: Partial<TriggerRule>) =>
    book.arm({
      venue: 'polymarket',
      marketId,
      outcomeId,
      trigger: { ...rule, reference: 'bid', dwellMs: 200, minSize: 0.01, maxSpread: 1, ...trigger },
      expiresAt: new Date(clock.now() + 3_600_000),
    })
  // Its book is watched because an order waits for it.
  const never = await arm({ price: 0.9999, dwellMs: 86_400_000 })
  await vi.waitFor(() => expect(published.size).toBeGreaterThan(3), { timeout: 20_000 })
  const bid = [...published.values()].at(-1)!.bids[0]!.price
  const { id } = await arm({ when: 'at_or_below', price: bid })
  const other = await arm({ when: 'at_or_above', price: bid })
  await vi.waitFor(
    async () => expect([await book.statusOf(id), await book.statusOf(other.id)]).toContain('triggered'),
    { timeout: 20_000 },
  )
  const row = (await Promise.all([id, other.id].map((each) => book.store.find(book.accountId, each)))).find(
    (each) => each?.status === 'triggered',
  )!
  const evidence = row.trigger_evidence as unknown as Evidence
  const { bids, asks } = published.get(evidence.sequence)!
  expect([evidence.referencePrice, evidence.size]).toEqual([bids[0]!.price, bids[0]!.size])
  expect(evidence.spread).toBeCloseTo(asks[0]!.price - bids[0]!.price, 9)
  expect(Date.parse(evidence.lastSampleAt) - Date.parse(evidence.firstSampleAt)).toBeGreaterThanOrEqual(200)
  const { when } = row.trigger_rule
  const price = row.trigger_rule.price!
  expect(when === 'at_or_above' ? bids[0]!.price >= price : bids[0]!.price <= price).toBe(true)
  expect(await book.statusOf(never.id)).toBe('armed')
})
