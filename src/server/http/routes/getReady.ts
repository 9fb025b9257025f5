// Whether requests may be sent to this process. 503 names the parts it waits for; 200 names those it has lost since and serves without.

import { z } from 'zod'
import { Fault } from '#core/fault'
import { defineRoute } from '../defineRoute.ts'
import type { SystemPort } from './ports.ts'

export const getReady = defineRoute({
  operationId: 'getReady',
  method: 'get',
  path: '/ready',
  access: 'public',
  summary: 'Requests may be sent to this process; `degraded` names what it has lost and serves without',
  data: z.object({
    ready: z.literal(true),
    parts: z.record(z.string(), z.boolean()),
    degraded: z.array(z.string()).describe('parts that do not serve now: a gateway stays ready without them'),
  }),
  errors: ['PLATFORM_UNAVAILABLE'],
  handle: (_, { system }: { system: Pick<SystemPort, 'readiness'> }) => {
    const { ready, parts } = system.readiness()
    const degraded = Object.keys(parts).filter((name) => parts[name] !== true)
    if (!ready) {
      throw new Fault('PLATFORM_UNAVAILABLE', `not serving: ${degraded.join(', ')}`, { retryAfterSeconds: 1 })
    }
    return { data: { ready: true, parts, degraded } }
  },
})
