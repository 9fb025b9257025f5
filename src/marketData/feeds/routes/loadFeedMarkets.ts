// The pairs of a feed: a list of this deployment, without any request upstream.
import { z } from 'zod'
import { FeedMarket } from '#schemas/feeds'
import { defineRoute } from '#server/http/defineRoute'
import type { FeedsRouteDeps } from '../ports.ts'
import { FeedPath, feedOf } from './shapes.ts'

export const loadFeedMarkets = defineRoute({
  operationId: 'loadFeedMarkets',
  method: 'get',
  path: '/api/feeds/{feed}/loadMarkets',
  family: 'feeds',
  access: { scope: 'read', credits: 1 },
  summary: 'Pairs of a reference feed, by symbol',
  tag: 'feeds',
  params: FeedPath,
  query: z.strictObject({ reload: z.string().optional().describe('accepted and ignored') }),
  data: z.record(z.string(), FeedMarket),
  errors: ['FEED_NOT_FOUND'],
  handle: ({ params }, { feeds }: FeedsRouteDeps) => ({ data: Object.fromEntries(feedOf(feeds, params).markets) }),
})
