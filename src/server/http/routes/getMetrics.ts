// Prometheus text. Public: it carries counts, never keys or accounts.
import { defineRoute } from '../defineRoute.ts'
import type { SystemPort } from './ports.ts'

export const getMetrics = defineRoute({
  operationId: 'getMetrics',
  method: 'get',
  path: '/metrics',
  access: 'public',
  summary: 'Counters and gauges in the Prometheus text format',
  data: null,
  contentType: 'text/plain',
  handle: async (_, { system }: { system: Pick<SystemPort, 'metrics'> }) => {
    const { contentType, text } = await system.metrics()
    return { raw: { contentType, body: text } }
  },
})
