// The whole program: starts the roles of this process in order, stops them in reverse.
//
//   port ─► stores ─► tape ─► status ─► ingest ─► jobs ─► compute ─► gateway ─► ready
import { start as startActors, stop as stopActors } from '#actors/system'
import type { Config, Role } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { pause } from '#core/pause'
import { version } from '#core/version'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { readRelations } from '#matching/candidateIndex'
import { listen } from '#server/gateway/gateway'
import { BusHealth } from '#storage/bus/busHealth'
import type { TapeStore } from '#storage/clickhouse/client'
import { latestRunId, readClusters } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { serveOperations } from './adminServer.ts'
import { openBudgets } from './budgets.ts'
import { measureBus } from './busMetrics.ts'
import { runCompute } from './computeRole.ts'
import { runConditionals } from './conditionalRole.ts'
import { runGateway } from './gatewayRole.ts'
import { runIngest } from './ingestRole.ts'
import { runJobs } from './jobsRole.ts'
import { createMetrics } from './metrics.ts'
import { runPaper } from './paperService.ts'
import { createReadiness, lookUntilReady } from './readiness.ts'
import { measureProbes, provenByWork, startProbes } from './readinessProbes.ts'
import { checkDataDir } from './runtimeFile.ts'
import { openStores } from './stores.ts'
import { runTape } from './tapeRole.ts'
import type { Tracing } from './tracing.ts'
import { runTraders } from './traders.ts'
import { startVenueStatus } from './venueStatus.ts'
import { openVenues } from './venues.ts'

/** A venue that has neither shown a book nor failed by then does not delay the others. */
const settleMs = 8_000
const settlePollMs = 25

/** Loaded only when requested. */
async function openTracing({ tracing: settings, gatewayId: instance }: Config, log: Log): Promise<Tracing | null> {
  if (settings === undefined) return null
  const { startTracing } = await import('./tracing.ts')
  return startTracing({ settings, version, instance, log })
}

export interface Crossbook {
  /** Null when this process runs no gateway. */
  url: string | null
  /** Where this process is monitored; null when only a gateway is. */
  operationsUrl: string | null
  pool: Pool | null
  /**
   * Resolves when everything this process serves is available: first books in, or each missing venue known to be unreachable.
   */
  ready: Promise<void>
  stop(): Promise<void>
}

export async function startCrossbook(config: Config, { clock, log }: { clock: Clock; log: Log }): Promise<Crossbook> {
  const stops: (() => Promise<void>)[] = []
  let stopping: Promise<void> | null = null
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      for (const shut of stops.splice(0).reverse()) await shut()
    })()
    return stopping
  }
  try {
    const openFolder = checkDataDir(config.dataDir)
    if (openFolder !== null) log.warn(openFolder)
    const has = (role: Role): boolean => config.roles.has(role)
    // Taken before any store, migration or lease: a second program on the port has no side effects.
    const listener = has('gateway') ? await listen({ host: config.host, port: config.port, clock, log }) : null
    if (listener !== null) stops.push(async () => listener.close())
    const side = config.operations === undefined ? null : await listen({ ...config.operations, clock, log })
    if (side !== null) stops.push(async () => side.close())
    const stores = await openStores(config, { clock, log })
    stops.push(() => stores.close())
    const budgets = openBudgets(config)
    const metrics = createMetrics()
    const countRestart = metrics.tally('actor_restarts', 'Restarts of an actor that crashed', ['actor'])
    // Names of actors that belong to a lease end in its epoch.
    const actors = startActors((name) => countRestart({ actor: name.replace(/ \d+$/, '') }))
    stops.push(async () => stopActors(actors))
    const venues = openVenues(config, { clock, log, budgets, metrics })
    stops.push(() => venues.close())
    const build = { version, node: process.versions.node }
    metrics.gauge('build_info', 'The running version', ['version', 'node'], () => [{ labels: build, value: 1 }])
    stops.push(async () => metrics.stop())
    measureBus(metrics, stores.bus)
    const stopDrift = venues.drift.start(stores.bus)
    stops.push(async () => stopDrift())
    const busHealth = new BusHealth(stores.bus, clock)

    if (has('tape')) {
      const tape = await runTape({ config, stores: { ...stores, tape: stores.tape as TapeStore }, metrics, clock, log })
      stops.push(() => tape.stop())
    }
    const slugs = venues.list.map(({ manifest }) => manifest.slug)
    // Only a gateway needs it: elsewhere every book of the cluster would be read for nothing.
    const status = has('gateway') ? await startVenueStatus(stores.bus, slugs, clock) : null
    if (status !== null) stops.push(() => status.stop())
    // Only where the answer can be read.
    const probed = has('gateway') || side !== null ? stores.probes() : []
    const probes = startProbes(
      probed.map((probe) => (probe.part === 'kafka' ? provenByWork(probe, busHealth) : probe)),
      { clock, log },
    )
    stops.push(() => probes.stop())
    measureProbes(metrics, probes)
    let settled = status === null
    let started = false
    const readiness = createReadiness({
      isGateway: has('gateway'),
      parts: () => ({
        ...probes.parts(),
        // Books belong to the gateway: no other role shows any.
        ...(status !== null && { books: settled && status.fed() }),
        ...(!started && { roles: false }),
      }),
    })
    const dependencies = () => probes.parts()
    if (side !== null) {
      const operations = serveOperations({
        listener: side,
        system: { readiness, metrics: () => metrics.text() },
        clock,
        log,
      })
      stops.push(() => operations.stop())
    }
    const pool = stores.pool as Pool
    if (has('jobs') && config.traders.enabled) {
      const { bus, busMode, tape } = stores
      // Before ingest, so that it receives everything.
      const traders = await runTraders({
        actors,
        config,
        bus,
        busMode,
        tape,
        pool,
        venues: venues.list,
        metrics,
        clock,
        log,
      })
      if (traders !== null) stops.push(() => traders.stop())
    }
    const ingest = has('ingest')
      ? await runIngest({
          actors,
          config,
          bus: stores.bus,
          busMode: stores.busMode,
          busHealth,
          pool,
          venues: venues.list,
          metrics,
          clock,
          log,
        })
      : null
    if (ingest !== null) stops.push(() => ingest.stop())
    if (has('jobs')) {
      const onCatalogWritten = (venue: string): void => ingest?.catalogChanged(venue)
      const { bus, tape } = stores
      const jobs = runJobs({
        actors,
        config,
        bus,
        pool,
        tape,
        venues: venues.list,
        drift: venues.drift,
        budgets,
        metrics,
        clock,
        log,
        onCatalogWritten,
      })
      stops.push(() => jobs.stop())
    }
    const compute =
      has('compute') && config.arbitrage.enabled
        ? await runCompute({
            actors,
            config,
            bus: stores.bus,
            busMode: stores.busMode,
            pool,
            venues: venues.list,
            matches: { latestRunId, readClusters },
            relations: { latestRunId, readRelations },
            metrics,
            clock,
            log,
          })
        : null
    if (compute !== null) stops.push(() => compute.stop())
    if (has('compute') && config.conditional.enabled) {
      const { bus } = stores
      const conditionals = await runConditionals({
        actors,
        config,
        bus,
        pool,
        venues: venues.list,
        budgets,
        metrics,
        clock,
        log,
      })
      stops.push(() => conditionals.stop())
    }
    if (has('compute') && config.paper.enabled) {
      const { bus } = stores
      const catalog = createPostgresCatalog(pool, { clock })
      const paper = await runPaper({ config, bus, pool, catalog, venues: venues.list, metrics, clock, log })
      stops.push(() => paper.stop())
    }
    stops.push(async () => venues.abort())
    const tracing = listener === null ? null : await openTracing(config, log)
    if (tracing !== null) stops.push(() => tracing.stop())
    const gateway =
      status === null || listener === null
        ? null
        : await runGateway({
            config,
            listener,
            version,
            stores: { ...stores, pool, tape: stores.tape as TapeStore },
            venues: venues.list,
            budgets,
            status,
            surface: compute?.view ?? null,
            metrics,
            tracing,
            clock,
            log,
            readiness,
            dependencies,
          })
    if (gateway !== null) stops.push(() => gateway.stop())
    started = true

    const ready = (async () => {
      const deadline = clock.monotonic() + settleMs
      while (!settled && stopping === null) {
        settled = status === null || status.settled() || clock.monotonic() >= deadline
        if (!settled) await pause(clock, settlePollMs)
      }
      if (stopping !== null) return
      const stopLooking = lookUntilReady(readiness, clock)
      stops.push(async () => stopLooking())
    })()
    return { url: gateway?.url ?? null, operationsUrl: side?.url ?? null, pool: stores.pool, ready, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
