// The warm-up of a fire: a dummy order with one of this deployment's own lanes, up to the moment before its relay.
import { type WarmupDeps, warmUp } from '#orders/conditional/warmup'
import {
  createFiredExecutions,
  type ExecutionsDeps,
  type FiredOptions,
  warmupAdapter,
  warmupExecution,
  warmupVenue,
} from '#orders/executions/index'

/** Null: no lane is armed, and nothing can be fired. */
export function warmupSubmit(
  deps: Omit<WarmupDeps, 'standIn'>,
  executions: ExecutionsDeps,
  fired: FiredOptions,
): (() => Promise<void>) | null {
  const [armed] = executions.lanes.values()
  if (armed === undefined) return null
  const { lane } = armed
  const lanes = new Map([[warmupVenue, warmupAdapter(armed)]])
  const rehearsed = createFiredExecutions({ ...executions, lanes, relays: undefined }, fired)
  const standIn: WarmupDeps['standIn'] = (accountId, at) => warmupExecution(lane, accountId, at)
  return () => warmUp({ ...deps, executions: rehearsed, standIn })
}
