import { z } from 'zod'
import { Fault } from '#core/fault'
import { FeedTicker } from '#schemas/feeds'
import { defineRoute } from '#server/http/defineRoute'
import type { FeedsRouteDeps } from '../ports.ts'
import { FeedPath, feedOf, metaSchema, pairOf, tickersMeta } from './shapes.ts'

const symbolsCharsMax = 4_096

export const fetchFeedTickers = defineRoute({
  operationId: 'fetchFeedTickers',
  method: 'get',
  path: '/api/feeds/{feed}/fetchTickers',
  family: 'feeds',
  access: { scope: 'read', credits: 2 },
  summary: 'Tickers of many pairs, by symbol; all pairs by default',
  tag: 'feeds',
  params: FeedPath,
  query: z.strictObject({
    symbols: z.string().max(symbolsCharsMax).optional().describe('a comma list'),
  }),
  data: z.record(z.string(), FeedTicker),
  topLevelFields: metaSchema,
  errors: ['FEED_NOT_FOUND', 'FEED_UPSTREAM'],
  async handle({ params, query: { symbols } }, { feeds }: FeedsRouteDeps) {
    const feed = feedOf(feeds, params)
    const given = symbols?.split(',').map((symbol) => symbol.trim())
    if (given?.some((symbol) => symbol === '') === true)
      throw new Fault('VALIDATION_ERROR', 'symbols: must be a comma list of pairs')
    const wanted = given === undefined ? [...feed.markets.keys()] : given.map((symbol) => pairOf(feed, symbol))
    const tickers = await feed.fetchTickers([...new Set(wanted)])
    return {
      data: Object.fromEntries(tickers.map((ticker) => [ticker.symbol, ticker])),
      siblings: tickersMeta(tickers),
    }
  },
})
