// Alive, and what time the process thinks it is. Asks nobody, so that a slow store never makes a process look dead.
import { z } from 'zod'
import { defineRoute } from '../defineRoute.ts'
import type { SystemDeps } from './ports.ts'

export const getHealth = defineRoute({
  operationId: 'getHealth',
  method: 'get',
  path: '/health',
  access: 'public',
  summary: 'The process answers',
  data: z.object({ status: z.literal('ok'), time: z.number().int() }),
  // Clients of the same API family read `status` and `timestamp` beside `success`.
  handle: (_, { clock }: SystemDeps) => {
    const time = clock.now()
    return { data: { status: 'ok', time }, siblings: { status: 'ok', time, timestamp: time } }
  },
})
