// The predictfun lab: combines catalog and REST venue, and provides controls for tests.
import type { Hex } from 'viem'
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { stableUuid } from '../prng.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { PredictAuth, refused, wrongKey } from './auth.ts'
import { graphqlRoute } from './graphql.ts'
import { listPredict, type PredictListing } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { readRoutes } from './reads.ts'
import { predictFeed } from './stream.ts'

export interface PredictFunLab {
  urls: { REST: string; WS: string; GRAPHQL: string }
  /** Required for every read. */
  credentials: { API_KEY: string }
  faults: Faults
  engine: Engine
  listing: PredictListing
  /** The smart wallet of an owner. */
  accountOf(owner: Hex): Hex
  /** The true book of a market by its number, in the prices of its first outcome, best first, micros. Null for unknown ones. */
  book(id: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startPredictFunLab(options: LabVenueOptions): Promise<PredictFunLab> {
  const { clock, seed, markets } = options
  const listing = listPredict(
    buildCatalog('predictfun', { seed, nowMs: clock.now(), markets, fineGrid: 'milli', namedSides: true }),
  )
  const API_KEY = stableUuid(`${seed}/predictfun/key`)
  const isKey = (key: unknown) => key === API_KEY
  const auth = new PredictAuth({ seed, nowMs: () => clock.now(), isKey })
  const venue = await startRestVenue(options, {
    name: 'predictfun',
    markets: listing.markets,
    engineId: (id) => listing.byId.get(id)?.key ?? null,
    routes: (core) => [
      ...readRoutes(core, listing, isKey),
      graphqlRoute,
      ...auth.routes(),
      ...orderRoutes(core, listing, auth),
    ],
    feed: (core, counters) => predictFeed(core, counters, listing, { clock, isKey, refusal: wrongKey }),
    refusalBody: (status) =>
      status === 429
        ? refused(429, 'too_many_requests', 'rate limit exceeded').body
        : refused(status, 'internal_server_error', 'internal server error').body,
    notFound: (path) => refused(404, 'not_found', `no route ${path}`),
  })
  return {
    urls: { REST: venue.base, WS: `${venue.socketBase}/ws`, GRAPHQL: `${venue.base}/graphql` },
    credentials: { API_KEY },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    accountOf: (owner) => auth.accountOf(owner),
    book(id) {
      const market = listing.byId.get(id)
      return market === undefined ? null : venue.truth(market.key)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}
