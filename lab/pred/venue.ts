// The pred lab: combines catalog, public reads, authentication and REST venue, and provides controls for tests. No stream.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineMarket, MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue, type VenueCore } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { PredAuth, refused } from './auth.ts'
import { listPred, type PredChild, type PredListing } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { bookRow, detailsRow, entryRow } from './rows.ts'

const limitUsual = 20
const limitMax = 100
const depthUsual = 20

export interface PredLab {
  urls: { REST: string }
  /** An account, documented as required for books. The lab serves them without one, too. */
  credentials: {
    WALLET_ADDRESS: string
    PROXY_ADDRESS: string
    /** Of the platform: a login requires it in addition to the wallet's signature. */
    API_KEY: string
  }
  faults: Faults
  engine: Engine
  listing: PredListing
  /** The long side's true book of `{parent}-{child}`, best first, prices in micros. Null for unlisted ones. */
  book(marketId: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startPredLab(options: LabVenueOptions): Promise<PredLab> {
  const { clock, seed } = options
  const listing = listPred(buildCatalog('pred', { seed, nowMs: clock.now(), markets: options.markets }), seed)
  const auth = new PredAuth(seed)
  const childOf = (id: string) => listing.byChild.get(id.split('-').at(-1)!)
  const venue = await startRestVenue(options, {
    name: 'pred',
    markets: listing.children,
    engineId: (id) => childOf(id)?.key ?? null,
    routes: (core) => [...routes(core, listing), ...orderRoutes(core, listing, auth)],
    refusalBody: (status) => refused(status, status === 429 ? 'RATE_LIMITED' : 'INTERNAL', 'try again later').body,
    notFound: () => refused(404, 'NOT_FOUND', 'not found'),
  })
  return {
    urls: { REST: venue.base },
    credentials: {
      WALLET_ADDRESS: `0x${'1'.repeat(40)}`,
      PROXY_ADDRESS: `0x${'2'.repeat(40)}`,
      API_KEY: auth.apiKey,
    },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(marketId) {
      const child = childOf(marketId)
      return child === undefined ? null : venue.truth(child.key)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}

function routes({ engine, isKnown, shown }: VenueCore, listing: PredListing): LabRoute[] {
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({ method: 'GET', path, handle })
  const live = (child: PredChild): EngineMarket => engine.glance(child.key)!
  return [
    get('/api/v1/market-discovery/discover', ({ query }) => {
      const limit = Math.min(limitMax, Number(query.get('limit') ?? limitUsual))
      const offset = Number(query.get('offset') ?? 0)
      const parents = listing.parents.slice(offset, offset + limit).map((parent) => entryRow(parent, live))
      const total = listing.parents.length
      return ok({ data: { parent_markets_list: parents, aggregated_data: [], limit, offset, total } })
    }),
    get('/api/v1/market-discovery/parents/:parent', ({ params }) => {
      const parent = listing.byParent.get(params.parent!)
      if (parent === undefined) return refused(404, 'NOT_FOUND', 'Parent market not found')
      return ok({ data: detailsRow(parent, live) })
    }),
    get('/api/v1/order/:parent/orderbook/:market', ({ params, query }) => {
      const child = listing.byChild.get(params.market!)
      if (child === undefined || child.parent.id !== params.parent || !isKnown(child.key)) {
        return refused(404, 'NOT_FOUND', 'Market not found')
      }
      return ok(bookRow(shown(child.key), Number(query.get('depth') ?? depthUsual)))
    }),
  ]
}
