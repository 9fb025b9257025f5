// The gateway role: HTTP and the stream on one port, in front of the catalog, the live books and the tape.
import { randomUUID } from 'node:crypto'
import { CooperativeReads } from '#actors/arbitrage/cooperativeReads'
import { startSizedQueryClient } from '#actors/arbitrage/sizedQueryClient'
import { type StructureRelay, startStructureRelay } from '#actors/arbitrage/structureReplica'
import { startSurfaceRelay } from '#actors/arbitrage/surfaceReplica'
import { startOrderFeed } from '#actors/orders/orderChangePublisher'
import { arbitrageChannel } from '#arbitrage/channel'
import { structuresChannel } from '#arbitrage/structures/view'
import { type SurfaceView, surfaceReads } from '#arbitrage/surfaceView'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import type { Durations } from '#core/durationHistogram'
import type { Log } from '#core/log'
import { createClickhouseTape } from '#history/clickhouseTape'
import { dayFilesIn, FileStore } from '#history/files/fileStore'
import { rememberOutcomes } from '#history/outcomeCache'
import { cacheOutcomeFacts } from '#history/outcomeFactsCache'
import { createOutcomeFacts } from '#history/outcomeStats'
import { replayChannel } from '#history/paced/channel'
import { cacheReplayPages } from '#history/pageCache'
import type { BookOf } from '#history/recordedOutcomeId'
import { createTapedSince } from '#history/recordingStart'
import { createTapeCoverage } from '#history/tapeCoverage'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { titleQuery } from '#marketData/catalog/titleQuery'
import { feedTickerChannel } from '#marketData/feeds/index'
import { createMarkets } from '#marketData/markets/index'
import { createPostgresMatches } from '#matching/candidateIndex'
import { ordersChannel } from '#orders/stream/channel'
import { createPostgresKeyVerifier } from '#platform/auth/postgresVerifier'
import { createGeofence } from '#platform/geofence/geofence'
import { plansWith } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { boxKeyBytes, createSecretBox } from '#platform/webhooks/index'
import { streamChannels } from '#schemas/stream'
import { isSandbox } from '#schemas/venues'
import { createDashboardFiles } from '#server/dashboard/files'
import { withDashboard } from '#server/dashboard/serve'
import type { Gateway, Listener } from '#server/gateway/gateway'
import { withCors } from '#server/http/cors'
import type { EnabledFeatures } from '#server/http/enabledRoutes'
import { createHttpHandler, historyFloorOf } from '#server/http/pipeline'
import { createTraitsOf } from '#server/http/routeFlags'
import type { SystemPort } from '#server/http/routes/ports'
import { type FixtureMirror, startFixtureMirror } from '#sports/index'
import type { TapeStore } from '#storage/clickhouse/client'
import { patiently } from '#storage/postgres/connectWithRetry'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import { loadCursorSecret } from '#storage/postgres/settings'
import { findLatestMetrics } from '#storage/postgres/venueMetrics/findLatestMetrics'
import { createWebhookStore } from '#storage/postgres/webhooks/store'
import { olderStream } from '#stream/pmxt/server'
import type { StreamChannels } from '#stream/ports'
import { startStream } from '#stream/server'
import { createTraders } from '#traders/index'
import { Backfill, createTraderRecord } from '#traders/record/index'
import { showsOptionPrices } from '#venues/venue'
import { startLinesThread } from '#workers/rowEncoderWorker'
import { createBookAvailability } from './bookAvailability.ts'
import { openBridge } from './bridge.ts'
import type { Budgets } from './budgets.ts'
import { surfaceRowsMax } from './computeRole.ts'
import { openConditional } from './conditionalStore.ts'
import { openCredits } from './credits.ts'
import { executionsOf } from './executions.ts'
import { openFeeds } from './feeds.ts'
import { openFunding } from './funding.ts'
import { openLanes } from './lanes.ts'
import { startBookDemand } from './liveBooks.ts'
import type { Metrics } from './metrics.ts'
import { openOpenOrders } from './openOrders.ts'
import { openOptionPrices } from './optionPrices.ts'
import { openPendingTrades } from './pendingTrades.ts'
import { routes } from './routes.ts'
import { liveQuotes, measureFixtures } from './sports.ts'
import type { Stores } from './stores.ts'
import { createStreamCatalog } from './streamCatalog.ts'
import { startDatabaseTime } from './syncDatabaseClock.ts'
import type { Tracing } from './tracing.ts'
import { openTraderVenues } from './traderSources.ts'
import { recordCatalogOf } from './traders.ts'
import type { StatusBoard } from './venueStatus.ts'
import type { RunningVenue } from './venues.ts'
import { deliverableEvents, openGuard, openSecretBox } from './webhooks.ts'

/** A market that was read over HTTP is kept live for the next read. */
const readHoldMs = 30_000

export interface GatewayRoleOptions {
  config: Config
  /** The port, taken before anything else was touched. */
  listener: Listener
  version: string
  stores: Stores & { pool: Pool; tape: TapeStore }
  venues: readonly RunningVenue[]
  budgets: Budgets
  status: StatusBoard
  metrics: Metrics
  /** Null: tracing is off. */
  tracing: Tracing | null
  clock: Clock
  log: Log
  /** The surface computed in this process; null when there is none, or it comes over the bus. */
  surface: SurfaceView | null
  readiness: SystemPort['readiness']
  dependencies: SystemPort['dependencies']
}

export async function runGateway(options: GatewayRoleOptions): Promise<Gateway> {
  const { config, listener, stores, venues, budgets, status, metrics, clock, log } = options
  const { pool, tape: tapeStore, bus } = stores
  const plans = plansWith(config.plans)
  const catalog = createPostgresCatalog(pool, { clock })
  const manifests = new Map<string, RunningVenue['manifest']>(venues.map(({ manifest }) => [manifest.slug, manifest]))
  const bookOf: BookOf = (venue, outcomeId, marketId) => manifests.get(venue)?.data.bookRef(outcomeId, marketId) ?? null
  const lines = startLinesThread()
  const tape = createClickhouseTape(tapeStore, bookOf, { lines, log })
  const cursors = createCursorCodec(await patiently(() => loadCursorSecret(pool), { clock, log }))
  const verifier = createPostgresKeyVerifier(pool, { clock, log })
  const books = await startBookDemand(bus, status, clock)

  const surface = options.surface ?? (await surfaceFromBus(options))
  const structures: StructureRelay | null = config.arbitrage.enabled
    ? await startStructureRelay({ bus, clock, log, memberId: config.gatewayId })
    : null
  const listed = [...manifests.keys()].filter((slug) => !isSandbox(slug))
  const orders = startOrderFeed({ pool, clock, log })
  const reference = config.feeds.enabled ? openFeeds(config, { clock, log }) : null
  reference?.measure(metrics)
  const optionPrices = openOptionPrices({ venues, catalog, clock, log })
  optionPrices.measure(metrics)
  const pending = openPendingTrades(config, venues, { clock, log })
  pending?.measure(metrics)
  const credits = openCredits({ pool, plans, metrics, clock, log })
  const coverage = createTapeCoverage(tapeStore, bookOf)
  const outcomes = rememberOutcomes(catalog)
  const streamed = createStreamCatalog(venues, catalog, clock, (slug) => {
    const health = status.venues().find(({ venue }) => venue === slug)
    return health?.tradesLatencyMs ?? null
  })
  const channels: StreamChannels = {
    orders: ordersChannel(orders),
    ...(config.history.enabled && {
      replay: replayChannel({
        tape,
        coverage,
        catalog: outcomes,
        serves: (venue) => manifests.has(venue),
        async meant(venue, marketId) {
          const found = await streamed.resolve(venue, marketId, 'orderbook')
          return typeof found === 'object' && 'instead' in found ? found.instead : null
        },
        bookOf,
        entitled: ({ plan }) => plans[plan].features.replay,
        floorOf: (principal) => historyFloorOf(plans, principal, clock.now()),
        credits: credits.meter,
        clock,
        log,
      }),
    }),
    price: optionPrices.channel,
    ...(reference !== null && { feedTicker: feedTickerChannel(reference.feeds, clock) }),
    ...(surface !== null && {
      arbitrage: arbitrageChannel(surface.audience, ({ plan }) => plans[plan].features.arbitrage, listed),
    }),
    ...(structures !== null && {
      structures: structuresChannel(structures, ({ plan }) => plans[plan].features.arbitrage, listed),
    }),
  }

  const stream = await startStream({
    bus: books.streamBus,
    clock,
    log,
    auth: verifier,
    catalog: streamed,
    books,
    limitsOf: (plan) => plans[plan],
    gatewayId: config.gatewayId,
    venues: [...manifests.keys()],
    tickMs: config.tickMs,
    channels,
    ...(pending !== null && { pendingTrades: pending.trades }),
  })
  const hold = (venue: string, bookId: string): void => void stream.hold(venue, bookId, readHoldMs)
  const facts = cacheOutcomeFacts(createOutcomeFacts(tapeStore, bookOf), clock)
  const markets = createMarkets({
    catalog,
    tape,
    facts,
    matches: createPostgresMatches(pool, titleQuery),
    books: { ...books.reads, ...(bus.deliversOnDemand && { want: hold }) },
    arbitrage: surface === null ? undefined : surfaceReads(surface),
    demand: { hold },
    venues: new Map(
      venues.map(({ manifest, context }) => [
        manifest.slug,
        { slug: manifest.slug, manifest, data: manifest.data, volume24h: manifest.volume24h, context },
      ]),
    ),
    cursors,
    lab: config.lab,
    clock,
    log,
  })
  const funding = openFunding(config, budgets)
  const bridge = openBridge({ config, pool, venues, clock })
  const currentMarket = (slug: string) => {
    const running = venues.find(({ manifest }) => manifest.slug === slug)
    if (running === undefined) return undefined
    const { manifest, context } = running
    return async (marketId: string) => (await manifest.data.fetchMarket(context, marketId))?.market ?? null
  }
  const lanes = openLanes(config, catalog, { clock, log, budgets, currentMarket })
  const executions = executionsOf({ lanes, pool, metrics, cursors, clock, log })
  const time = await startDatabaseTime({ pool, clock, log })
  const bookAvailability = createBookAvailability({
    catalog,
    bookOf,
    books: books.reads,
    hold,
    clock,
  })
  const conditional = openConditional({
    config,
    pool,
    executions,
    books: { availability: bookAvailability },
    clock: time.clock,
  })
  const fixtures = config.sports.enabled ? startFixtureMirror(pool, { clock, log }) : null
  if (fixtures !== null) measureFixtures(metrics, fixtures, clock)
  const fillIns = new Backfill({
    venues: openTraderVenues(venues, config, 'fillIns'),
    store: tapeStore,
    catalog: recordCatalogOf({ pool, catalog, venues, clock }),
    clock,
    log,
  })
  const isPriced = venues.some(({ manifest, context }) => showsOptionPrices(manifest.data, context))
  const served: EnabledFeatures = {
    families: {
      history: config.history.enabled,
      webhooks: config.webhooks.routes,
      conditional: config.conditional.enabled,
      traders: config.traders.enabled,
      feeds: config.feeds.enabled,
      openOrders: config.openOrders,
      venueMetrics: config.venueMetrics,
      bridge: config.bridge.enabled,
      sports: config.sports.enabled,
    },
    channels: streamChannels.filter((channel) => channels[channel] !== undefined && (channel !== 'price' || isPriced)),
    pendingTrades: listed.find((slug) => pending?.trades.watches(slug)) ?? null,
    webhookEvents: deliverableEvents(config),
  }
  const http = createHttpHandler(routes, {
    verifier,
    credits: credits.meter,
    accounts: credits.accounts,
    plans,
    rateLimiter: createRateLimiter(clock),
    geofence: config.geofence === undefined ? undefined : createGeofence(config.geofence),
    families: served.families,
    lab: config.lab,
    served,
    log,
    clock,
    answers: answersOf(options),
    system: {
      version: options.version,
      lab: config.lab,
      readiness: options.readiness,
      dependencies: options.dependencies,
      metrics: () => metrics.text(),
      venueHealth: () => status.venues().filter(({ venue }) => !isSandbox(venue)),
      job: (job, venue) => status.job(job, venue),
      drift: (venue) => status.drift(venue),
    },
    markets,
    structures: { view: structures, served: listed, cursors },
    funding,
    bridge,
    executions,
    conditional,
    feeds: reference?.feeds ?? new Map(),
    openOrders: openOpenOrders({ pool, venues, cursors, clock }),
    venueMetrics: {
      findLatest: (venue) => asUnavailable('PLATFORM_UNAVAILABLE', findLatestMetrics(pool, venue)),
    },
    sports: {
      mirror: fixtures ?? noFixtures,
      quotes: liveQuotes({
        bookOf,
        books: books.reads,
        hold,
      }),
      catalogs: venues.filter(isRead).map(({ manifest }) => manifest.slug),
      clock,
    },
    webhooks: {
      store: createWebhookStore(pool),
      guard: openGuard(config),
      // Dark routes need no key, and leave none behind.
      box: config.webhooks.routes ? openSecretBox(config) : createSecretBox(Buffer.alloc(boxKeyBytes)),
      cursors,
      clock,
      newId: () => randomUUID(),
    },
    traders: createTraders({
      venues: openTraderVenues(venues, config, 'callers'),
      catalog,
      record: createTraderRecord(tapeStore, clock, fillIns),
      cursors,
      clock,
      log,
    }),
    history: {
      tape: { ...tape, ...cacheReplayPages(tape, clock) },
      catalog: outcomes,
      cursors,
      serves: (venue) => manifests.has(venue),
      tapedSince: createTapedSince({ facts, clock, log }),
      coverage,
      files: new FileStore(dayFilesIn(config.dataDir)),
    },
  })
  const total = (name: 'sockets' | 'subscriptions' | 'produced' | 'sent' | 'conflated' | 'dropped') => () => [
    { value: stream.totals()[name] },
  ]
  metrics.gauge('stream_sockets', 'Sockets open now', [], total('sockets'))
  metrics.gauge('stream_subscriptions', 'Subscriptions held now', [], total('subscriptions'))
  metrics.counter(
    'stream_frames_produced',
    'Frames that readers would have got with unlimited buffers',
    [],
    total('produced'),
  )
  metrics.counter('stream_frames_sent', 'Frames sent', [], total('sent'))
  metrics.counter(
    'stream_frames_conflated',
    'Books replaced by a newer one before they were sent',
    [],
    total('conflated'),
  )
  metrics.counter('stream_frames_dropped', 'Frames dropped under backpressure', [], total('dropped'))

  const gateway = listener.serve({
    http: withDashboard(withCors(options.tracing?.handler(http) ?? http, config.cors.origins), {
      files: createDashboardFiles(),
      log,
    }),
    traitsOf: createTraitsOf(routes),
    stream,
    olderStream: config.olderStream.isServed ? olderStream(stream, clock) : undefined,
  })
  return {
    ...gateway,
    async stop() {
      await gateway.stop()
      await lines.stop()
      await orders.stop()
      await reference?.stop()
      optionPrices.stop()
      pending?.stop()
      await fixtures?.stop()
      await fillIns.stop()
      await credits.stop()
      await funding.close()
      await bridge.close()
      await time.stop()
      await lanes.close()
      await surface?.stop?.()
      await structures?.stop()
      await books.stop()
    },
  }
}

function answersOf({ metrics, tracing }: GatewayRoleOptions): Pick<Durations, 'observe'> {
  const about = 'Time until the response was ready; a stream continues afterwards'
  const durations = metrics.durations('http_answer', about, ['operation', 'status'])
  if (tracing === null) return durations
  return {
    observe(operation, status, ms) {
      tracing.named(operation)
      durations.observe(operation, status, ms)
    },
  }
}

/** Sandboxes have no games, nor have unconfigured venues. */
const isRead = ({ manifest: { slug, data }, context }: RunningVenue): boolean =>
  !isSandbox(slug) && (data.missing?.(context) ?? null) === null

/** For dark routes. */
const noFixtures: FixtureMirror = { snapshot: () => null, entries: async () => new Map() }

/**
 * For compute processes that publish the surface over Kafka; null when it is switched off or no process could publish
 * it.
 */
async function surfaceFromBus({ config, stores, clock, log }: GatewayRoleOptions): Promise<SurfaceView | null> {
  const { enabled, intervalMs, contracts } = config.arbitrage
  if (!enabled || stores.busMode !== 'kafka') return null
  const relay = await startSurfaceRelay({ bus: stores.bus, clock, log, intervalMs, contracts, limit: surfaceRowsMax })
  const sizes = await startSizedQueryClient(stores.bus, clock, config.gatewayId)
  const { publication } = relay
  const reads = new CooperativeReads(clock)
  return {
    audience: relay,
    get contracts() {
      return publication.settings.contracts
    },
    rows: () =>
      relay.withheld
        ? null
        : { rows: publication.rows, computedAt: publication.computedAt ?? clock.now(), venuesLeftOut: null },
    run: (read) => reads.read(read),
    async rowsAt(size, query) {
      const rows = relay.withheld ? null : await sizes.fetchRows(size, query)
      return rows === null ? null : { rows, computedAt: clock.now() }
    },
    async stop() {
      reads.stop()
      await Promise.all([relay.stop(), sizes.stop()])
    },
  }
}
