// Connects the daily jobs of venues' figures to the stores and the venues' reads.
import { randomUUID } from 'node:crypto'
import type { Supervisor } from '#actors/runtime/supervisor'
import { spawnVenueMetrics, type VenueMetricsJob } from '#actors/venueMetrics/venueMetricsActor'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { countTapedTrades, findTapedSince } from '#history/recordedTrades'
import { dayMs, dayOf, oldestTapeMs, startOf } from '#marketData/venueMetrics/index'
import { isSandbox } from '#schemas/venues'
import type { TapeStore } from '#storage/clickhouse/client'
import type { Pool } from '#storage/postgres/pool'
import { countOpenMarkets } from '#storage/postgres/venueMetrics/countOpenMarkets'
import { holdMetricJob, releaseMetricJob, writeMetrics } from '#storage/postgres/venueMetrics/jobLease'
import { hasTradesTape, readsChain } from '#venues/venue'
import type { RunningVenue } from './venues.ts'

/** A catalog without a completed walk for longer than this is not counted. */
const walkedWithinMs = 86_400_000

export interface VenueMetricsJobsOptions {
  pool: Pool
  /** Null when this process has none. */
  tape: TapeStore | null
  venues: readonly RunningVenue[]
  clock: Clock
  log: Log
}

export function startVenueMetrics(
  parentOf: (venue: string) => Supervisor,
  { pool, tape, venues, clock, log }: VenueMetricsJobsOptions,
): Map<string, VenueMetricsJob> {
  const holder = randomUUID()
  const jobs = venues
    .filter(({ manifest }) => !isSandbox(manifest.slug))
    .map(({ manifest, context }): [venue: string, VenueMetricsJob] => {
      const { slug: venue, data } = manifest
      const { fetchMetrics } = data
      const isTaped = hasTradesTape(data) || readsChain(manifest, context)
      const job = spawnVenueMetrics(parentOf(venue), {
        venue,
        ports: {
          hold: () => holdMetricJob(pool, venue, holder),
          release: () => releaseMetricJob(pool, venue, holder),
          write: ({ part, day }, metrics) =>
            writeMetrics(pool, { venue, holder, part, day, recordedAt: new Date(clock.now()) }, metrics),
          fetchPublished:
            fetchMetrics &&
            ((signal) => fetchMetrics({ ...context, signal: AbortSignal.any([context.signal, signal]) })),
          countOpen: () => countOpenMarkets(pool, venue, { walkedSince: new Date(clock.now() - walkedWithinMs) }),
          ...(tape !== null &&
            isTaped && {
              tape: {
                since: async (signal) => {
                  const sinceMs = await findTapedSince(tape, venue, oldestTapeMs(clock.now()), signal)
                  return sinceMs === null ? null : dayOf(sinceMs)
                },
                count: (day, signal) =>
                  countTapedTrades(tape, venue, { fromMs: startOf(day), beforeMs: startOf(day) + dayMs }, signal),
              },
            }),
        },
        clock,
        log,
      })
      return [venue, job]
    })
  return new Map(jobs)
}
