// Predictstreet's public reads: events, markets, books and trades. No key.
import type { EngineMarket } from '../engine/market.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { StreetEvent, StreetListing, StreetMarket } from './marketGenerator.ts'
import { bookRow, eventRow, marketRow, type Side, tradeRow } from './rows.ts'

const marketsMax = 500
const tradesMax = 200
const tradesUsual = 50
const depthUsual = 20

export const refused = (status: number, code: string, message: string): LabReply => ({
  status,
  body: { statusCode: status, code, message },
})
const noMarket = refused(404, 'market_not_found', 'Market not found')
const noEvent = refused(404, 'event_not_found', 'Event not found')

export function readRoutes({ engine, isKnown, shown }: VenueCore, listing: StreetListing): LabRoute[] {
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({ method: 'GET', path, handle })
  const live = (market: StreetMarket): EngineMarket => engine.glance(market.key)!
  /** Ended markets are on no list. */
  const isPublic = ({ key }: StreetMarket) => engine.statusOf(key) === 'open'
  const publicMarkets = ({ markets }: Pick<StreetEvent, 'markets'>) =>
    markets.filter(isPublic).map((market) => [market, live(market)] as const)
  const known = (market: StreetMarket | undefined) => (market !== undefined && isKnown(market.key) ? market : null)

  return [
    get('/api/events', () => {
      const shownEvents = listing.events.filter(({ markets }) => markets.some(isPublic))
      return ok({ events: shownEvents.map((event) => eventRow(event, publicMarkets(event))) })
    }),
    get('/api/events/:id', ({ params }) => {
      const event = listing.events.find(({ id }) => id === params.id)
      if (event === undefined || !event.markets.some(isPublic)) return noEvent
      return ok(eventRow(event, publicMarkets(event)))
    }),
    get('/api/markets', ({ query }) => {
      const status = query.get('status')
      const rows = publicMarkets(listing)
        .map(([market, now]) => marketRow(market, now))
        .filter((row) => status === null || row.status === status)
      return ok({ markets: rows.slice(0, marketsMax) })
    }),
    get('/api/markets/:slug', ({ params }) => {
      const market = known(listing.bySlug.get(params.slug!))
      return market === null ? noMarket : ok(marketRow(market, live(market)))
    }),
    get('/api/markets/:symbol/orderbook', ({ params, query }) => {
      const market = known(listing.bySymbol.get(params.symbol!))
      if (market === null) return noMarket
      const outcome = query.get('outcome') ?? '0'
      if (outcome !== '0' && outcome !== '1') return refused(400, 'invalid_outcome', 'Invalid outcome')
      return ok(bookRow(market, Number(outcome) as Side, shown(market.key), Number(query.get('depth') ?? depthUsual)))
    }),
    get('/api/markets/:symbol/trades', ({ params, query }) => {
      const market = known(listing.bySymbol.get(params.symbol!))
      if (market === null) return noMarket
      const limit = Number(query.get('limit') ?? tradesUsual)
      if (!Number.isInteger(limit) || limit < 1) return refused(400, 'invalid_limit', 'limit must be at least 1')
      const trades = live(market).log.read({
        fromMs: timeOf(query.get('after'), Number.NEGATIVE_INFINITY) + 1,
        toMs: timeOf(query.get('before'), Number.MAX_SAFE_INTEGER) - 1,
        most: Math.min(limit, tradesMax),
      })
      return ok({ symbol: market.symbol, trades: trades.map((trade) => tradeRow(market, trade)) })
    }),
  ]
}

const timeOf = (text: string | null, absent: number): number => (text === null ? absent : Date.parse(text))
