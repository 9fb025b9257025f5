import { z } from 'zod'
import { FeedTicker } from '#schemas/feeds'
import { defineRoute } from '#server/http/defineRoute'
import type { FeedsRouteDeps } from '../ports.ts'
import { FeedPath, feedOf, metaSchema, Pair, pairOf, tickersMeta } from './shapes.ts'

export const fetchFeedTicker = defineRoute({
  operationId: 'fetchFeedTicker',
  method: 'get',
  path: '/api/feeds/{feed}/fetchTicker',
  family: 'feeds',
  access: { scope: 'read', credits: 1 },
  summary: 'Ticker of a pair; prices are null if nothing proves one now, and info.unproven says why',
  tag: 'feeds',
  params: FeedPath,
  query: z.strictObject({ symbol: Pair }),
  data: FeedTicker,
  topLevelFields: metaSchema,
  errors: ['FEED_NOT_FOUND', 'FEED_UPSTREAM'],
  async handle({ params, query }, { feeds }: FeedsRouteDeps) {
    const feed = feedOf(feeds, params)
    const tickers = await feed.fetchTickers([pairOf(feed, query.symbol)])
    return { data: tickers[0]!, siblings: tickersMeta(tickers) }
  },
})
