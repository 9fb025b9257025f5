// The gateway role: HTTP and the stream on one port, in front of the catalog, the live books and the tape.
import { startCancelAfterJob } from '#actors/orders/cancelAfterJob'
import { startOrderFeed } from '#actors/orders/orderChangePublisher'
import { startPortfolioPublisher } from '#actors/portfolio/portfolioPublisher'
import { arbitrageChannel } from '#arbitrage/channel'
import { structuresChannel } from '#arbitrage/structures/view'
import { createCursorCodec } from '#core/cursor'
import { retryAtStartup } from '#core/retryAtStartup'
import type { BookOf } from '#history/recordedOutcomeId'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { feedTickerChannel } from '#marketData/feeds/index'
import { createPostgresMatchReview } from '#matching/decide/review/index'
import { buildCancels } from '#orders/executions/index'
import { startRiskDays } from '#orders/risk/index'
import { ordersChannel } from '#orders/stream/channel'
import { createPostgresKeyVerifier } from '#platform/auth/postgresVerifier'
import type { Principal } from '#platform/auth/principal'
import { createGeofence } from '#platform/geofence/geofence'
import { plansWith } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { createPositionBooks } from '#portfolio/index'
import { portfolioChannel } from '#portfolio/stream/channel'
import { isSandbox } from '#schemas/venues'
import { createDashboardFiles } from '#server/dashboard/files'
import { withDashboard } from '#server/dashboard/serve'
import type { Gateway } from '#server/gateway/gateway'
import { withCors } from '#server/http/cors'
import { createHttpHandler, historyFloorOf } from '#server/http/pipeline'
import { createTraitsOf } from '#server/http/routeFlags'
import { asUnavailable, postgresAtStartup } from '#storage/postgres/pool'
import { loadCursorSecret } from '#storage/postgres/settings'
import { findLatestMetrics } from '#storage/postgres/venueMetrics/findLatestMetrics'
import { olderStream } from '#stream/pmxt/server'
import type { StreamChannels } from '#stream/ports'
import { startStream } from '#stream/server'
import { openAlgorithms } from './algorithms.ts'
import { createBookAvailability } from './bookAvailability.ts'
import { openBridge } from './bridge.ts'
import { conditionalCancel, openBrackets, openConditional } from './conditionalStore.ts'
import { openCredits } from './credits.ts'
import { executionsOf } from './executions.ts'
import { openExposure } from './exposure.ts'
import { openFeeds } from './feeds.ts'
import { openFunding } from './funding.ts'
import { enabledFeatures } from './gateway/enabledFeatures.ts'
import { measureStream } from './gateway/measureStream.ts'
import { openHistory } from './gateway/openHistory.ts'
import { openMarkets } from './gateway/openMarkets.ts'
import { openSports } from './gateway/openSports.ts'
import { openStructures, openSurface } from './gateway/openSurface.ts'
import { measureResponses, openSystem } from './gateway/openSystem.ts'
import { openTraders } from './gateway/openTraders.ts'
import { openWebhooks } from './gateway/openWebhooks.ts'
import type { GatewayRoleOptions } from './gateway/options.ts'
import { openLanes } from './lanes.ts'
import { startBookDemand } from './liveBooks.ts'
import { openOpenOrders } from './openOrders.ts'
import { openOptionPrices } from './optionPrices.ts'
import { openPaperRoutes, openPaperTrading } from './paper.ts'
import { openPaperLanes } from './paperLanes.ts'
import { openPendingTrades } from './pendingTrades.ts'
import { openPortfolio } from './portfolio.ts'
import { openReconciliation } from './reconciliation.ts'
import { openRisk } from './risk.ts'
import { openRouter } from './router.ts'
import { routes } from './routes.ts'
import { createStreamCatalog } from './streamCatalog.ts'
import { startDatabaseTime } from './syncDatabaseClock.ts'
import type { RunningVenue } from './venues.ts'

/** A market that was read over HTTP is kept live for the next read. */
const readHoldMs = 30_000

export async function runGateway(options: GatewayRoleOptions): Promise<Gateway> {
  const { config, listener, stores, venues, budgets, status, metrics, clock, log } = options
  const { pool, tape: tapeStore, bus } = stores
  const plans = plansWith(config.plans)
  const catalog = createPostgresCatalog(pool, { clock })
  const manifests = new Map<string, RunningVenue['manifest']>(venues.map(({ manifest }) => [manifest.slug, manifest]))
  const serves = (venue: string): boolean => manifests.has(venue)
  const listed = [...manifests.keys()].filter((slug) => !isSandbox(slug))
  const bookOf: BookOf = (venue, outcomeId, marketId) => manifests.get(venue)?.data.bookRef(outcomeId, marketId) ?? null
  const cursorSecret = await retryAtStartup(postgresAtStartup, () => loadCursorSecret(pool), { clock, log })
  const cursors = createCursorCodec(cursorSecret)
  const verifier = createPostgresKeyVerifier(pool, { clock, log })
  const credits = openCredits({ pool, plans, metrics, clock, log })
  const books = await startBookDemand(bus, status, clock)

  const history = openHistory({ config, tapeStore, catalog, bookOf, cursors, serves, clock, log })
  const surface = options.surface ?? (await openSurface(options))
  const structures = await openStructures(options)
  const orders = startOrderFeed({ pool, clock, log })
  const reference = config.feeds.enabled ? openFeeds(config, { clock, log }) : null
  reference?.measure(metrics)
  const optionPrices = openOptionPrices({ venues, catalog, clock, log })
  optionPrices.measure(metrics)
  const pending = openPendingTrades(config, venues, { clock, log })
  pending?.measure(metrics)
  const streamed = createStreamCatalog(venues, catalog, clock, (slug) => {
    const health = status.venues().find(({ venue }) => venue === slug)
    return health?.tradesLatencyMs ?? null
  })
  const lanes = openLanes(config, catalog, { clock, log, budgets, currentMarket: (slug) => marketReader(venues, slug) })
  const portfolio = openPortfolio({
    pool,
    catalog,
    lanes: lanes.known,
    bookOf,
    books: books.reads,
    hold: (venue, bookId) => hold(venue, bookId),
    cursors,
    clock,
  })
  const portfolios = startPortfolioPublisher({ pool, reader: portfolio.reader, clock, log })
  const seesArbitrage = ({ plan }: Principal): boolean => plans[plan].features.arbitrage
  const channels: StreamChannels = {
    orders: ordersChannel(orders),
    portfolio: portfolioChannel(portfolios),
    ...(config.history.enabled && {
      replay: history.channel({
        async meant(venue, marketId) {
          const found = await streamed.resolve(venue, marketId, 'orderbook')
          return typeof found === 'object' && 'instead' in found ? found.instead : null
        },
        entitled: ({ plan }) => plans[plan].features.replay,
        floorOf: (principal) => historyFloorOf(plans, principal, clock.now()),
        credits: credits.meter,
      }),
    }),
    price: optionPrices.channel,
    ...(reference !== null && { feedTicker: feedTickerChannel(reference.feeds, clock) }),
    ...(surface !== null && { arbitrage: arbitrageChannel(surface.audience, seesArbitrage, listed) }),
    ...(structures !== null && { structures: structuresChannel(structures, seesArbitrage, listed) }),
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
  measureStream(metrics, stream)
  const hold = (venue: string, bookId: string): void => void stream.hold(venue, bookId, readHoldMs)
  const { tape, facts } = history
  const markets = openMarkets({ ...options, catalog, tape, facts, cursors, books, surface, hold })
  const funding = openFunding(config, budgets)
  const bridge = openBridge({ config, pool, venues, clock })
  const positionBooks = createPositionBooks({ bookOf, books: books.reads, hold, clock })
  const exposure = openExposure({ pool, venues, portfolio: portfolio.reader, cursors })
  const risk = openRisk({ pool, portfolio: portfolio.reader, exposure, books: positionBooks, clock, log })
  const riskDays = startRiskDays(risk)
  const availability = createBookAvailability({ catalog, bookOf, books: books.reads, hold, clock })
  const paper = openPaperTrading({ config, pool, catalog, venues, availability, clock })
  const paperLanes = config.paper.enabled ? openPaperLanes({ config, catalog, trading: paper, clock, log }) : undefined
  const executions = executionsOf({ lanes, paperLanes, pool, metrics, risk, cursors, clock, log })
  const cancelAfter = startCancelAfterJob({
    store: executions.store,
    build: (row, ending) => buildCancels(executions, row, ending),
    clock,
    log,
  })
  const time = await startDatabaseTime({ pool, clock, log })
  const conditional = openConditional({ config, pool, executions, books: { availability }, clock: time.clock })
  const sports = openSports({ ...options, bookOf, books: books.reads, hold })
  const traders = openTraders({ ...options, catalog, cursors })
  const served = enabledFeatures(options, channels, listed.find((slug) => pending?.trades.watches(slug)) ?? null)
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
    answers: measureResponses(options),
    system: openSystem(options),
    markets,
    structures: { view: structures, served: listed, cursors },
    matchReview: { ...createPostgresMatchReview(pool), cursors },
    portfolio,
    reconciliation: openReconciliation({
      pool,
      lanes,
      breaker: executions.breaker,
      portfolio: portfolio.reader,
      catalog,
      clock,
      log,
    }),
    exposure,
    funding,
    bridge,
    executions,
    risk,
    paper: openPaperRoutes(paper, cursors),
    conditional,
    cancelConditional: conditionalCancel(conditional),
    brackets: openBrackets(pool, executions, conditional),
    algorithms: openAlgorithms({
      ...{ pool, executions, tape, log },
      books: positionBooks,
      seal: conditional.seal,
      clock: time.clock,
    }),
    router: openRouter({ pool, venues, structures, exposure, executions, books, hold, cursors, clock }),
    feeds: reference?.feeds ?? new Map(),
    openOrders: openOpenOrders({ pool, venues, cursors, clock }),
    venueMetrics: { findLatest: (venue) => asUnavailable('PLATFORM_UNAVAILABLE', findLatestMetrics(pool, venue)) },
    sports: sports.routes,
    webhooks: openWebhooks({ ...options, cursors }),
    traders: traders.routes,
    history: history.routes,
  })
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
      await history.stop()
      await orders.stop()
      await portfolios.stop()
      await riskDays.stop()
      await cancelAfter.stop()
      await reference?.stop()
      optionPrices.stop()
      pending?.stop()
      await sports.stop()
      await traders.stop()
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

/** Reads a market of this venue as it is now; undefined for a venue that does not run here. */
function marketReader(venues: readonly RunningVenue[], slug: string) {
  const running = venues.find(({ manifest }) => manifest.slug === slug)
  if (running === undefined) return undefined
  const { manifest, context } = running
  return async (marketId: string) => (await manifest.data.fetchMarket(context, marketId))?.market ?? null
}
