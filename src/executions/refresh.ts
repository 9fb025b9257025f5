// Refresh: the venue's truth folded into an execution. Fills of one in flight are appended with a change of status and only then.
import { compareDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { Move } from '#storage/postgres/executions/moveExecution'
import type { LaneExecution, Observation } from '#venues/lane'
import { CredentialRefusal } from '#venues/shared/exec/readFault'
import { findOwned, noVenueOrder } from './derive.ts'
import { type Fold, fold } from './fold.ts'
import { laneOf, noVerb } from './laneOf.ts'
import { parseBody } from './parseBody.ts'
import type { ArmedLane, Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'
import { sanitizeReason } from './sanitizeReason.ts'
import { moveOf, targetOf } from './submit.ts'
import { isTerminal, nextStatus } from './transitions.ts'

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
  const circuit = deps.breaker.of(venue, credentials)
  if (row.intent !== 'cancel') circuit.check()
  try {
    const refreshed = await readAndFold(deps, caller, armed, row, credentials)
    circuit.accepted()
    return refreshed
  } catch (error) {
    // What we turned down ourselves, and the settings of a key, are not what a venue stops us for.
    if (error instanceof CredentialRefusal && error.code === 'VENUE_CREDENTIAL_REJECTED') circuit.refused()
    throw error
  }
}

/** An order that may be there without anybody having heard of its id is found by the name we gave it. */
export const canBeAsked = (row: ExecutionRow): boolean =>
  row.venue_ref !== null || (row.status === 'submitted' && row.client_ref !== null)

/** Also what the reconciler does, with no credentials. */
export async function readAndFold(
  deps: Pick<ExecutionsDeps, 'clock'> & { store: LookStore },
  caller: Pick<Caller, 'accountId' | 'signal'>,
  armed: ArmedLane,
  row: ExecutionRow,
  credentials: unknown,
): Promise<Refreshed> {
  const { store, clock } = deps
  const execution = laneExecutionOf(row, await targetOf(deps, caller, row))
  const askedAt = new Date(clock.now())
  const read = await armed.lane.refresh!.read(armed.context(caller.signal, caller.accountId), execution, credentials)
  await keepSighting(store, row, execution, read, askedAt)
  const recorded = isTerminal(row.status) || read.withdrawn !== undefined ? await store.listFillsOf(row.id) : []
  const folded = fold(row, read, recorded, clock.now())
  const moved = folded === null ? null : await store.move(moveOfFold(row, read, folded, new Date(clock.now())))
  const fills = await store.listFillsOf(row.id)
  return {
    row: moved ?? (await store.find(caller.accountId, row.id)) ?? row,
    fills: fills.map(({ fill }) => fill),
    observation: read.observation ?? null,
  }
}

type LookStore = Pick<ExecutionsDeps['store'], 'move' | 'find' | 'listFillsOf' | 'recordSighting'>

/** A cancel looks at the order it cancels. Written only where it says something new. */
async function keepSighting(
  store: LookStore,
  row: ExecutionRow,
  { target, missingSince, matchedSize }: LaneExecution,
  read: Observation,
  at: Date,
): Promise<void> {
  const known = row.intent === 'cancel' ? target : { missingSince, matchedSize }
  const id = row.intent === 'cancel' ? row.target_id : row.id
  if (known === null || id === null) return
  const isNew =
    (read.shown === true && known.missingSince !== null) ||
    (read.shown === false && known.missingSince === null) ||
    (read.matchedSize !== undefined && compareDecimals(read.matchedSize, known.matchedSize ?? '0') > 0)
  if (isNew) await store.recordSighting({ id, at, shown: read.shown ?? null, matchedSize: read.matchedSize ?? null })
}

const moveOfFold = (row: ExecutionRow, read: Observation, { event, fills }: Fold, at: Date): Move => ({
  ...moveOf(row, event, at),
  venueRef: read.venueRef ?? undefined,
  error:
    nextStatus(row.status, event) === 'failed' ? sanitizeReason(read.reason) : row.error === null ? undefined : null,
  fills: fills.map(({ key, fill, filledAt }) => ({ key, fill, filledAt: new Date(filledAt) })),
})
