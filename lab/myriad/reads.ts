// Myriad's public reads: markets, events, books, trades of order books, actions of pools.

import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { MyriadListing, MyriadMarket } from './marketGenerator.ts'
import { actionRow, bookRow, eventRow, marketRow, sideOf, tradeRow } from './rows.ts'

const pageMax = 100
const pageUsual = 20
const tradesMax = 200

export const refused = (status: number, error: string): LabReply => ({ status, body: { error } })
const unknownMarket = refused(404, 'Market not found')

/** `voided`: keys of markets that are void once they are resolved. */
export function readRoutes(
  { engine, isKnown, shown }: VenueCore,
  listing: MyriadListing,
  voided: ReadonlySet<string>,
): LabRoute[] {
  const live = (market: MyriadMarket) => engine.glance(market.key)!
  /** By its number; pools only by default. */
  const wanted = ({ params, query }: LabRequest, usual: readonly string[]): MyriadMarket | null => {
    const tradingModel = query.get('trading_model')
    const models = tradingModel === 'all' ? ['amm', 'ob'] : tradingModel === null ? usual : [tradingModel]
    const found = models.flatMap(
      (model) => listing.byName.get(`${query.get('network_id')}:${model}:${params.id}`) ?? [],
    )
    return found[0] !== undefined && isKnown(found[0].key) ? found[0] : null
  }
  const rowOf = (market: MyriadMarket) => marketRow(market, live(market), voided.has(market.key))
  return [
    {
      method: 'GET',
      path: '/markets',
      handle({ query }) {
        const [state, model] = [query.get('state'), query.get('trading_model') ?? 'amm']
        const fits = (market: MyriadMarket) =>
          (state === null || engine.statusOf(market.key) === state) && (model === 'all' || market.model === model)
        return paged(listing.markets.filter(fits), query, rowOf)
      },
    },
    {
      method: 'GET',
      path: '/markets/:id',
      handle(request) {
        const market = wanted(request, ['amm'])
        return market === null ? unknownMarket : ok(rowOf(market))
      },
    },
    {
      method: 'GET',
      path: '/markets/:id/orderbook',
      handle(request) {
        const market = wanted(request, ['ob'])
        const outcome = Number(request.query.get('outcome') ?? 0)
        if (market === null) return unknownMarket
        if (outcome !== 0 && outcome !== 1) return refused(400, 'Invalid outcome')
        return ok(bookRow(sideOf(shown(market.key), outcome)))
      },
    },
    {
      method: 'GET',
      path: '/markets/:id/trades',
      handle(request) {
        const market = wanted(request, ['ob'])
        if (market === null) return unknownMarket
        const { query } = request
        const limit = Math.min(tradesMax, Number(query.get('limit') ?? 50))
        const from = (Number(query.get('page') ?? 1) - 1) * limit
        const outcome = query.get('outcome')
        const rows = live(market)
          .recentTrades()
          .map((trade) => tradeRow(market, trade))
          .filter((row) => outcome === null || String(row.outcome) === outcome)
        return ok(rows.slice(from, from + limit))
      },
    },
    {
      method: 'GET',
      path: '/markets/:id/events',
      handle(request) {
        const market = wanted(request, ['amm'])
        if (market === null) return unknownMarket
        const { query } = request
        const [since, until] = [Number(query.get('since') ?? 0), Number(query.get('until') ?? Number.POSITIVE_INFINITY)]
        const rows = live(market)
          .recentTrades()
          .map((trade) => actionRow(market, trade))
          .filter(({ timestamp }) => timestamp >= since && timestamp <= until)
        return paged(rows, query, (row) => row)
      },
    },
    {
      method: 'GET',
      path: '/events',
      handle({ query }) {
        const state = query.get('state')
        const rows = listing.events.filter(({ uuid }) => uuid !== null).map((event) => eventRow(event, rowOf))
        return ok({ data: rows.filter((row) => state === null || row.state === state) })
      },
    },
    {
      method: 'GET',
      path: '/events/:id',
      handle({ params }) {
        const event = listing.events.find(
          ({ uuid, slug }) => uuid !== null && (uuid === params.id || slug === params.id),
        )
        return event === undefined ? refused(404, 'Event not found') : ok(eventRow(event, rowOf))
      },
    },
  ]
}

export function paged<T>(pool: readonly T[], query: URLSearchParams, rowOf: (item: T) => unknown): LabReply {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? pageUsual)]
  if (!Number.isInteger(page) || page < 1 || !Number.isInteger(limit) || limit < 1 || limit > pageMax) {
    return refused(400, 'Invalid pagination')
  }
  const total = pool.length
  const totalPages = Math.ceil(total / limit)
  const data = pool.slice((page - 1) * limit, page * limit).map(rowOf)
  return ok({ data, pagination: { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 } })
}
