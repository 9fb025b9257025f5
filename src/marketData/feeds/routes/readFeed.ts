// Every other verb of a feed: pmxt verbs that no feed here supports, and unknown ones. While the feature is disabled all of them report
// that.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { defineRoute } from '#server/http/defineRoute'
import type { FeedsRouteDeps } from '../ports.ts'
import { feedOf, notSupported } from './shapes.ts'

const unserved: Readonly<Record<string, string>> = {
  fetchOHLCV: 'no candles are kept for reference feeds',
  fetchHistoricalPrices: 'for oracles, fetchOracleHistory returns the newest rounds',
}

export const readFeed = defineRoute({
  operationId: 'readFeed',
  method: 'get',
  path: '/api/feeds/{feed}/{verb}',
  family: 'feeds',
  access: { scope: 'read', credits: 0 },
  summary: 'Not served: fetchOHLCV, fetchHistoricalPrices',
  tag: 'feeds',
  served: false,
  params: z.object({ feed: z.string(), verb: z.string() }),
  data: z.null(),
  errors: ['FEED_NOT_FOUND', 'NOT_SUPPORTED', 'ROUTE_NOT_FOUND'],
  handle({ params }, { feeds }: FeedsRouteDeps) {
    const feed = feedOf(feeds, params)
    if (!Object.hasOwn(unserved, params.verb)) throw new Fault('ROUTE_NOT_FOUND', 'no such route')
    throw notSupported(feed, params.verb, unserved[params.verb]!)
  },
})
