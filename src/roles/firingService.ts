// The firing of the compute role: hosted orders that have triggered, here or elsewhere, are sent from this or another compute process.
import { randomBytes } from 'node:crypto'
import { type Firing, spawnFiring } from '#actors/firing/conditionalSubmitActor'
import { startWarmup } from '#actors/firing/warmup'
import type { Supervisor } from '#actors/system'
import type { LocalClaims } from '#actors/triggers/triggerDispatcher'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import type { ArtifactCipher } from '#orders/conditional/index'
import { createFiredExecutions, type ExecutionsDeps, type FiredOptions } from '#orders/executions/index'
import type { RiskDeps } from '#orders/risk/index'
import { createGeofence } from '#platform/geofence/geofence'
import { createPortfolioReader } from '#portfolio/index'
import type { Pool } from '#storage/postgres/pool'
import { createPortfolioStore } from '#storage/postgres/portfolio/store'
import type { Budgets } from './budgets.ts'
import { conditionalStoreOf } from './conditionalStore.ts'
import { executionsOf } from './executions.ts'
import { openExposure } from './exposure.ts'
import { openLanes } from './lanes.ts'
import type { Metrics } from './metrics.ts'
import { openPaperTrading } from './paper.ts'
import { openPaperLanes } from './paperLanes.ts'
import { noBooks, openRisk } from './risk.ts'
import { warmupSubmit } from './submitWarmup.ts'
import type { RunningVenue } from './venues.ts'

export interface FiringPartOptions {
  actors: Supervisor
  config: Config
  pool: Pool
  venues: readonly RunningVenue[]
  /** Null: only earlier fires are settled. */
  seal: ArtifactCipher | null
  budgets: Budgets
  metrics: Metrics
  clock: Clock
  log: Log
}

export interface FiringService {
  /** Null: nothing that triggers is fired from here. */
  fires: LocalClaims | null
  executions: ExecutionsDeps
  /** What the limits of its executions are compared with. */
  risk: RiskDeps
  fired: FiredOptions
  stop(): Promise<void>
}

export function runFiring(options: FiringPartOptions): FiringService {
  const { actors, config, pool, venues, seal, budgets, metrics, clock, log } = options
  const abort = new AbortController()
  const catalog = createPostgresCatalog(pool, { clock })
  const lanes = openLanes(config, catalog, { clock, log, budgets })
  // There are no pages here.
  const cursors = createCursorCodec(randomBytes(32))
  const portfolio = createPortfolioReader({
    store: createPortfolioStore(pool),
    lanes: new Map(lanes.known.map((lane) => [lane.slug as string, lane])),
    catalog,
    books: noBooks,
    clock,
  })
  const exposure = openExposure({ pool, venues, portfolio, cursors })
  const risk = openRisk({ pool, portfolio, exposure, books: noBooks, clock, log })
  // The gateway checked that the market has a book; the paper exchange rejects an order that arrives when it is not live.
  const trading = openPaperTrading({ config, pool, catalog, venues, availability: async () => 'live', clock })
  const paperLanes = config.paper.enabled ? openPaperLanes({ config, catalog, trading, clock, log }) : undefined
  const executions = executionsOf({ lanes, paperLanes, pool, metrics, risk, cursors, clock, log })
  const fired = { blocks: blocksOf(config), signal: abort.signal }
  const deps = { executions: createFiredExecutions(executions, fired), clock, log, random: Math.random }
  const store = conditionalStoreOf(pool)
  const firing = spawnFiring(actors, { ...deps, store, seal })
  const fire = seal === null ? null : warmupSubmit({ store, seal, clock }, executions, fired)
  const warmup = fire === null ? null : startWarmup({ fire, clock, log })
  const stat = (name: keyof ReturnType<Firing['stats']>) => () => [{ value: firing.stats()[name] }]
  metrics.gauge('firing_working', 'Orders being fired or checked now', [], stat('working'))
  metrics.counter('firing_fired', 'Orders fired here', [], stat('fired'))
  metrics.counter('firing_failed', 'Orders that failed to fire here', [], stat('fire_failed'))
  metrics.counter('firing_postponed', 'Attempts and checks that left an order for later', [], stat('postponed'))
  metrics.counter('firing_rearmed', 'Orders that had triggered and are watched again', [], stat('rearmed'))
  metrics.counter(
    'firing_lost',
    'Turns whose order another process had taken over, or lost to another of its group',
    [],
    stat('lost'),
  )
  metrics.counter('firing_troubled', 'Turns interrupted by the storage', [], stat('troubled'))
  return {
    fires: seal === null ? null : firing,
    executions,
    risk,
    fired,
    async stop() {
      abort.abort()
      await warmup?.stop()
      await firing.stop()
      await lanes.close()
    },
  }
}

/**
 * A known country was recorded by a gateway with a geofence: a process of another role without one does not know which countries it blocks.
 */
export function blocksOf({ geofence, roles }: Pick<Config, 'geofence' | 'roles'>): (country: string) => boolean {
  if (geofence !== undefined) {
    const { blocks } = createGeofence(geofence)
    return blocks
  }
  if (roles.has('gateway')) return () => false
  return () => {
    throw new Fault(
      'HOSTED_FIRE_UNAVAILABLE',
      'this process does not know which countries are blocked: set CROSSBOOK_COUNTRY_HEADER and CROSSBOOK_BLOCKED_COUNTRIES as on the gateways',
    )
  }
}
