// The paper exchange of the compute role: fed with the live books and trades that working paper orders wait for. One process of the deployment
// matches; the others are ready to take its place.
import { startPaperExchange } from '#actors/paper/paperExchangeActor'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import { fillModelDefaults } from '#schemas/paper'
import { listen } from '#storage/postgres/orderChanges/listen'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import { paperChannel } from '#storage/postgres/paper/notify'
import { createPaperExchangeStore } from '#storage/postgres/paper/store'
import type { Pool } from '#storage/postgres/pool'
import { DemandKeeper } from '#stream/demand'
import { lanes } from '#venues/registry'
import { startBookDemand } from './liveBooks.ts'
import type { Metrics } from './metrics.ts'
import { paperRules } from './paperRules.ts'
import type { Stores } from './stores.ts'
import { startVenueStatus } from './venueStatus.ts'
import type { RunningVenue } from './venues.ts'

const seed = 'paper'

export interface PaperServiceOptions {
  config: Config
  bus: Stores['bus']
  pool: Pool
  catalog: Pick<Catalog, 'findMarketsByIds'>
  venues: readonly RunningVenue[]
  metrics: Metrics
  clock: Clock
  log: Log
}

export async function runPaper(options: PaperServiceOptions): Promise<{ stop(): Promise<void> }> {
  const { config, bus, pool, catalog, venues, metrics, clock, log } = options
  const manifests = new Map(venues.map(({ manifest }) => [manifest.slug as string, manifest]))
  const redeemed = new Set(
    Object.values(lanes).flatMap(({ slug, redeem }) => (redeem === undefined ? [] : [slug as string])),
  )
  // Unique per run: a process that restarts under the same name must not end its predecessor's demand.
  const holder = `paper-${config.gatewayId}.${Math.random().toString(36).slice(2, 8)}`
  const status = await startVenueStatus(bus, [...manifests.keys()], clock)
  const books = await startBookDemand(bus, status, clock)
  const demand = new DemandKeeper({ bus: books.streamBus, clock, gatewayId: holder })
  const exchange = startPaperExchange({
    holder,
    store: createPaperExchangeStore(pool, paperRules, createNotifier(pool)),
    settings: { ...fillModelDefaults, latencyMedianMs: config.paper.latencyMedianMs, seed },
    bookAt: books.get,
    isComplement: (venue, outcomeId, marketId) =>
      manifests.get(venue)?.data.bookRef(outcomeId, marketId)?.complement ?? null,
    watch: (venue, bookId, isWanted) => (isWanted ? demand.add(venue, bookId) : demand.remove(venue, bookId)),
    findMarkets: (wanted) => catalog.findMarketsByIds(wanted),
    paysItself: (venue) => !redeemed.has(venue),
    clock,
    log,
  })
  const unsubscribe = [
    await books.streamBus.subscribe('books', (update) => exchange.onBook(update)),
    await books.streamBus.subscribe('trades', (update) => exchange.onTrade(update)),
  ]
  const listener = listen({ pool, channel: paperChannel, clock, log, onWake: () => exchange.ordersChanged() })
  const stat = (name: 'working' | 'waiting' | 'fills' | 'restarts' | 'held' | 'refused') => () => [
    { value: exchange.stats()[name] },
  ]
  metrics.gauge('paper_orders_working', 'Working paper orders matched here', [], stat('working'))
  metrics.gauge('paper_events_waiting', 'Events of paper orders that are not in the database yet', [], stat('waiting'))
  metrics.gauge('paper_orders_held', 'Paper orders of which the events could not be stored', [], stat('held'))
  metrics.counter('paper_fills', 'Paper fills recorded here', [], stat('fills'))
  metrics.counter('paper_restarts', 'Times the paper exchange started again from what is stored', [], stat('restarts'))
  metrics.counter(
    'paper_events_refused',
    'Times the events of one paper order could not be stored',
    [],
    stat('refused'),
  )
  return {
    async stop() {
      await listener.stop()
      for (const stop of unsubscribe) await stop()
      await exchange.stop()
      demand.stop()
      await books.stop()
      await status.stop()
    },
  }
}
