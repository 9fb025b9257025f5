import { z } from 'zod'
import { OracleRound } from '#schemas/feeds'
import { defineRoute } from '#server/http/defineRoute'
import type { FeedsRouteDeps } from '../ports.ts'
import { FeedPath, feedOf, metaSchema, notSupported, OracleQuery, oraclePairOf } from './shapes.ts'

export const fetchOracleRound = defineRoute({
  operationId: 'fetchOracleRound',
  method: 'get',
  path: '/api/feeds/{feed}/fetchOracleRound',
  family: 'feeds',
  access: { scope: 'read', credits: 1 },
  summary: 'The newest round of an oracle, as stored on its chain; asOf is when it was written',
  tag: 'feeds',
  params: FeedPath,
  query: z.strictObject(OracleQuery),
  data: OracleRound,
  topLevelFields: metaSchema,
  errors: ['FEED_NOT_FOUND', 'NOT_SUPPORTED', 'FEED_UPSTREAM'],
  async handle({ params, query }, { feeds }: FeedsRouteDeps) {
    const feed = feedOf(feeds, params)
    if (feed.fetchOracleRound === undefined) throw notSupported(feed, 'fetchOracleRound', 'it is not an oracle')
    const round = await feed.fetchOracleRound(oraclePairOf(feed, query))
    const { asOf, provenance } = round
    return { data: round, siblings: { asOf, provenance } }
  },
})
