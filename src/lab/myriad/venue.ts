// Owns the myriad lab: catalog, floor and feed joined, and what a test may ask it.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { listMyriad, type MyriadListing } from './listing.ts'
import { orderRoutes } from './orders.ts'
import { readRoutes, refused } from './reads.ts'
import { poolTruth, sideOf } from './rows.ts'
import { myriadFeed } from './stream.ts'

export interface MyriadLab {
  urls: { REST: string; WS: string }
  faults: Faults
  engine: Engine
  listing: MyriadListing
  /** The true book of `{network}:{model}:{number}:{outcome}` on that outcome's own scale, best first. Null for what nobody lists. */
  book(bookId: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startMyriadLab(options: LabVenueOptions): Promise<MyriadLab> {
  const { clock, seed } = options
  const listing = listMyriad(
    buildCatalog('myriad', { seed, nowMs: clock.now(), markets: options.markets, namedSides: true }),
  )
  const marketOf = (id: string) => listing.byName.get(id.split(':').slice(0, 3).join(':'))
  const venue = await startRestVenue(options, {
    name: 'myriad',
    markets: listing.markets,
    engineId: (id) => marketOf(id)?.key ?? null,
    routes: (floor) => [...readRoutes(floor, listing), ...orderRoutes(floor, listing)],
    feed: (floor, counters) => myriadFeed(floor, counters, listing, clock),
    refusalBody: (status) => ({ error: status === 429 ? 'Too many requests' : 'Internal server error' }),
    notFound: () => refused(404, 'Not found'),
  })
  return {
    urls: { REST: venue.base, WS: `${venue.socketBase}/ws` },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(bookId) {
      const market = marketOf(bookId)
      if (market === undefined) return null
      const side = bookId.endsWith(':1') ? 1 : 0
      return market.model === 'amm'
        ? poolTruth(venue.engine.market(market.key)!, side)
        : sideOf(venue.truth(market.key), side)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}
