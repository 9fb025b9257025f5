// The jobs role: maintains the catalog of every venue, and matches their markets.
import { type CatalogIngest, spawnCatalogIngest } from '#actors/catalogIngest/catalogIngestActor'
import { spawnMatcher } from '#actors/matcher/matcherActor'
import { spawnReconciler } from '#actors/reconciler/reconcilerActor'
import { spawnSports } from '#actors/sports/sportsActor'
import { type Supervisor, superviseRole, superviseVenue } from '#actors/system'
import type { VenueMetricsJob } from '#actors/venueMetrics/venueMetricsActor'
import { spawnDeliveries } from '#actors/webhooks/deliveryActor'
import { readKnownFields } from '#cli/probe/knownFields'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { isSandbox } from '#schemas/venues'
import type { Bus } from '#storage/bus/bus'
import type { TapeStore } from '#storage/clickhouse/client'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import type { Pool } from '#storage/postgres/pool'
import { finishRun, insertRun } from '#storage/postgres/runLog'
import { createDeliveryStore } from '#storage/postgres/webhooks/store'
import { startMatchEngine } from '#workers/matchEngine'
import { startSportsThread } from '#workers/sportsThread'
import type { Budgets } from './budgets.ts'
import { dailyVolumesOf, derivedFullWalkEveryMs } from './dailyVolumes.ts'
import { countExecutions } from './executionCounts.ts'
import { sendJobReports } from './jobReports.ts'
import { openLanes } from './lanes.ts'
import type { Metrics } from './metrics.ts'
import { sampledClient } from './sampledClient.ts'
import { openJudge } from './secondOpinion.ts'
import { measureSports } from './sports.ts'
import type { VenueDrift } from './venueDrift.ts'
import { startVenueMetrics } from './venueMetrics.ts'
import type { RunningVenue } from './venues.ts'
import { deliverableEvents, openAttempts } from './webhooks.ts'

const reconcileEveryMs = 2_000
const fullWalkEveryMs = 6 * 3_600_000

export interface JobsRoleOptions {
  actors: Supervisor
  config: Config
  bus: Bus
  pool: Pool
  /** Null when this process has none. */
  tape: TapeStore | null
  venues: readonly RunningVenue[]
  drift: VenueDrift
  budgets: Budgets
  metrics: Metrics
  clock: Clock
  log: Log
  onCatalogWritten(venue: string): void
}

export function runJobs({
  actors,
  config,
  bus,
  pool,
  tape,
  venues,
  drift,
  budgets,
  metrics,
  clock,
  log,
  onCatalogWritten,
}: JobsRoleOptions): {
  stop(): Promise<void>
} {
  const role = superviseRole(actors, 'jobs', { clock, log })
  const branches = new Map(
    venues.map(({ manifest: { slug } }) => [slug as string, superviseVenue(role, slug, { clock, log })]),
  )
  const branchOf = (venue: string): Supervisor => branches.get(venue)!
  const reports = sendJobReports(bus, clock)
  const countRun = metrics.tally('matcher_runs', 'Runs of the matcher, by outcome', ['outcome'])
  const countWalk = metrics.tally('catalog_walks', 'Walks through the catalog of a venue, by outcome', [
    'venue',
    'outcome',
  ])
  const dailyVolumes = dailyVolumesOf({ venues, tape, clock, log })
  const catalog = createPostgresCatalog(pool, { clock, dailyVolumes })
  const crossVenue = venues.map(({ manifest }) => manifest.slug).filter((slug) => !isSandbox(slug))
  const venueData = new Map(venues.map(({ manifest }) => [manifest.slug as string, manifest.data]))
  const secondOpinion = openJudge({ config, pool, clock })
  const matcher = spawnMatcher(role, {
    pool,
    engine: startMatchEngine(),
    venues: crossVenue,
    marketsMax: config.matcherMarkets,
    pace: { intervalMs: config.matcherIntervalMs },
    feeOf: (venue, market) =>
      venueData.get(venue)?.feeModel(market).fee ?? {
        kind: 'unknown',
        reason: 'this deployment does not serve the venue',
      },
    clock,
    log,
    ...(secondOpinion === null ? {} : { judge: secondOpinion.judge }),
    report: reports.report,
    countRun: (outcome) => countRun({ outcome }),
  })
  metrics.gauge(
    'matcher_markets_left_out',
    'Active markets that are not compared: more than CROSSBOOK_MATCHER_MARKETS',
    [],
    () => [{ labels: {}, value: matcher.leftOut() }],
  )
  const figures: ReadonlyMap<string, VenueMetricsJob> = config.venueMetrics
    ? startVenueMetrics(branchOf, { pool, tape, venues, clock, log })
    : new Map()
  const sports = config.sports.enabled
    ? spawnSports(role, { pool, thread: startSportsThread(), venues: crossVenue, clock, log })
    : null
  if (sports !== null) measureSports(metrics, sports, clock)
  const jobs: CatalogIngest[] = venues.map(({ manifest, context }) =>
    spawnCatalogIngest(branchOf(manifest.slug), {
      venue: manifest,
      context: {
        ...context,
        http: sampledClient(context.http, {
          clock,
          urls: context.urls,
          known: readKnownFields(manifest.slug),
          found: (field, kind) => drift.note(manifest.slug, field, kind),
        }),
      },
      catalog,
      pace: {
        intervalMs: config.catalogIntervalMs,
        fullEveryMs: dailyVolumes.has(manifest.slug) ? derivedFullWalkEveryMs : fullWalkEveryMs,
      },
      clock,
      log,
      async recordRun({ job, startedAt, finishedAt, ok, counts }) {
        await finishRun(pool, await insertRun(pool, job, startedAt), { finishedAt, ok, counts })
        figures.get(manifest.slug)?.actor.send({ kind: 'catalogWalked' })
      },
      report: reports.report,
      countWalk: (outcome) => countWalk({ venue: manifest.slug, outcome }),
      onWritten(venue) {
        onCatalogWritten(venue)
        matcher.actor.send({ kind: 'catalogWritten' })
        sports?.actor.send({ kind: 'catalogWritten' })
      },
    }),
  )
  const lanes = openLanes(config, catalog, { clock, log, budgets })
  const reconciler = spawnReconciler(role, {
    store: countExecutions(createExecutionStore(pool, createNotifier(pool)), metrics),
    lanes: lanes.armed,
    pace: { intervalMs: reconcileEveryMs },
    clock,
    log,
  })
  const deliveries = spawnDeliveries(role, {
    store: createDeliveryStore(pool),
    attempt: openAttempts(config, clock),
    deliverable: deliverableEvents(config),
    clock,
    log,
  })
  const stat = (name: keyof ReturnType<typeof deliveries.stats>) => () => [{ value: deliveries.stats()[name] }]
  metrics.gauge('webhook_deliveries_queued', 'Deliveries that wait for an attempt', [], stat('queued'))
  metrics.counter('webhook_deliveries_delivered', 'Deliveries accepted by their receivers', [], stat('delivered'))
  metrics.counter('webhook_deliveries_failed', 'Deliveries given up after their last attempt', [], stat('failed'))
  metrics.counter('webhook_attempts', 'Attempts made', [], stat('attempts'))
  metrics.counter('webhook_attempts_failed', 'Attempts that were not answered with 2xx', [], stat('attemptsFailed'))
  metrics.gauge('webhook_queues_working', 'Endpoints worked on now', [], stat('working'))
  return {
    async stop() {
      reports.stop()
      await Promise.all([
        ...[...jobs, ...figures.values()].map((job) => job.stop()),
        matcher.stop(),
        sports?.stop(),
        reconciler.stop(),
        deliveries.stop(),
      ])
      await secondOpinion?.close()
      await lanes.close()
      role.stop()
    },
  }
}
