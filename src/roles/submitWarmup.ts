// The warm-up of a fire: a dummy order with one of this deployment's own lanes, up to the moment before its relay.
import { type WarmupDeps, warmUp } from '#orders/conditional/warmup'
import {
  type ExecutionsDeps,
  type FiredOptions,
  prepareAttempt,
  warmupAdapter,
  warmupExecution,
  warmupVenue,
} from '#orders/executions/index'

/** Null: no lane is armed, and nothing can be fired. */
export function warmupSubmit(
  deps: Pick<WarmupDeps, 'store' | 'seal' | 'clock'>,
  executions: ExecutionsDeps,
  fired: FiredOptions,
): (() => Promise<void>) | null {
  const [armed] = executions.lanes.values()
  if (armed === undefined) return null
  const dummyDeps = { ...executions, lanes: new Map([[warmupVenue, warmupAdapter(armed)]]) }
  const prepare: WarmupDeps['prepare'] = async (attempt) => (await prepareAttempt(dummyDeps, fired, attempt)).claim
  const dummyExecution: WarmupDeps['dummyExecution'] = (accountId, at) => warmupExecution(armed.lane, accountId, at)
  return () => warmUp({ ...deps, prepare, dummyExecution })
}
