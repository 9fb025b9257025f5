// A cursor walk over the markets: no row is repeated or skipped, however the catalog is written meanwhile.
import { defineVerb } from '../defineVerb.ts'
import { MarketListQuery } from '../listQuery.ts'
import { readMarkets } from './fetchMarkets.ts'
import { cursorOf, listAnswer, MarketRow, pageOf, totalOf } from './shapes.ts'

export const fetchMarketsPaginated = defineVerb({
  name: 'fetchMarketsPaginated',
  summary: 'One page of markets with total and nextCursor; the cursor works only with the same sort and filters',
  args: [{ name: 'params', kind: 'object' }],
  query: MarketListQuery,
  data: pageOf(MarketRow),
  router: 'union',
  heavy: true,
  rowsPerCredit: 100,
  errors: ['CATALOG_UNAVAILABLE', 'CATALOG_QUERY_TOO_BROAD'],
  async handle({ query, exchange }, markets) {
    const { rows, ...list } = await readMarkets(markets, exchange, query)
    const { total, nextCursor } = list.page
    return { ...listAnswer(list, { data: rows, ...totalOf(total), ...cursorOf(nextCursor) }), rows: rows.length }
  },
})
