// The limitless lab: combines catalog and REST venue, and provides controls for tests.
import type { Hex } from 'viem'
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { SimulatedOrder } from '../engine/orderManager.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue } from '../restVenue.ts'
import { type LabVenueOptions, WalletOf } from '../venueOptions.ts'
import { LimitlessAuth, type LimitlessToken } from './auth.ts'
import { chainRoute } from './chain.ts'
import { type LimitlessListing, type LimitlessMarket, listLimitless } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { readRoutes, refused } from './reads.ts'
import { spotMicros } from './rows.ts'
import { limitlessFeed } from './stream.ts'
import { TokenChanges } from './tokenChanges.ts'
import { traderRoutes } from './traders.ts'

export interface LimitlessLab {
  urls: { REST: string; WS: string; RPC: string }
  /** Profiles, tokens and sessions of wallets. */
  auth: LimitlessAuth
  /** For a `wallet`: its profile, and a token for it. */
  openAccount(request: unknown): LimitlessToken & { ownerId: number; feeRateBps: number }
  faults: Faults
  engine: Engine
  listing: LimitlessListing
  /** By slug or by a pool's address, optionally followed by the name of a side: the true book of YES, best first, prices in micros. */
  book(id: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startLimitlessLab(options: LabVenueOptions): Promise<LimitlessLab> {
  const { clock, seed } = options
  const catalog = buildCatalog('limitless', { seed, nowMs: clock.now(), markets: options.markets, namedSides: true })
  const listing = listLimitless(catalog)
  const auth = new LimitlessAuth({ seed, nowMs: () => clock.now() })
  const settled = new Map<Hex, SimulatedOrder>()
  const changes = new TokenChanges()
  const named = (id: string): LimitlessMarket | undefined => listing.byName.get(id.split(':')[0]!)
  const venue = await startRestVenue(options, {
    name: 'limitless',
    markets: listing.markets,
    engineId: (id) => named(id)?.key ?? null,
    routes: (core) => [
      ...readRoutes(core, listing),
      ...traderRoutes(core, listing, changes),
      ...orderRoutes(core, { listing, auth, settled }),
      chainRoute(core, listing, { settled, changes }),
    ],
    feed: (core, counters) => limitlessFeed(core, counters, listing, clock),
    refusalBody: (status) => ({
      statusCode: status,
      message: status === 429 ? 'ThrottlerException: Too Many Requests' : 'Internal server error',
    }),
    notFound: (path) => refused(404, `Cannot GET ${path}`),
  })
  return {
    urls: { REST: venue.base, WS: venue.socketBase, RPC: `${venue.base}/rpc` },
    auth,
    openAccount(request) {
      const { wallet } = WalletOf.parse(request)
      const { id: ownerId, feeRateBps } = auth.profile(wallet)
      return { ...auth.issueToken(wallet), ownerId, feeRateBps }
    },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(id) {
      const market = named(id)
      if (market === undefined) return null
      return market.pool === null ? venue.truth(market.key) : poolTruth(venue.engine, market)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}

/** A pool has a price and no levels: it is shown as one share one step to either side. */
function poolTruth(engine: Engine, { key }: LimitlessMarket): MarketTruth {
  const live = engine.market(key)!
  const spot = spotMicros(live)
  const isOpen = live.status === 'open'
  return {
    bids: isOpen ? [[spot - 1_000, 1]] : [],
    asks: isOpen ? [[spot + 1_000, 1]] : [],
    eventTs: live.eventTs,
  }
}
