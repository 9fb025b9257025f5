// The polymarket_us lab: combines catalog, authentication and REST venue, and provides controls for tests. Gateway and private API share
// one port.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import { grids } from '../engine/grid.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { catalogStatus, type MarketFacts } from '../marketFacts.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { createUsAuth } from './auth.ts'
import { gatewayRoutes, notFound } from './gateway.ts'
import { listPolymarketUs, type UsListing } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { feeCoefficient } from './rows.ts'
import { polymarketUsFeed } from './stream.ts'

export interface PolymarketUsLab {
  urls: { API: string; GATEWAY: string; WS: string }
  /** The operator's key for reading the socket. */
  credentials: { KEY_ID: string; SECRET_KEY: string }
  /** The same key, as callers use it. */
  key: { keyId: string; secretKey: string }
  faults: Faults
  engine: Engine
  listing: UsListing
  /** The slug's true book on the long scale, best first, prices in micros. Null for unknown slugs. */
  book(slug: string): MarketTruth | null
  /** The part of the catalog that the lane reads. */
  catalogMarkets(): MarketFacts[]
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startPolymarketUsLab(options: LabVenueOptions): Promise<PolymarketUsLab> {
  const { clock, seed } = options
  const catalog = buildCatalog('polymarket_us', { seed, nowMs: clock.now(), markets: options.markets })
  const listing = listPolymarketUs(catalog)
  const auth = createUsAuth(seed, () => clock.now())
  const venue = await startRestVenue(options, {
    name: 'polymarket_us',
    markets: listing.markets,
    engineId: (slug) => listing.bySlug.get(slug)?.key ?? null,
    routes: (core) => [...gatewayRoutes(core, listing), ...orderRoutes(core, listing, auth)],
    feed: (core, counters) => polymarketUsFeed(core, counters, listing, auth),
    refusalBody: (status) =>
      status === 429
        ? { status, message: 'Too Many Requests' }
        : { code: 13, message: 'internal server error', details: [] },
    notFound: () => notFound,
  })
  return {
    urls: { API: venue.base, GATEWAY: venue.base, WS: `${venue.socketBase}/v1/ws/markets` },
    credentials: { KEY_ID: auth.keyId, SECRET_KEY: auth.secretKey },
    key: { keyId: auth.keyId, secretKey: auth.secretKey },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(slug) {
      const market = listing.bySlug.get(slug)
      return market === undefined ? null : venue.truth(market.key)
    },
    catalogMarkets: () =>
      listing.markets.map(({ key, slug, grid, catalog: { question } }) => ({
        marketId: slug,
        title: question,
        outcomeIds: [`${slug}:long`, `${slug}:short`],
        tickSize: (venue.engine.touched(key)?.book.grid ?? grids[grid]).stepMicros / 1_000_000,
        status: catalogStatus(venue.engine.statusOf(key)),
        sourceMetadata: { minimumTradeQty: 1, feeCoefficient },
      })),
    counters: venue.counters,
    stop: venue.stop,
  }
}
