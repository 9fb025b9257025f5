// The last reports of the venues' owners, for /v1/status, /ready and metrics, and which owner counts.
import { VenueOwners } from '#core/books/epochFencing'
import type { Clock } from '#core/clock'
import { formatLease } from '#schemas/parts'
import {
  type DriftFinding,
  type DriftReport,
  healthMs,
  type JobReport,
  jobReportMs,
  type VenueHealth,
  type VenueStatus,
} from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'
import { mergeDrift } from './venueDrift.ts'
import { mergeParts, newest } from './venueRow.ts'

/** Four missed beats. */
const unfedMs = 4 * healthMs
/** As many missed repetitions of a job's report. */
const unreportedMs = 4 * jobReportMs
/** A process that does not check for much longer than this has slept. */
const lookMs = 1_000

export interface StatusBoard {
  owners: VenueOwners
  venues(): VenueStatus[]
  /** Null while no process reports it. `venue`: null for a job of all venues. */
  job(job: JobReport['job'], venue: string | null): JobReport | null
  /** How the venue's answers differ from what is known, as all processes report it. */
  drift(venue: string): DriftFinding[]
  /** For each venue, or each of its parts: false when its ingest process has not sent anything recently. */
  reporting(): { venue: string; part: string | undefined; reporting: boolean }[]
  /** False if no process feeds any part of any venue any more: no book here is fed. */
  fed(): boolean
  /** True once every venue has a live book or is known to be unreachable. */
  settled(): boolean
  stop: Stop
}

/** By its owner's report: without readers here, its books do not come here. */
const isSettled = (health: VenueStatus | undefined): boolean =>
  health !== undefined && (health.connection === 'unreachable' || health.watchedBooks > health.staleBooks)

export async function startVenueStatus(bus: Bus, slugs: readonly string[], clock: Clock): Promise<StatusBoard> {
  const owners = new VenueOwners(clock, (venue, part) =>
    Math.max(bus.unreadMs('books'), bus.undeliveredMs(formatLease(venue, part))),
  )
  owners.watchSleep()
  const looking = clock.every(lookMs, () => {
    for (const slug of slugs) for (const part of owners.parts(slug)) owners.isAlive(slug, part)
  })
  /** By lease. */
  const latest = new Map<string, VenueHealth>()
  const live = new Set<string>()
  const jobs = new Map<string, { report: JobReport; receivedAt: number }>()
  const jobKey = ({ job, venue }: Pick<JobReport, 'job' | 'venue'>): string => `${job}:${venue ?? ''}`
  /** By venue and sender. */
  const drifts = new Map<string, Map<string, { report: DriftReport; receivedAt: number }>>()
  const reportedDrift = (venue: string): DriftReport[] => {
    const bySender = drifts.get(venue) ?? new Map<string, { report: DriftReport; receivedAt: number }>()
    for (const [senderId, { receivedAt }] of bySender)
      if (clock.monotonic() - receivedAt > unreportedMs) bySender.delete(senderId)
    return [...bySender.values()].map(({ report }) => report)
  }
  const stops = await Promise.all([
    bus.subscribe('health', (health, lateMs) => {
      if (owners.beat(health, lateMs)) latest.set(formatLease(health.venue, health.part), health)
    }),
    bus.subscribe('jobReports', (report) => {
      jobs.set(jobKey(report), { report, receivedAt: clock.monotonic() })
    }),
    bus.subscribe('drift', (report) => {
      const { venue, senderId } = report
      // Processes that are gone are dropped here too: there may be no reader.
      reportedDrift(venue)
      const bySender = drifts.get(venue) ?? new Map()
      drifts.set(venue, bySender.set(senderId, { report, receivedAt: clock.monotonic() }))
    }),
    bus.subscribe('books', (update) => {
      if (update.state === 'live' && owners.admits(update)) live.add(update.venue)
    }),
  ])
  /** One row for all parts; undefined when none reports. */
  function statusOf(venue: string): VenueStatus | undefined {
    const reports: VenueHealth[] = []
    const silent: string[] = []
    for (const part of owners.parts(venue)) {
      const report = owners.isAlive(venue, part) ? latest.get(formatLease(venue, part)) : undefined
      if (report !== undefined) reports.push(report)
      else if (part !== undefined) silent.push(part)
    }
    return mergeParts(reports, silent)
  }
  const unheard = (venue: string): VenueStatus => ({
    venue,
    connection: 'unreachable',
    lastMessageAt: newest(owners.parts(venue).map((part) => latest.get(formatLease(venue, part))?.lastMessageAt)),
    lagMs: null,
    watchedBooks: 0,
    staleBooks: 0,
    staleReasons: {},
    sockets: 0,
    reason: 'no ingest process reports this venue',
    legProofMs: 0,
    provenWithinMs: null,
    oldestProofMs: null,
    at: clock.now(),
  })
  return {
    owners,
    venues: () => slugs.map((slug) => statusOf(slug) ?? unheard(slug)),
    job(job, venue) {
      const found = jobs.get(jobKey({ job, venue }))
      return found === undefined || clock.monotonic() - found.receivedAt > unreportedMs ? null : found.report
    },
    drift: (venue) => mergeDrift(reportedDrift(venue)),
    reporting: () =>
      slugs.flatMap((venue) =>
        owners.parts(venue).map((part) => ({ venue, part, reporting: owners.isAlive(venue, part) })),
      ),
    fed: () =>
      slugs.length === 0 ||
      slugs.some((slug) =>
        owners.parts(slug).some((part) => owners.isAlive(slug, part) && owners.quietMs(slug, part) <= unfedMs),
      ),
    settled: () => slugs.every((slug) => live.has(slug) || isSettled(statusOf(slug))),
    async stop() {
      looking.cancel()
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}
