// Ready means every part this process needs is serving, now and not only at start. 503 otherwise, with the parts named.

import { z } from 'zod'
import { Fault } from '#lib/fault'
import { defineRoute } from '../defineRoute.ts'
import type { SystemPort } from './ports.ts'

export const getReady = defineRoute({
  operationId: 'getReady',
  method: 'get',
  path: '/ready',
  access: 'public',
  summary: 'Every part this process needs is serving',
  data: z.object({ ready: z.literal(true), parts: z.record(z.string(), z.boolean()) }),
  errors: ['PLATFORM_UNAVAILABLE'],
  handle: async (_, { system }: { system: Pick<SystemPort, 'readiness'> }) => {
    const parts = await system.readiness()
    const missing = Object.keys(parts).filter((name) => parts[name] !== true)
    if (missing.length > 0) {
      throw new Fault('PLATFORM_UNAVAILABLE', `not serving: ${missing.join(', ')}`, { retryAfterSeconds: 1 })
    }
    return { data: { ready: true, parts } }
  },
})
