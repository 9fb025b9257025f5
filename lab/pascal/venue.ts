// The pascal lab: combines catalog, public reads, book feed and order entry, and provides controls for tests.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { PascalAuth } from './auth.ts'
import { listPascal, type PascalListing } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { readRoutes, refused } from './reads.ts'
import { States } from './states.ts'
import { pascalFeed } from './stream.ts'

export interface PascalLab {
  urls: { REST: string; TRADE: string; WS: string }
  /** As an owner's wallet does it: the key trades for the owner from now on. Both base58. */
  register(owner: string, tradingKey: string): void
  faults: Faults
  engine: Engine
  listing: PascalListing
  /** The symbol's true book on the YES scale, best first, prices in micros. Null for unknown symbols. */
  book(symbol: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startPascalLab(options: LabVenueOptions): Promise<PascalLab> {
  const { clock, seed, markets } = options
  const listing = listPascal(buildCatalog('pascal', { seed, nowMs: clock.now(), markets }))
  const states = new States(clock.now())
  const auth = new PascalAuth(() => clock.now())
  const venue = await startRestVenue(options, {
    name: 'pascal',
    markets: listing.markets,
    engineId: (symbol) => listing.bySymbol.get(symbol)?.key ?? null,
    routes: (core) => [...readRoutes(core, listing, states), ...orderRoutes(core, listing, auth)],
    feed: (core, counters) => pascalFeed(core, counters, listing, { states, clock }),
    refusalBody: (status) => refused(status, status === 429 ? 'RATE_LIMITED' : 'INTERNAL', 'try again later').body,
    notFound: () => refused(404, 'NOT_FOUND', 'no such resource'),
  })
  return {
    urls: { REST: venue.base, TRADE: venue.base, WS: `${venue.socketBase}/ws` },
    register: (owner, tradingKey) => auth.register(owner, tradingKey),
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(symbol) {
      const market = listing.bySymbol.get(symbol)
      return market === undefined ? null : venue.truth(market.key)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}
