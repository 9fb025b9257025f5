import { z } from 'zod'
import { defineRoute } from '#http/defineRoute'
import { feedNames } from '#schemas/feeds'
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
