// The opinion lab: combines catalog and REST venue, and provides controls for tests.
import type { Hex } from 'viem'
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { digestHex } from '../prng.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { OpinionAuth, refused, wrongKey } from './auth.ts'
import { listOpinion, type OpinionListing } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { readRoutes } from './reads.ts'
import { sideOf } from './rows.ts'
import { opinionFeed } from './stream.ts'

export interface OpinionLab {
  urls: { REST: string; WS: string }
  credentials: { API_KEY: string }
  faults: Faults
  engine: Engine
  listing: OpinionListing
  /** The Safe of a wallet. */
  safeOf(wallet: Hex): Hex
  /** The true book of a token, best first, prices in micros; its market may be prefixed (`1003:2869…`). Null for unknown ones. */
  book(name: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startOpinionLab(options: LabVenueOptions): Promise<OpinionLab> {
  const { clock, seed } = options
  const nowMs = clock.now()
  const listing = listOpinion(buildCatalog('opinion', { seed, nowMs, markets: options.markets, namedSides: true }))
  const API_KEY = digestHex(`${seed}/opinion/key`).slice(0, 32)
  const auth = new OpinionAuth(seed, () => clock.now())
  const isKey = (key: string) => key === API_KEY || auth.isKey(key)
  const find = (name: string) => listing.byToken.get(name.slice(name.indexOf(':') + 1))
  const venue = await startRestVenue(options, {
    name: 'opinion',
    markets: listing.markets,
    engineId: (name) => (find(name)?.market ?? listing.byId.get(name))?.key ?? null,
    routes: (core) => [...readRoutes(core, listing, isKey), ...auth.routes(), ...orderRoutes(core, listing, auth)],
    feed: (core, counters) => opinionFeed(core, counters, listing, { isKey, refusal: wrongKey }),
    refusalBody: (status) =>
      status === 429
        ? { errmsg: 'Too many requests', errno: 429, result: null }
        : { errmsg: 'Internal server error', errno: 10_500, result: null },
    notFound: () => refused(404, 404, 'Not Found'),
  })
  return {
    urls: { REST: `${venue.base}/openapi`, WS: venue.socketBase },
    credentials: { API_KEY },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    safeOf: (wallet) => auth.safeOf(wallet),
    book(name) {
      const found = find(name)
      return found === undefined ? null : sideOf(venue.truth(found.market.key), found.side)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}
