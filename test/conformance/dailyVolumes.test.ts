// Venues that report no daily volume, each against its simulated venue: the normalised data from which a volume can be computed, and that
// the computed volume equals what was traded.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { dailyVolumesOf } from '#roles/dailyVolumes'
import type { Event, Market } from '#schemas/market'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import type { VenueCase } from '#test/support/cases/venueCase'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'
import { labCredentials } from '#test/support/labSettings'
import { withPostgres } from '#test/support/postgres'
import { venueCases } from '#test/support/venueCases'
import type { VenueContext } from '#venues/venueContext'

const cases: readonly VenueCase[] = Object.values(venueCases)
const madeBy = (source: string) =>
  cases.flatMap((each) => {
    const { volume24h } = each.manifest
    return volume24h !== false && volume24h.source === source ? [[each.lab, each] as const] : []
  })
const [cumulative, taped] = [madeBy('derived_cumulative'), madeBy('derived_tape')]

const postgres = withPostgres()
const clock = new ManualClock()
const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
const clients: OwnedHttpClient[] = []
let lab: Lab
beforeAll(async () => {
  const venues = [...cumulative, ...taped].map(([name]) => name)
  lab = await startLab({ clock, seed: 'daily volumes', ratePerSecond: 60, markets: 12, venues })
}, 60_000)
afterAll(async () => {
  for (const client of clients) await client.close()
  await lab?.stop()
})

function contextOf({ lab: name, manifest }: VenueCase): VenueContext {
  const http = createHttpClient({ venue: manifest.slug, requestsPerSecond: 10_000 })
  clients.push(http)
  return {
    venue: manifest.slug,
    http,
    clock,
    log: silentLog,
    urls: lab[name].urls,
    credentials: labCredentials(lab, name),
    signal: new AbortController().signal,
  }
}

async function walked({ manifest }: VenueCase, context: VenueContext): Promise<Event[]> {
  const events: Event[] = []
  for await (const page of manifest.data.walkCatalog(context, { updatedSinceMs: null })) events.push(...page.events)
  return events
}
const marketsOf = (events: readonly Event[]): Map<string, Market> =>
  new Map(events.flatMap(({ markets }) => markets.map((market) => [market.marketId, market])))

describe.each(cumulative)('%s reports running totals', (_, venue) => {
  test('that never decrease, and whose increase within a day is the volume of its markets and events', async () => {
    const { slug } = venue.manifest
    const context = contextOf(venue)
    const dailyVolumes = dailyVolumesOf({ venues: [{ manifest: venue.manifest }], tape: null, clock, log: silentLog })
    const catalog = createPostgresCatalog(postgres.pool, { dailyVolumes })
    const begun = clock.now()
    const before = await walked(venue, context)
    const first = marketsOf(before)
    const active = [...first.values()].filter(({ status }) => status === 'active')
    expect(active.length).toBeGreaterThan(0)
    for (const { volume, volume24h } of active) expect([typeof volume, volume24h]).toEqual(['number', null])
    await catalog.upsertEvents(slug, before, [], begun)
    for (let at = begun; at < begun + dayMs; at += 40 * minuteMs) {
      const of = await dailyVolumes.get(slug)!.at(at)
      await of(postgres.pool, [...first.values()])
    }
    clock.advance(3_000)
    const after = await walked(venue, context)
    const second = marketsOf(after)
    await catalog.upsertEvents(slug, after, [], begun + dayMs)
    let traded = 0
    for (const { marketId } of active) {
      const total = second.get(marketId)?.volume
      if (total == null) continue
      const rise = total - first.get(marketId)!.volume!
      if (rise > 0) traded++
      const stored = await catalog.findMarket(slug, marketId)
      expect(stored?.volume24h, marketId).toBeCloseTo(rise, 5)
      expect(stored?.volume24h).toBeGreaterThanOrEqual(0)
      expect(stored?.volume24hSource).toBe('derived_cumulative')
    }
    expect(traded).toBeGreaterThan(0)
    const { rows } = await catalog.findEvents({ filter: { venues: [slug] }, sort: 'volume', limit: 1 })
    const sum = rows[0]!.markets.reduce((total, { volume24h }) => total + (volume24h ?? 0), 0)
    expect(rows[0]).toMatchObject({ volume24hSource: { sources: ['derived_cumulative'] } })
    expect(rows[0]!.volume24h).toBeCloseTo(sum, 5)
  }, 60_000)
})

describe.each(taped)('%s has recorded trades', (name, venue) => {
  let tape: TestTape
  beforeAll(async () => {
    tape = await openTestTape()
  }, 60_000)
  afterAll(() => tape?.close())

  test('whose sum over a day is the volume of a market', async () => {
    const { slug, data } = venue.manifest
    const context = contextOf(venue)
    const now = clock.now()
    const market = [...marketsOf(await walked(venue, context)).values()].find(({ status }) => status === 'active')!
    const { bookId } = data.bookRef(market.outcomes[0]!.outcomeId, market.marketId)!
    // As ingest requests the trades of a book.
    const ref = { outcomeId: bookId, marketId: bookId, eventId: null, metadata: {} }
    const outcomeRef = {
      outcomeId: market.outcomes[0]!.outcomeId,
      marketId: market.marketId,
      eventId: null,
      metadata: {},
    }
    const trades = await data.fetchTrades!(context, bookId === outcomeRef.outcomeId ? ref : outcomeRef, { limit: 500 })
    const recent = trades.filter(({ timestamp }) => timestamp > now - dayMs)
    expect(recent.length).toBeGreaterThan(0)
    const rows = trades.map(({ id, timestamp, price, amount, side }) => ({
      venue: slug,
      outcomeId: bookId,
      tradeId: id,
      ts: timestamp,
      recvTs: now,
      priceMicros: price === null ? null : Math.round(price * 1_000_000),
      size: amount,
      side,
      transactionHash: null,
    }))
    await tape.insert([{ ...emptyBatch(slug, bookId), trades: rows }])
    const cover = {
      venue: slug,
      outcomeId: bookId,
      mechanism: 'ws-lossless',
      effectiveIntervalMs: null,
      reason: null,
    } as const
    await insertCoverage(tape.store, [{ ...cover, kind: 'opened', at: now - 2 * dayMs }], 'cover')
    const volumes = dailyVolumesOf({ venues: [{ manifest: venue.manifest }], tape: tape.store, clock, log: silentLog })
    const of = await volumes.get(slug)!.at(now)
    // The stakes of the takers, from the simulated venue's own records.
    const staked = lab[name].engine
      .glance(keyOf(market))!
      .recentTrades()
      .filter(({ atMs }) => atMs > now - dayMs)
      .reduce(
        (sum, { priceMicros, size, takerBuysYes }) =>
          sum + ((takerBuysYes ? priceMicros : 1_000_000 - priceMicros) / 1e6) * size,
        0,
      )
    expect((await of(postgres.pool, [market])).get(market.marketId)).toBeCloseTo(staked, 2)
  }, 60_000)

  /** The simulated venue's key of a market: these venues identify it by a hash. */
  const keyOf = ({ marketId }: Market): string => {
    const { listing } = lab[name] as unknown as { listing: { markets: readonly { key: string; marketHash: string }[] } }
    return listing.markets.find(({ marketHash }) => marketHash === marketId)!.key
  }
})
