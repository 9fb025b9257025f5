// One market: the first match. An id not yet in the catalog is looked up at the venue itself.

import { Fault } from '#core/fault'
import { boundedMarket } from '#venues/venueText'
import { defineVerb } from '../defineVerb.ts'
import { toIso } from '../fields.ts'
import { MarketListQuery, requireLookup } from '../listQuery.ts'
import { locate, presentMarket, splitQualified } from '../qualifiedIds.ts'
import { readFromVenue } from '../readDeadline.ts'
import { readMarkets } from './fetchMarkets.ts'
import { MarketRow, pendingMeta } from './shapes.ts'

export const fetchMarket = defineVerb({
  name: 'fetchMarket',
  summary: 'The first market that matches; a market id unknown to the catalog is looked up at the venue',
  args: [{ name: 'params', kind: 'object' }],
  query: MarketListQuery,
  data: MarketRow,
  router: 'union',
  errors: ['MARKET_NOT_FOUND', 'CATALOG_UNAVAILABLE', 'CATALOG_QUERY_TOO_BROAD', 'NETWORK_ERROR'],
  async handle({ query, exchange }, markets) {
    requireLookup(MarketListQuery, query)
    const { page, rows, pending } = await readMarkets(markets, exchange, { ...query, limit: 1 })
    if (rows[0] !== undefined) {
      return { data: rows[0], asOf: toIso(page.asOf), source: 'catalog', ...pendingMeta(pending) }
    }
    const { marketId } = query
    // Without a venue prefix the router would have to ask every venue.
    if (marketId !== undefined && (!exchange.router || splitQualified(exchange, marketId) !== null)) {
      const { venue, id } = locate(exchange, marketId)
      const found = await readFromVenue(venue, markets.clock, (context) => venue.data.fetchMarket(context, id))
      if (found !== null) {
        const market = boundedMarket(found.market, markets.clock.now())
        const asOf = toIso(markets.clock.now())
        const { rows, pending } = await markets.tapeFacts.fillMarkets([market])
        const data = presentMarket(exchange, rows[0] ?? market)
        return { data, asOf, source: 'venue-rest', ...pendingMeta(pending) }
      }
    }
    throw new Fault('MARKET_NOT_FOUND', 'no market matches', exchange.router ? {} : { exchange: exchange.name })
  },
})
