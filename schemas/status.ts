// How the venues stand, as `GET /v1/status` tells it.
import { z } from 'zod'

const iso = z.iso.datetime().nullable()

export const VenueStatus = z.object({
  venue: z.string(),
  connection: z.enum(['connected', 'degraded', 'connecting', 'polling', 'unreachable', 'idle']),
  lastMessageAt: iso,
  lagMs: z.number().nullable(),
  watchedBooks: z.number().int(),
  staleBooks: z.number().int(),
  sockets: z.number().int(),
  reason: z.string().nullable(),
  /** Every watched book is proven within this time, by a message of its own or by comparing it with the venue's, or called stale; ms. Null: no book is watched. */
  provenWithinMs: z.number().int().nullable(),
  /** Age of the oldest proof among the live books now, ms. */
  oldestProofMs: z.number().nullable(),
  /** Where trades are read off a chain: from a block to its readers, ms; null: not measured yet. */
  tradesLatencyMs: z.number().nullable().optional(),
  asOf: iso,
})
export type VenueStatus = z.infer<typeof VenueStatus>

export const Status = z.object({
  /** Lab venues stand in for the real ones: nothing here is a market. */
  lab: z.boolean(),
  venues: z.array(VenueStatus),
})
export type Status = z.infer<typeof Status>
