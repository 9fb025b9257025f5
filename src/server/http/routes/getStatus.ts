// The venues as ingest sees them: connection, last message, lag, stale books. Requires a key: it is for users, not for
// probes.

import { snapshotFields } from '#schemas/envelope'
import type { StaleReason } from '#schemas/staleReason'
import { type JobState, Status, type VenueStatus } from '#schemas/status'
import type { JobReport } from '#schemas/topics'
import { defineRoute } from '../defineRoute.ts'
import type { SystemDeps } from './ports.ts'

export const getStatus = defineRoute({
  operationId: 'getStatus',
  method: 'get',
  path: '/v1/status',
  access: { scope: 'read', credits: 0 },
  summary:
    'Health of every venue: connection, last message, lag, stale books; which stores answer; whether lab venues stand in for the real ones',
  data: Status,
  topLevelFields: snapshotFields,
  handle: (_, { clock, system }: SystemDeps) => {
    const venues = system.venueHealth().map((health) => {
      const catalog = system.job('catalog', health.venue)
      const isHurt = catalog?.state === 'failing' || catalog?.state === 'rowsLost'
      return {
        venue: health.venue,
        // Without its catalog its markets are missing or old, however well its feed does.
        connection: isHurt && health.connection !== 'unreachable' ? ('degraded' as const) : health.connection,
        lastMessageAt: toIso(health.lastMessageAt),
        lagMs: health.lagMs,
        watchedBooks: health.watchedBooks,
        staleBooks: health.staleBooks,
        staleReasons: byCount(health.staleReasons ?? {}),
        sockets: health.sockets,
        reason: joined(health.reason, catalog?.reason ?? null),
        provenWithinMs: health.provenWithinMs,
        oldestProofMs: health.oldestProofMs,
        ...(health.tradesLatencyMs === undefined ? {} : { tradesLatencyMs: health.tradesLatencyMs }),
        catalog: jobState(catalog),
        drift: system.drift(health.venue).map(({ firstAt, lastAt, ...finding }) => ({
          ...finding,
          firstAt: new Date(firstAt).toISOString(),
          lastAt: new Date(lastAt).toISOString(),
        })),
        asOf: toIso(health.at),
      }
    })
    return {
      data: {
        lab: system.lab,
        venues,
        matcher: jobState(system.job('matcher', null)),
        dependencies: system.dependencies(),
      },
      siblings: { asOf: toIso(clock.now()), provenance: { source: 'service-live' } },
    }
  },
})

/** Most frequent first. */
const byCount = (counts: Partial<Record<StaleReason, number>>): VenueStatus['staleReasons'] =>
  (Object.entries(counts) as [StaleReason, number][])
    .map(([reason, books]) => ({ reason, books }))
    .sort((a, b) => b.books - a.books)

const joined = (...reasons: readonly (string | null)[]): string | null =>
  reasons.filter((reason) => reason !== null).join('; ') || null

const jobState = (report: JobReport | null): JobState =>
  report === null
    ? { state: 'unknown', reason: 'no process reports it', asOf: null }
    : { state: report.state, reason: report.reason, asOf: toIso(report.at) }

const toIso = (epochMs: number | null): string | null => (epochMs === null ? null : new Date(epochMs).toISOString())
