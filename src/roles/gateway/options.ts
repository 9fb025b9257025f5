// What the gateway role is given.
import type { SurfaceView } from '#arbitrage/surfaceView'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Listener } from '#server/gateway/gateway'
import type { SystemPort } from '#server/http/routes/ports'
import type { TapeStore } from '#storage/clickhouse/client'
import type { Pool } from '#storage/postgres/pool'
import type { Budgets } from '../budgets.ts'
import type { Metrics } from '../metrics.ts'
import type { Stores } from '../stores.ts'
import type { Tracing } from '../tracing.ts'
import type { StatusBoard } from '../venueStatus.ts'
import type { RunningVenue } from '../venues.ts'

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
