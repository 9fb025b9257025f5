// Refresh: the venue's truth folded into an execution in flight. Fills are appended with a change of status and only then.
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { findOwned, noVenueOrder } from './derive.ts'
import { laneOf, noVerb } from './laneOf.ts'
import { parseBody } from './parseBody.ts'
import type { ArmedLane, Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'
import { sanitizeReason } from './sanitizeReason.ts'
import { moveOf, targetOf } from './submit.ts'
import { isTerminal, nextStatus, seen } from './transitions.ts'

export interface Refreshed {
  row: ExecutionRow
  fills: JsonObject[]
  observation: JsonObject | null
}

export async function refreshExecution(
  deps: ExecutionsDeps,
  caller: Caller,
  { venue, executionId, body }: { venue: string; executionId: string; body: unknown },
): Promise<Refreshed> {
  const armed = laneOf(deps, venue)
  const row = await findOwned(deps, caller, venue, executionId)
  if (armed.lane.refresh === undefined) throw noVerb(venue, 'status read')
  if (!canBeAsked(row)) throw noVenueOrder()
  const credentials = parseBody(armed.lane.refresh.body, body ?? {})
  deps.breaker.check(caller.accountId, venue)
  try {
    const refreshed = await readAndFold(deps, caller, armed, row, credentials)
    deps.breaker.accepted(caller.accountId, venue)
    return refreshed
  } catch (error) {
    if (error instanceof Fault && error.code === 'VENUE_CREDENTIAL_REJECTED')
      deps.breaker.refused(caller.accountId, venue)
    throw error
  }
}

/** An order that may be there without anybody having heard of its id is found by the name we gave it. */
export const canBeAsked = (row: ExecutionRow): boolean =>
  row.venue_ref !== null || (row.status === 'submitted' && row.client_ref !== null)

/** Also what the reconciler does, with no credentials. */
export async function readAndFold(
  deps: Pick<ExecutionsDeps, 'clock'> & { store: Pick<ExecutionsDeps['store'], 'move' | 'find' | 'listFillsOf'> },
  caller: Pick<Caller, 'accountId' | 'signal'>,
  armed: ArmedLane,
  row: ExecutionRow,
  credentials: unknown,
): Promise<Refreshed> {
  const { store, clock } = deps
  const execution = laneExecutionOf(row, await targetOf(deps, caller, row))
  const read = await armed.lane.refresh!.read(armed.context(caller.signal), execution, credentials)
  const event = read.status === null ? null : seen(read.status)
  const moved =
    event === null || isTerminal(row.status) || nextStatus(row.status, event) === null
      ? null
      : await store.move({
          ...moveOf(row, event, new Date(clock.now())),
          venueRef: read.venueRef ?? undefined,
          error: event === 'seenFailed' ? sanitizeReason(read.reason) : undefined,
          fills: read.fills.map(({ key, fill, filledAt }) => ({ key, fill, filledAt: new Date(filledAt) })),
        })
  const fills = await store.listFillsOf(row.id)
  return {
    row: moved ?? (await store.find(caller.accountId, row.id)) ?? row,
    fills: fills.map(({ fill }) => fill),
    observation: read.observation ?? null,
  }
}
