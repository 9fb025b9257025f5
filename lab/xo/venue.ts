// The xo lab: catalog, books and their feed on one port, and its controls for tests.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { digestHex } from '../prng.ts'
import { startRestVenue, type VenueCore } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import { listXo, type XoListing } from './marketGenerator.ts'
import { bookRow, listedRow, marketRow, sidesOf } from './rows.ts'
import { xoFeed } from './stream.ts'
import { traderRoutes } from './traders.ts'

export interface XoLab {
  urls: { DATA: string; CLOB: string; WS: string }
  /** Of a made-up exchange: it takes no orders, but lets them be built. */
  settings: Readonly<Record<string, string>>
  faults: Faults
  engine: Engine
  listing: XoListing
  /** The outcome's true book on its own scale, best first, prices in micros; by `<market>.<token>`. Null for unknown outcomes. */
  book(outcomeId: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

const exchange = {
  EXCHANGE: `0x${digestHex('xo/exchange').slice(0, 40)}`,
  CHAIN_ID: '31337',
  DOMAIN_NAME: 'XO Lab',
  DOMAIN_VERSION: '1',
  ORDER_TYPE_HASH: '0xbb86318a2138f5fa8ae32fbe8e659f8fcf13cc6ae4014a707893055433818589',
  COLLATERAL_DECIMALS: '6',
}

export async function startXoLab(options: LabVenueOptions): Promise<XoLab> {
  const { clock, seed, markets } = options
  const listing = listXo(buildCatalog('xo', { seed, nowMs: clock.now(), markets, namedSides: true }))
  const marketOf = (outcomeId: string) => listing.byToken.get(outcomeId.split('.').at(-1)!)
  const venue = await startRestVenue(options, {
    name: 'xo',
    markets: listing.markets,
    engineId: (publicId) => (marketOf(publicId) ?? listing.byId.get(Number(publicId)))?.key ?? null,
    routes: (core) => [...routesOf(core, listing), ...traderRoutes(core, listing)],
    feed: (core, counters) => xoFeed(core, counters, listing),
    refusalBody: (statusCode) =>
      refused(statusCode, statusCode === 429 ? 'Too Many Requests' : 'Internal server error').body,
    notFound: () => refused(404, 'Not Found'),
  })
  return {
    urls: { DATA: venue.base, CLOB: venue.base, WS: `${venue.socketBase}/ws/market` },
    settings: exchange,
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(outcomeId) {
      const market = marketOf(outcomeId)
      return market === undefined ? null : sidesOf(market, outcomeId.split('.').at(-1)!, venue.truth(market.key))
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}

const refused = (status: number, message: string): LabReply => ({ status, body: { statusCode: status, message } })

const pageMax = 100
const pageUsual = 20

function routesOf({ engine, isKnown, shown }: VenueCore, listing: XoListing): LabRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/markets',
      handle({ query }) {
        const take = Number(query.get('take') ?? pageUsual)
        const page = Number(query.get('page') ?? 1)
        if (!(take >= 1 && take <= pageMax && page >= 1)) return refused(400, 'take must be from 1 to 100')
        const listed = listing.markets.filter(({ key }) => isKnown(key) && engine.statusOf(key) !== 'resolved')
        const rows = listed.slice((page - 1) * take, page * take)
        return ok({
          data: rows.map((market) => listedRow(market, engine.glance(market.key)!)),
          meta: {
            page,
            take,
            itemCount: listed.length,
            pageCount: Math.ceil(listed.length / take),
            hasNextPage: page * take < listed.length,
          },
        })
      },
    },
    {
      method: 'GET',
      path: '/api/markets/:id',
      handle({ params }) {
        const market = listing.byId.get(Number(params.id))
        if (market === undefined || !isKnown(market.key)) return refused(404, 'Market not found')
        return ok({ data: marketRow(market, engine.glance(market.key)!) })
      },
    },
    {
      method: 'GET',
      path: '/book',
      handle({ query }) {
        const token = query.get('token_id') ?? ''
        const market = listing.byToken.get(token)
        if (market === undefined || !isKnown(market.key))
          return refused(404, 'No orderbook exists for the requested token id')
        return ok(bookRow(sidesOf(market, token, shown(market.key))))
      },
    },
  ]
}
