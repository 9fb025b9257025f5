// A page of markets from the catalog.
import { z } from 'zod'
import type { Market } from '#schemas/market'
import { matchesMarket } from '../criteria.ts'
import { defineVerb } from '../defineVerb.ts'
import type { Exchange } from '../exchange.ts'
import { MarketListQuery, marketsLimitMax, planList } from '../listQuery.ts'
import type { Markets } from '../markets.ts'
import { presentMarket } from '../qualifiedIds.ts'
import { readList } from '../readList.ts'
import { listAnswer, MarketRow } from './shapes.ts'

export async function readMarkets(markets: Markets, exchange: Exchange, query: MarketListQuery) {
  const plan = planList(exchange, query, marketsLimitMax)
  const { filter } = query
  const { catalog, tapeFacts } = markets
  // A filter on tape data needs it before it can evaluate a row; otherwise only the rows of the response are filled.
  const needsTape = typeof filter === 'object' && filter.priceChange24h !== undefined
  let pending = false
  const fill = async (given: readonly Market[]): Promise<Market[]> => {
    const filled = await tapeFacts.fillMarkets(given)
    pending ||= filled.pending
    return filled.rows
  }
  const find: typeof catalog.findMarkets = async (listQuery) => {
    const found = await catalog.findMarkets(listQuery)
    return needsTape ? { ...found, rows: await fill(found.rows) } : found
  }
  const page = await readList(
    markets,
    'markets',
    find,
    plan,
    filter === undefined ? null : (row) => matchesMarket(presentMarket(exchange, row), filter),
  )
  const rows = needsTape ? page.rows : await fill(page.rows)
  return { page, pending, limit: plan.limit, rows: rows.map((row) => presentMarket(exchange, row)) }
}

export const fetchMarkets = defineVerb({
  name: 'fetchMarkets',
  summary: `Markets from the catalog, filters before paging; at most ${marketsLimitMax} rows, more by meta.nextCursor`,
  args: [{ name: 'params', kind: 'object' }],
  query: MarketListQuery,
  data: z.array(MarketRow),
  router: 'union',
  heavy: true,
  credits: 1,
  rowsPerCredit: 100,
  errors: ['CATALOG_UNAVAILABLE', 'CATALOG_QUERY_TOO_BROAD'],
  async handle({ query, exchange }, markets) {
    const { rows, ...list } = await readMarkets(markets, exchange, query)
    return listAnswer(list, rows)
  },
})
