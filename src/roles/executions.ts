// What a role needs to submit, read and settle executions: its lanes, the store, and what is counted of both.
import { randomUUID } from 'node:crypto'
import { CredentialBreaker, type ExecutionsDeps } from '#orders/executions/index'
import { createRiskChecks, type RiskDeps } from '#orders/risk/index'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import type { Pool } from '#storage/postgres/pool'
import { countExecutions } from './executionCounts.ts'
import type { RunningLanes } from './lanes.ts'
import { type Metrics, measureRelays } from './metrics.ts'

export interface ExecutionsOptions extends Pick<ExecutionsDeps, 'cursors' | 'clock' | 'log'> {
  risk: RiskDeps
  lanes: RunningLanes
  /** Absent: paper accounts are refused. */
  paperLanes?: ExecutionsDeps['paperLanes']
  pool: Pool
  metrics: Metrics
}

export const executionsOf = ({
  lanes,
  paperLanes,
  pool,
  metrics,
  risk,
  cursors,
  clock,
  log,
}: ExecutionsOptions): ExecutionsDeps => ({
  breaker: new CredentialBreaker(clock),
  store: countExecutions(createExecutionStore(pool, createNotifier(pool)), metrics),
  knownLanes: lanes.known,
  lanes: lanes.armed,
  paperLanes,
  unarmed: lanes.unarmed,
  statusLanes: lanes.status,
  risk: createRiskChecks(risk),
  cursors,
  relays: measureRelays(metrics),
  clock,
  log,
  newId: () => randomUUID(),
})
