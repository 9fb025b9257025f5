// Liveness, and the process' own time. Checks nothing else, so that a slow store never makes a process look dead.
import { z } from 'zod'
import type { Clock } from '#core/clock'
import { defineRoute } from '../defineRoute.ts'

const alive = { status: z.literal('ok'), time: z.number().int() }

export const getHealth = defineRoute({
  operationId: 'getHealth',
  method: 'get',
  path: '/health',
  access: 'public',
  summary: 'The process answers',
  data: z.object(alive),
  // Clients of the same API family read `status` and `timestamp` next to `success`.
  topLevelFields: { ...alive, timestamp: z.number().int() },
  handle: (_, { clock }: { clock: Clock }) => {
    const time = clock.now()
    return { data: { status: 'ok', time }, siblings: { status: 'ok', time, timestamp: time } }
  },
})
