// Limitless' public reads: the list of unresolved markets, one market or group, books and trades.
import type { EngineMarket } from '../engine/market.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import type { LimitlessListing, LimitlessMarket } from './marketGenerator.ts'
import { bookRow, listedRow, marketRow, tradeRow } from './rows.ts'

const marketsMax = 25
const tradesMax = 100

export const refused = (status: number, message: string): LabReply => ({
  status,
  body: { statusCode: status, message, error: status === 404 ? 'Not Found' : 'Bad Request' },
})
const unknownMarket = refused(404, 'Market not found')

export function readRoutes({ engine, isKnown, shown }: VenueCore, listing: LimitlessListing): LabRoute[] {
  const live = ({ key }: LimitlessMarket): EngineMarket => engine.glance(key)!
  const known = (name: string): LimitlessMarket | null => {
    const market = listing.byName.get(name)
    return market !== undefined && isKnown(market.key) ? market : null
  }
  const isListed = ({ key }: LimitlessMarket) => engine.statusOf(key) !== 'resolved'
  return [
    {
      method: 'GET',
      path: '/markets/active',
      handle({ query }) {
        const paging = pageOf(query, marketsMax)
        if (paging === null) return refused(400, `limit must not be greater than ${marketsMax}`)
        const listed = listing.events.filter((event) => event.markets.some(isListed))
        const rows = listed.slice(paging.from, paging.from + paging.limit)
        return ok({ data: rows.map((event) => listedRow(event, live)), totalMarketsCount: listed.length })
      },
    },
    {
      method: 'GET',
      path: '/markets/:name',
      handle({ params }) {
        const event = listing.eventBySlug.get(params.name!)
        if (event?.isGroup) return ok(listedRow(event, live))
        const market = known(params.name!)
        return market === null ? unknownMarket : ok(marketRow(market, live(market)))
      },
    },
    {
      method: 'GET',
      path: '/markets/:slug/orderbook',
      handle({ params }) {
        const market = known(params.slug!)
        if (market === null) return unknownMarket
        if (market.pool !== null) return refused(400, 'Market is not a CLOB market')
        return ok(bookRow(market, shown(market.key), live(market).lastTrade))
      },
    },
    {
      method: 'GET',
      path: '/markets/:slug/events',
      handle({ params, query }) {
        const market = known(params.slug!)
        if (market === null || market.pool !== null) return unknownMarket
        const paging = pageOf(query, tradesMax)
        if (paging === null) return refused(400, `limit must not be greater than ${tradesMax}`)
        const trades = live(market).recentTrades()
        return ok({
          events: trades.slice(paging.from, paging.from + paging.limit).map((trade) => tradeRow(market, trade)),
          limit: paging.limit,
          page: paging.page,
          totalPages: Math.ceil(trades.length / paging.limit),
          totalRows: trades.length,
        })
      },
    },
  ]
}

/** Null for what the venue refuses. */
function pageOf(query: URLSearchParams, limitMax: number): { page: number; limit: number; from: number } | null {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? limitMax)]
  if (![page, limit].every((number) => Number.isInteger(number) && number >= 1) || limit > limitMax) return null
  return { page, limit, from: (page - 1) * limit }
}
