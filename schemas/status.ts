// Venue status, as served by `GET /v1/status`.
import { z } from 'zod'
import { StaleReason } from './staleReason.ts'

const iso = z.iso.datetime().nullable()

/** How a background job is doing; `unknown`: no process reports it. */
const JobState = z.object({
  state: z.enum(['ok', 'fieldsLost', 'rowsLost', 'failing', 'unknown']),
  reason: z.string().nullable(),
  /** End of its last run. */
  asOf: iso,
})
export type JobState = z.infer<typeof JobState>

/**
 * `unreadable`: a value of an unexpected form cost the field, which counts as unknown. Of samples of its catalog: `mistyped`: another type than
 * known, which may still be readable; `missing`: absent, although it was always there; `unknown`: new.
 */
const DriftKind = z.enum(['unreadable', 'mistyped', 'missing', 'unknown'])
export type DriftKind = z.infer<typeof DriftKind>

/** A field of the venue that differs from what is known of it. Counted since the processes that read it started. */
const Drift = z.object({
  field: z.string(),
  kind: DriftKind,
  count: z.number().int(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
})

export const VenueStatus = z.object({
  venue: z.string(),
  connection: z.enum(['connected', 'degraded', 'connecting', 'polling', 'unreachable', 'idle']),
  lastMessageAt: iso,
  lagMs: z.number().nullable(),
  watchedBooks: z.number().int(),
  staleBooks: z.number().int(),
  /** Of those, how many for each reason, most frequent first. */
  staleReasons: z.array(z.object({ reason: StaleReason, books: z.number().int() })),
  sockets: z.number().int(),
  reason: z.string().nullable(),
  /**
   * Every watched book is proven within this time, by its own message or by comparison with the venue's, or marked stale; ms. Null: no book is
   * watched.
   */
  provenWithinMs: z.number().int().nullable(),
  /** Age of the oldest proof among the live books, ms. */
  oldestProofMs: z.number().nullable(),
  /** For trades read from a chain: latency from block to reader, ms; null: not measured yet. */
  tradesLatencyMs: z.number().nullable().optional(),
  /** The reads of its catalog: `fieldsLost`, `rowsLost`: many fields or rows could not be read; `failing`: the walk keeps failing. */
  catalog: JobState,
  /** At most 50, those that cost a field first; all of them are in `crossbook_venue_drift_total`. */
  drift: z.array(Drift),
  asOf: iso,
})
export type VenueStatus = z.infer<typeof VenueStatus>

export const Status = z.object({
  /** Lab venues simulate the real ones: none of these markets is real. */
  lab: z.boolean(),
  venues: z.array(VenueStatus),
  /** The matching of markets across venues. */
  matcher: JobState,
  /** Stores and Kafka, as this gateway reaches them (`postgres`, `clickhouse`, `kafka`): true while they answer. */
  dependencies: z.record(z.string(), z.boolean()),
})
export type Status = z.infer<typeof Status>
