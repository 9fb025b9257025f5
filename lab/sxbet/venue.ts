// The sxbet lab: combines catalog, REST venue and feed, and provides controls for tests.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { digestHex } from '../prng.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { listSxbet, type SxbetListing } from './marketGenerator.ts'
import { createOrders } from './orders.ts'
import { readRoutes, refusalBody, refused } from './reads.ts'
import { sxbetFeed, Versions } from './stream.ts'

export interface SxbetLab {
  urls: { REST: string; WS: string }
  credentials: { API_KEY: string }
  faults: Faults
  engine: Engine
  listing: SxbetListing
  /** An order of the key's account, as if placed elsewhere: it rests at the best bid of a market. */
  openAccount(request: unknown): { apiKey: string; orderId: string }
  /** The market's true book on the scale of side one, best first, prices in micros. Null for unknown hashes. */
  book(marketHash: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startSxbetLab(options: LabVenueOptions): Promise<SxbetLab> {
  const { clock, seed } = options
  const listing = listSxbet(
    buildCatalog('sxbet', { seed, nowMs: clock.now(), markets: options.markets, namedSides: true }),
  )
  const API_KEY = digestHex(`${seed}/sxbet/key`).slice(0, 32)
  /** Issued tokens, each for one connection. */
  const tokens = new Set<string>()
  function issueToken(key: string | undefined): string | null {
    if (key !== API_KEY) return null
    const token = digestHex(`${seed}/sxbet/token/${tokens.size}`)
    tokens.add(token)
    return token
  }
  const versions = new Versions()
  const orders = createOrders(API_KEY)
  const venue = await startRestVenue(options, {
    name: 'sxbet',
    markets: listing.markets,
    engineId: (hash) => listing.byHash.get(hash)?.key ?? null,
    routes: (core) => [
      ...readRoutes(core, listing, { versionOf: ({ key }) => versions.of(key), issueToken }),
      orders.route(core),
    ],
    feed: (core, counters) =>
      sxbetFeed(core, { clock, counters, listing, versions, isToken: (token) => tokens.has(token) }),
    refusalBody: (status) =>
      refusalBody(status, status === 429 ? 'Too many requests, please try again later.' : 'Internal server error'),
    notFound: (path) => refused(404, `Cannot GET ${path}`),
  })
  return {
    urls: { REST: venue.base, WS: `${venue.socketBase}/connection/websocket` },
    credentials: { API_KEY },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    openAccount: () => ({ apiKey: API_KEY, orderId: orders.place(venue.engine, listing) }),
    book(marketHash) {
      const market = listing.byHash.get(marketHash)
      return market === undefined ? null : venue.truth(market.key)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}
