// Execution algorithms of this deployment: created and read at the gateway, and worked by the compute role on live books of its own.
import { randomUUID } from 'node:crypto'
import { type AlgorithmJob, startAlgorithmJob } from '#actors/algorithms/algorithmJob'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { BookOf } from '#history/recordedOutcomeId'
import type { MarketHistory } from '#history/tape'
import {
  type AlgorithmBooks,
  type AlgorithmDeps,
  type AlgorithmRouteDeps,
  createVwapReader,
  runStep,
} from '#orders/algorithms/index'
import type { ConditionalDeps } from '#orders/conditional/index'
import { createAlgorithmOrders, type ExecutionsDeps } from '#orders/executions/index'
import { createRiskChecks } from '#orders/risk/index'
import { createPositionBooks } from '#portfolio/index'
import type { PositionBooks } from '#portfolio/ports'
import { createAlgorithmStore } from '#storage/postgres/algorithms/store'
import type { DatabaseClock } from '#storage/postgres/databaseClock'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import type { Pool } from '#storage/postgres/pool'
import { DemandKeeper } from '#stream/demand'
import type { FiringService } from './firingService.ts'
import { startBookDemand } from './liveBooks.ts'
import type { Metrics } from './metrics.ts'
import type { Stores } from './stores.ts'
import { startVenueStatus } from './venueStatus.ts'
import type { RunningVenue } from './venues.ts'

interface AlgorithmsOptions {
  pool: Pool
  executions: ExecutionsDeps
  books: PositionBooks
  seal: ConditionalDeps['seal']
  clock: Clock
  log: Log
}

const depsOf = ({ pool, executions, books, seal, clock, log }: AlgorithmsOptions): AlgorithmDeps => ({
  store: createAlgorithmStore(pool, createNotifier(pool)),
  orders: createAlgorithmOrders(executions),
  books: booksOf(books),
  seal,
  clock,
  newId: () => randomUUID(),
  log,
})

const booksOf = (books: PositionBooks): AlgorithmBooks => ({
  read: async (instrument) => (await books.read([instrument]))[0]!,
})

export const openAlgorithms = (
  options: AlgorithmsOptions & { tape: MarketHistory | null },
): AlgorithmRouteDeps['algorithms'] => ({ ...depsOf(options), readVwap: createVwapReader(options.tape) })

/** Longer than an algorithm waits between two steps, unless nothing but time changes its state. */
const bookHoldMs = 30_000

export interface AlgorithmsPartOptions {
  config: Config
  bus: Stores['bus']
  pool: Pool
  venues: readonly RunningVenue[]
  firing: Pick<FiringService, 'executions' | 'fired' | 'risk'>
  seal: ConditionalDeps['seal']
  metrics: Metrics
  clock: DatabaseClock
  log: Log
}

export async function runAlgorithms(options: AlgorithmsPartOptions): Promise<{ stop(): Promise<void> }> {
  const { config, bus, pool, venues, firing, seal, metrics, clock, log } = options
  const manifests = new Map(venues.map(({ manifest }) => [manifest.slug as string, manifest]))
  const bookOf: BookOf = (venue, outcomeId, marketId) => manifests.get(venue)?.data.bookRef(outcomeId, marketId) ?? null
  const status = await startVenueStatus(
    bus,
    venues.map(({ manifest }) => manifest.slug),
    clock,
  )
  const live = await startBookDemand(bus, status, clock)
  // Unique per run: a process that restarts under the same name must not end its predecessor's demand.
  const gatewayId = `algorithms-${config.gatewayId}.${Math.random().toString(36).slice(2, 8)}`
  const demand = new DemandKeeper({ bus: live.streamBus, clock, gatewayId })
  const hold = (venue: string, bookId: string): void => void demand.hold(venue, bookId, bookHoldMs)
  const books = createPositionBooks({ bookOf, books: live.reads, hold, clock })
  // Unlike what is fired on a trigger, slices are compared with live books.
  const executions = { ...firing.executions, risk: createRiskChecks({ ...firing.risk, books }) }
  const deps = depsOf({ pool, executions, books, seal, clock, log })
  const job = startAlgorithmJob({ store: deps.store, step: (row) => runStep(deps, row, firing.fired), clock, log })
  measureJob(metrics, job)
  return {
    async stop() {
      await job.stop()
      demand.stop()
      await live.stop()
      await status.stop()
    },
  }
}

function measureJob(metrics: Metrics, job: AlgorithmJob): void {
  const stat = (name: keyof ReturnType<AlgorithmJob['stats']>) => () => [{ value: job.stats()[name] }]
  metrics.counter('algorithm_steps', 'Steps of execution algorithms taken here', [], stat('stepped'))
  metrics.counter('algorithm_ended', 'Execution algorithms that ended here', [], stat('ended'))
  metrics.counter('algorithm_lost', 'Steps that another process had taken over', [], stat('lost'))
  metrics.counter('algorithm_failed', 'Steps that could not be recorded, and are repeated', [], stat('failed'))
}
