// A fire to be rehearsed: as one of this deployment's own, up to the moment before its relay.
import { type FireRehearsalDeps, rehearseFire } from '#conditional/rehearse'
import {
  createFiredExecutions,
  type ExecutionsDeps,
  type FiredOptions,
  standInExecution,
  standInLane,
  standInVenue,
} from '#executions/index'

/** Null: no lane is armed, and nothing can be fired. */
export function rehearsedFire(
  deps: Omit<FireRehearsalDeps, 'standIn'>,
  executions: ExecutionsDeps,
  fired: FiredOptions,
): (() => Promise<void>) | null {
  const [armed] = executions.lanes.values()
  if (armed === undefined) return null
  const { lane } = armed
  const lanes = new Map([[standInVenue, standInLane(armed)]])
  const rehearsed = createFiredExecutions({ ...executions, lanes, relays: undefined }, fired)
  const standIn: FireRehearsalDeps['standIn'] = (accountId, at) => standInExecution(lane, accountId, at)
  return () => rehearseFire({ ...deps, executions: rehearsed, standIn })
}
