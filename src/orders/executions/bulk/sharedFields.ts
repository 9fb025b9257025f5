// Fields that a submit shares with others at its venue: credentials are given once, and not every execution takes all of them.
import type { FieldsOfVenues } from '#schemas/batch'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { laneFor, lanesOf } from '../findLane.ts'
import type { ExecutionsDeps } from '../ports.ts'

/** Those that the submit of this execution takes, and those that no submit of its lane takes: the lane refuses these. */
export function sharedFields(
  deps: Pick<ExecutionsDeps, 'lanes' | 'paperLanes'>,
  { venue, intent, account_id: accountId }: Pick<ExecutionRow, 'venue' | 'intent' | 'account_id'>,
  shared: FieldsOfVenues,
): Record<string, unknown> {
  const given = (shared as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[venue]
  const lane = lanesOf(deps, accountId).get(venue)?.lane
  if (given === undefined || lane === undefined) return {}
  const taken = laneFor(lane, intent).submit?.fields ?? []
  const ofOthers = [...(lane.submit?.fields ?? []), ...(lane.redeem?.sent?.submit.fields ?? [])]
  return Object.fromEntries(Object.entries(given).filter(([name]) => taken.includes(name) || !ofOthers.includes(name)))
}
