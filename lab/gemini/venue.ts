// The gemini lab: combines catalog, authentication and REST venue, and provides controls for tests.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { GeminiAuth, type GeminiKey, type KeySettings, refused } from './auth.ts'
import { type GeminiListing, listGemini } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { readRoutes } from './publicRoutes.ts'
import { geminiFeed } from './stream.ts'

export interface GeminiLab {
  urls: { REST: string; WS: string }
  /** A key with time-based nonces and without heartbeat. */
  credentials: { apiKey: string; apiSecret: string }
  /** Another key for another account. */
  issueKey(settings?: Partial<KeySettings>): GeminiKey
  faults: Faults
  engine: Engine
  listing: GeminiListing
  /** The symbol's true book on the YES scale, best first, prices in micros. Null for unknown symbols. */
  book(symbol: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startGeminiLab(options: LabVenueOptions): Promise<GeminiLab> {
  const { clock, seed } = options
  const listing = listGemini(buildCatalog('gemini', { seed, nowMs: clock.now(), markets: options.markets }))
  const auth = new GeminiAuth({
    seed,
    clock,
    silent(account) {
      for (const order of venue.engine.orderManager.ordersOf(account)) venue.engine.orderManager.cancel(order)
    },
  })
  const { apiKey, apiSecret } = auth.issue()
  const venue = await startRestVenue(options, {
    name: 'gemini',
    markets: listing.contracts,
    engineId: (symbol) => listing.bySymbol.get(symbol)?.key ?? null,
    routes: (core) => [...readRoutes(core, listing), ...orderRoutes(core, listing, auth)],
    feed: (core, counters) => geminiFeed(core, counters, listing),
    refusalBody: (status) =>
      status === 429
        ? { result: 'error', reason: 'RateLimit', message: 'Requests were made too frequently' }
        : { result: 'error', reason: 'System', message: 'We are experiencing technical issues' },
    notFound: () => refused(404, 'EndpointNotFound', 'API entry point not found'),
  })
  return {
    urls: { REST: venue.base, WS: `${venue.socketBase}/` },
    credentials: { apiKey, apiSecret },
    issueKey: (settings) => auth.issue(settings),
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(symbol) {
      const contract = listing.bySymbol.get(symbol)
      return contract === undefined ? null : venue.truth(contract.key)
    },
    counters: venue.counters,
    async stop() {
      auth.stop()
      await venue.stop()
    },
  }
}
