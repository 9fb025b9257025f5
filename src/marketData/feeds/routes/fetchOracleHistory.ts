// Only rounds of the current phase: an id does not reveal where the previous one ended.
import { z } from 'zod'
import { OracleRound, oracleRoundsMax } from '#schemas/feeds'
import { defineRoute } from '#server/http/defineRoute'
import { queryWhole } from '#server/http/queryNumbers'
import type { FeedsRouteDeps } from '../ports.ts'
import { FeedPath, feedOf, metaSchema, notSupported, OracleQuery, oraclePairOf } from './shapes.ts'

const limitDefault = 20

export const fetchOracleHistory = defineRoute({
  operationId: 'fetchOracleHistory',
  method: 'get',
  path: '/api/feeds/{feed}/fetchOracleHistory',
  family: 'feeds',
  access: { scope: 'read', credits: 2 },
  summary: 'Recent rounds of an oracle, newest first; unrecorded rounds are left out, so there may be fewer',
  tag: 'feeds',
  params: FeedPath,
  query: z.strictObject({
    ...OracleQuery,
    limit: queryWhole({ min: 1, max: oracleRoundsMax }).default(limitDefault).describe(`1 to ${oracleRoundsMax}`),
  }),
  data: z.array(OracleRound),
  topLevelFields: { ...metaSchema, meta: z.object(metaSchema) },
  errors: ['FEED_NOT_FOUND', 'NOT_SUPPORTED', 'FEED_UPSTREAM'],
  async handle({ params, query }, { feeds }: FeedsRouteDeps) {
    const feed = feedOf(feeds, params)
    if (feed.fetchOracleHistory === undefined) throw notSupported(feed, 'fetchOracleHistory', 'it is not an oracle')
    const rounds = await feed.fetchOracleHistory(oraclePairOf(feed, query), query.limit)
    const asOf = rounds.reduce<string | null>((newest, round) => newestOf(newest, round.asOf), null)
    const meta = { provenance: { source: 'chainlink-onchain' }, asOf }
    return { data: rounds, siblings: { ...meta, meta } }
  },
})

const newestOf = (a: string | null, b: string): string => (a === null || b > a ? b : a)
