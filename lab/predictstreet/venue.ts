// The predictstreet lab: combines catalog, authentication and REST venue, and provides controls for tests. No stream.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue } from '../restVenue.ts'
import { type LabVenueOptions, WalletOf } from '../venueOptions.ts'
import { StreetAuth } from './auth.ts'
import { listPredictStreet, type StreetListing } from './marketGenerator.ts'
import { domainVersion, orderRoutes } from './orders.ts'
import { readRoutes, refused } from './reads.ts'
import { sideOf } from './rows.ts'

export interface PredictStreetLab {
  urls: { REST: string }
  /** What the venue gives to its partners. */
  settings: { DOMAIN_VERSION: string }
  /** Partners' keys and wallets' vaults. */
  auth: StreetAuth
  /** For a `wallet`: a key, and its vault. */
  openAccount(request: unknown): { apiKey: string; vault: string }
  faults: Faults
  engine: Engine
  listing: StreetListing
  /** The true book of `{symbol}:{outcome}` on that outcome's own scale, best first, prices in micros. Null for unlisted ones. */
  book(bookId: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startPredictStreetLab(options: LabVenueOptions): Promise<PredictStreetLab> {
  const { clock, seed } = options
  const catalog = buildCatalog('predictstreet', { seed, nowMs: clock.now(), markets: options.markets })
  const listing = listPredictStreet(catalog, seed)
  const auth = new StreetAuth(seed)
  const marketOf = (id: string) => listing.bySlug.get(id) ?? listing.bySymbol.get(id.replace(/:\d+$/, ''))
  const venue = await startRestVenue(options, {
    name: 'predictstreet',
    markets: listing.markets,
    engineId: (id) => marketOf(id)?.key ?? null,
    routes: (core) => [...readRoutes(core, listing), ...orderRoutes(core, { listing, auth })],
    refusalBody: (status) =>
      status === 429
        ? { statusCode: status, code: 'rate_limited', message: 'Too Many Requests' }
        : { statusCode: status, code: 'internal_error', message: 'Internal server error' },
    notFound: () => refused(404, 'not_found', 'Not found'),
  })
  return {
    urls: { REST: venue.base },
    settings: { DOMAIN_VERSION: domainVersion },
    auth,
    openAccount(request) {
      const { wallet } = WalletOf.parse(request)
      return { apiKey: auth.issueKey(wallet), vault: auth.vaultOf(wallet) }
    },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(bookId) {
      const market = marketOf(bookId)
      return market === undefined ? null : sideOf(venue.truth(market.key), bookId.endsWith(':1') ? 1 : 0)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}
