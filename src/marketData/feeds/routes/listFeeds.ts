import { z } from 'zod'
import { feedNames } from '#schemas/feeds'
import { defineRoute } from '#server/http/defineRoute'
import type { FeedsRouteDeps } from '../ports.ts'

export const listFeeds = defineRoute({
  operationId: 'listFeeds',
  method: 'get',
  path: '/api/feeds',
  family: 'feeds',
  access: { scope: 'read', credits: 0 },
  summary: 'Names of the reference feeds',
  tag: 'feeds',
  query: z.strictObject({}),
  data: z.array(z.enum(feedNames)),
  handle: (_, { feeds }: FeedsRouteDeps) => ({ data: [...feeds.values()].map(({ name }) => name) }),
})
