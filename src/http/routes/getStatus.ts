// The venues as ingest sees them: connection, last message, lag, stale books. Needs a key: it is for users, not for probes.

import { z } from 'zod'
import { stood } from '#schemas/envelope'
import { defineRoute } from '../defineRoute.ts'
import type { SystemDeps } from './ports.ts'

const iso = z.iso.datetime().nullable()

const VenueStatus = z.object({
  venue: z.string(),
  connection: z.enum(['connected', 'degraded', 'connecting', 'polling', 'unreachable', 'idle']),
  lastMessageAt: iso,
  lagMs: z.number().nullable(),
  watchedBooks: z.number().int(),
  staleBooks: z.number().int(),
  sockets: z.number().int(),
  reason: z.string().nullable(),
  /** Every watched book is proven within this time, by a message of its own or by comparing it with the venue's, or called stale; ms. Null: nobody watches. */
  provenWithinMs: z.number().int().nullable(),
  /** Age of the oldest proof among the live books now, ms. */
  oldestProofMs: z.number().nullable(),
  /** Where trades are read off a chain: from a block to its readers, ms; null: not measured yet. */
  tradesLatencyMs: z.number().nullable().optional(),
  asOf: iso,
})

export const getStatus = defineRoute({
  operationId: 'getStatus',
  method: 'get',
  path: '/v1/status',
  access: { scope: 'read', credits: 0 },
  summary: 'Health of every venue: connection, last message, lag, stale books',
  data: z.object({ venues: z.array(VenueStatus) }),
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
      data: { venues },
      siblings: { asOf: toIso(clock.now()), provenance: { source: 'service-live' } },
    }
  },
})

const toIso = (epochMs: number | null): string | null => (epochMs === null ? null : new Date(epochMs).toISOString())
