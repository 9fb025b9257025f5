// The triggers of the compute role: every compute process watches every armed order; the first statement in the database wins.
import type { Supervisor } from '#actors/system'
import type { FollowOptions } from '#actors/triggers/armedOrderReader'
import type { LocalClaims } from '#actors/triggers/triggerDispatcher'
import { spawnTriggers } from '#actors/triggers/triggersActor'
import type { Config } from '#config'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Market } from '#schemas/market'
import { hasSyntheticBooks } from '#schemas/venues'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import { listen } from '#storage/postgres/orderChanges/listen'
import { orderChangesChannel } from '#storage/postgres/orderChanges/notify'
import type { Pool } from '#storage/postgres/pool'
import { triggerEngine } from '#workers/triggerEngine'
import { conditionalStoreOf } from './conditionalStore.ts'
import type { Metrics } from './metrics.ts'
import { watchSilence } from './silence.ts'
import type { Stores } from './stores.ts'
import { startVenueStatus } from './venueStatus.ts'
import type { RunningVenue } from './venues.ts'

/** Maximum books that armed orders wait on, 1 KB each; orders on others stay armed until there is room. */
const booksMax = 16_384

export interface TriggersPartOptions {
  actors: Supervisor
  config: Config
  bus: Stores['bus']
  pool: Pool
  venues: readonly RunningVenue[]
  metrics: Metrics
  fires: LocalClaims | null
  clock: Clock
  log: Log
}

export async function runTriggers(options: TriggersPartOptions): Promise<{ stop(): Promise<void> }> {
  const { actors, config, bus, pool, venues, metrics, fires, clock, log } = options
  const status = await startVenueStatus(
    bus,
    venues.map(({ manifest }) => manifest.slug),
    clock,
  )
  const arena = createArena(booksMax)
  const feed = new BookFeed(arena, (slot) => triggers.touch(slot), clock)
  const triggers = await spawnTriggers(actors, {
    bus,
    store: conditionalStoreOf(pool),
    sourcesOf: sourcesIn(pool, venues),
    feed,
    createEngine: triggerEngine({ arena, slots: booksMax, clock }),
    owners: status.owners,
    // Unique per run: a process that restarts under the same name must not end its predecessor's demand.
    demandId: `triggers-${config.gatewayId}.${Math.random().toString(36).slice(2, 8)}`,
    fires,
    clock,
    log,
  })
  const listener = listen({ pool, channel: orderChangesChannel, clock, log, onWake: () => triggers.ordersChanged() })
  const watchdog = watchSilence(status, triggers, clock)
  const stat = (name: keyof ReturnType<typeof triggers.stats>) => () => [{ value: triggers.stats()[name] }]
  metrics.gauge('triggers_watched', 'Armed orders whose book is watched here', [], stat('watched'))
  metrics.gauge('triggers_unwatched', 'Armed orders whose book cannot be watched now', [], stat('unwatched'))
  metrics.gauge(
    'triggers_stopped',
    'Armed orders that do not trigger now, such as those of a halt',
    [],
    stat('stopped'),
  )
  metrics.gauge('triggers_held', 'Armed orders that the worker checks against their books', [], stat('held'))
  metrics.gauge('triggers_waiting', 'Decisions that are not in the database yet', [], stat('waiting'))
  metrics.counter('triggers_triggered', 'Orders triggered here', [], stat('triggered'))
  metrics.counter(
    'triggers_refused',
    'Decisions that were too late: canceled, expired or triggered elsewhere',
    [],
    stat('refused'),
  )
  return {
    async stop() {
      watchdog.cancel()
      await listener.stop()
      await triggers.stop()
      await status.stop()
    },
  }
}

/** By the venues' own mapping of their outcomes; excluding books derived from a pool, odds or a spot price. */
export function sourcesIn(pool: Pool, venues: readonly RunningVenue[]): FollowOptions['sourcesOf'] {
  const served = new Map(venues.map(({ manifest }) => [manifest.slug as string, manifest]))
  return async (orders) => {
    const requested = new Map(
      orders.map(({ venue, market_id }) => [`${venue} ${market_id}`, { venue, marketId: market_id }]),
    )
    const rows = await findMarketsByIds<Market>(pool, [...requested.values()])
    const markets = new Map(rows.map(({ venue, id, doc }) => [`${venue} ${id}`, doc]))
    return orders.map(({ venue, market_id, outcome_id }) => {
      const ref = served.get(venue)?.data.bookRef(outcome_id, market_id) ?? null
      const isMadeUp =
        hasSyntheticBooks(venue) || markets.get(`${venue} ${market_id}`)?.sourceMetadata.synthetic === true
      return isMadeUp ? null : ref
    })
  }
}
