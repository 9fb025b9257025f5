// The index: what this service is, and the addresses of its documents.
import { z } from 'zod'
import { defineRoute } from '../defineRoute.ts'
import { isEnabled } from '../featureFlags.ts'
import type { SystemDeps } from './ports.ts'

export const getIndex = defineRoute({
  operationId: 'getIndex',
  method: 'get',
  path: '/',
  access: 'public',
  summary: 'Name, version and the addresses of the documents',
  data: z.object({ name: z.string(), version: z.string(), links: z.record(z.string(), z.string()) }),
  handle: (_, { system, served }: SystemDeps) => ({
    // A browser gets a page here (src/server/dashboard).
    headers: { vary: 'Accept' },
    data: {
      name: 'crossbook',
      version: system.version,
      links: {
        dashboard: '/ui',
        docs: '/docs',
        openapi: '/openapi.json',
        asyncapi: '/asyncapi.json',
        health: '/health',
        ready: '/ready',
        metrics: '/metrics',
        status: '/v1/status',
        venues: '/v1/venues',
        stream: '/v1/stream',
        markets: '/api/{exchange}/fetchMarkets',
        orderBook: '/api/{exchange}/fetchOrderBook',
        ...(isEnabled('history', served.families) && { replay: '/v1/history/replay' }),
      },
    },
  }),
})
