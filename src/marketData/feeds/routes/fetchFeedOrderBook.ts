import { z } from 'zod'
import { defineRoute } from '#server/http/defineRoute'
import type { FeedsRouteDeps } from '../ports.ts'
import { FeedPath, feedOf, notSupported } from './shapes.ts'

export const fetchFeedOrderBook = defineRoute({
  operationId: 'fetchFeedOrderBook',
  method: 'get',
  path: '/api/feeds/{feed}/fetchOrderBook',
  family: 'feeds',
  access: { scope: 'read', credits: 0 },
  summary: 'Not served: reference feeds publish prices, not books',
  tag: 'feeds',
  served: false,
  params: FeedPath,
  data: z.null(),
  errors: ['FEED_NOT_FOUND', 'NOT_SUPPORTED'],
  handle({ params }, { feeds }: FeedsRouteDeps) {
    throw notSupported(feedOf(feeds, params), 'fetchOrderBook', 'reference feeds publish prices, not books')
  },
})
