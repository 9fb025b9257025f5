// The venues as ingest sees them: connection, last message, lag, stale books. Requires a key: it is for users, not for
// probes.

import { stood } from '#schemas/envelope'
import { Status } from '#schemas/status'
import { defineRoute } from '../defineRoute.ts'
import type { SystemDeps } from './ports.ts'

export const getStatus = defineRoute({
  operationId: 'getStatus',
  method: 'get',
  path: '/v1/status',
  access: { scope: 'read', credits: 0 },
  summary:
    'Health of every venue: connection, last message, lag, stale books; whether lab venues stand in for the real ones',
  data: Status,
  beside: stood,
  handle: (_, { clock, system }: SystemDeps) => {
    const venues = system.venueHealth().map((health) => ({
      venue: health.venue,
      connection: health.connection,
      lastMessageAt: toIso(health.lastMessageAt),
      lagMs: health.lagMs,
      watchedBooks: health.watchedBooks,
      staleBooks: health.staleBooks,
      sockets: health.sockets,
      reason: health.reason,
      provenWithinMs: health.provenWithinMs,
      oldestProofMs: health.oldestProofMs,
      ...(health.tradesLatencyMs === undefined ? {} : { tradesLatencyMs: health.tradesLatencyMs }),
      asOf: toIso(health.at),
    }))
    return {
      data: { lab: system.lab, venues },
      siblings: { asOf: toIso(clock.now()), provenance: { source: 'service-live' } },
    }
  },
})

const toIso = (epochMs: number | null): string | null => (epochMs === null ? null : new Date(epochMs).toISOString())
