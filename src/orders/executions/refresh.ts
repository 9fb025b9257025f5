// Refresh: folds the venue's status into an execution. Fills of an in-flight execution are appended only together with a status
// change, or once it no longer rests.
import { lowerBoundNow, upperBoundNow } from '#core/clock'
import { compareDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { Move } from '#storage/postgres/executions/moveExecution'
import type { LaneExecution, Observation } from '#venues/lane'
import { ownOrderObservation } from '#venues/shared/exec/checkOrderId'
import { CredentialRefusal } from '#venues/shared/exec/mapReadError'
import { closedWithoutReport, type StatusUpdate, updateFor } from './applyUpdate.ts'
import { inferredObservation, unobservableReason } from './lookupAccount.ts'
import { resolveNotFound } from './notFoundPolicy.ts'
import type { Caller, ConditionalPreview, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'
import { sanitizeReason } from './sanitizeReason.ts'
import { endsWithoutReport, isTerminal, moveOf, nextStatus } from './transitions.ts'

export interface Refreshed {
  row: ExecutionRow
  fills: JsonObject[]
  observation: JsonObject | null
}

/** With the caller's credentials: those that the venue rejects are counted. */
export async function withCredentials<T>(
  { breaker }: Pick<ExecutionsDeps, 'breaker'>,
  { venue, intent }: Pick<ExecutionRow, 'venue' | 'intent'>,
  credentials: unknown,
  ask: () => Promise<T>,
): Promise<T> {
  const circuit = breaker.of(venue, credentials)
  if (intent !== 'cancel') circuit.check()
  try {
    const answer = await ask()
    circuit.accepted()
    return answer
  } catch (error) {
    // Our own refusals and key settings are not what a venue would block us for.
    if (error instanceof CredentialRefusal && error.code === 'VENUE_CREDENTIAL_REJECTED') circuit.refused()
    throw error
  }
}

/** An order that may exist although its id is unknown is found by the client id we gave it. */
export const isQueryable = (row: ExecutionRow): boolean =>
  row.venue_ref !== null || (row.client_ref !== null && (row.status === 'submitted' || closedWithoutReport(row)))

/** Reads one venue order and folds it into its row. `status`: maps the status that was read. */
export async function readAndFold(
  deps: Pick<ExecutionsDeps, 'clock'> & { store: QueryStore },
  caller: Pick<Caller, 'accountId' | 'signal'>,
  armed: ConditionalPreview,
  row: ExecutionRow,
  credentials: unknown,
  status: (read: Observation) => Promise<Observation['status']> = async (read) => read.status,
): Promise<Refreshed> {
  const { store, clock } = deps
  const { read: shown, execution, queriedAtMs } = await queryVenue(deps, caller, armed, row, credentials)
  const read = { ...shown, status: await status(shown) }
  const absence = resolveNotFound(armed.lane, row, execution, read, queriedAtMs)
  const needsRecorded = isTerminal(row.status) || read.withdrawn !== undefined || read.rests === false
  const recorded = needsRecorded ? await store.listFillsOf(row.id) : []
  const statusUpdate = updateFor(row, read, recorded, lowerBoundNow(clock))
  const at = new Date(clock.now())
  const move =
    absence !== null && 'undone' in absence
      ? { ...moveOf(row, 'provedUndone', at), ...absence.undone }
      : statusUpdate === null
        ? null
        : moveOfUpdate(row, read, statusUpdate, at)
  const moved = move === null ? null : await store.move(move)
  const fills = await store.listFillsOf(row.id)
  const unresolved = absence !== null && 'unresolved' in absence ? absence.unresolved : {}
  const current = moved ?? (await store.find(caller.accountId, row.id)) ?? row
  const isAnothers = move?.venueRef != null && moved === null && current.venue_ref !== move.venueRef
  const seen = read.observation === undefined && absence === null ? null : { ...read.observation, ...unresolved }
  const observation = withAnswer(current, withReason(read, seen))
  return {
    row: current,
    fills: fills.map(({ fill }) => fill),
    // Another execution claimed it between the read and the move.
    observation: isAnothers
      ? { reason: 'the order that was found belongs to another execution: try again' }
      : observation,
  }
}

/** An end that was not applied gives its reason: the fills that belong to it are not all known. */
const withReason = (read: Observation, seen: JsonObject | null): JsonObject | null =>
  read.status === null && read.shown === true && seen?.fillsReconciled === false && seen.reason === undefined
    ? { ...seen, reason: 'the venue has ended the order, and its fills are not all there yet' }
    : seen

/** The venue's answer to the submit, while that is all that is known of its outcome. */
function withAnswer({ unknown_outcome: known }: ExecutionRow, seen: JsonObject | null): JsonObject | null {
  if (known === null) return seen
  const { reason } = seen ?? {}
  return {
    ...seen,
    reason: typeof reason === 'string' ? `${reason}; to the submit ${known}` : `outcome unknown: ${known}`,
  }
}

/** Reads from the venue, and records the result. `isBlind`: absence in it proves nothing. */
export async function queryVenue(
  deps: Pick<ExecutionsDeps, 'clock'> & { store: QueryStore },
  caller: Pick<Caller, 'accountId' | 'signal'>,
  armed: ConditionalPreview,
  row: ExecutionRow,
  credentials: unknown,
): Promise<{ read: Observation; execution: LaneExecution; queriedAtMs: number; isBlind: boolean }> {
  const target = row.target_id === null ? null : await deps.store.find(caller.accountId, row.target_id)
  const execution = laneExecutionOf(row, target === null ? null : laneExecutionOf(target, null))
  // A cancel looks up the order that it cancels.
  const why = await unobservableReason(
    deps.store,
    armed.lane,
    (row.intent === 'cancel' ? target : null) ?? row,
    credentials,
  )
  const [queriedAtMs, sightedAt] = [lowerBoundNow(deps.clock), new Date(upperBoundNow(deps.clock))]
  const context = armed.context(caller.signal, caller.accountId)
  let byLikeness = false
  const search = async (refs: readonly string[], apartMs: number) => {
    byLikeness = true
    const { sentAt, claimed, alike } = await deps.store.findRivals({ id: row.id, refs, apartMs, unreportedEvents })
    return { sentAt: sentAt?.getTime() ?? execution.statusSince, claimed: new Set(claimed), alike }
  }
  const recorded = async () => (await deps.store.listFillsOf(row.id)).map(({ fill }) => fill)
  const canceledAt = async () => (await deps.store.findCanceledAt(row.id))?.getTime() ?? null
  const answer = await armed.lane.refresh!.read(context, execution, credentials, search, recorded, canceledAt)
  const ours = ownOrderObservation(answer, row.venue_ref)
  const read = why === null ? ours : inferredObservation(ours, why, { byLikeness })
  await keepSighting(deps.store, row, execution, read, sightedAt)
  return { read, execution, queriedAtMs, isBlind: why !== null }
}

const unreportedEvents = [...endsWithoutReport]

export type QueryStore = Pick<
  ExecutionsDeps['store'],
  'findRivals' | 'findCanceledAt' | 'markAccount' | 'move' | 'find' | 'listFillsOf' | 'recordSighting'
>

/**
 * A cancel looks up the order it cancels. Written only when there is something new. A filled size of zero is stored only for an order that has
 * ended: while it is open, more may be filled without another report.
 */
async function keepSighting(
  store: QueryStore,
  row: ExecutionRow,
  { target, missingSince, matchedSize }: LaneExecution,
  read: Observation,
  at: Date,
): Promise<void> {
  const known = row.intent === 'cancel' ? target : { missingSince, matchedSize }
  const id = row.intent === 'cancel' ? row.target_id : row.id
  if (known === null || id === null) return
  const hasEnded = row.intent !== 'cancel' && (read.status === 'canceled' || read.status === 'expired')
  const isKnown = read.matchedSize !== undefined && (hasEnded || compareDecimals(read.matchedSize, '0') > 0)
  const filled = isKnown ? read.matchedSize! : null
  const isNew =
    (read.shown === true && known.missingSince !== null) ||
    (read.shown === false && known.missingSince === null) ||
    (filled !== null && (known.matchedSize === null || compareDecimals(filled, known.matchedSize) > 0))
  if (isNew) await store.recordSighting({ id, at, shown: read.shown ?? null, matchedSize: filled })
}

const moveOfUpdate = (row: ExecutionRow, read: Observation, { event, fills }: StatusUpdate, at: Date): Move => ({
  ...moveOf(row, event, at),
  venueRef: read.venueRef ?? undefined,
  error:
    nextStatus(row.status, event) === 'failed' ? sanitizeReason(read.reason) : row.error === null ? undefined : null,
  fills: fills.map(({ key, fill, filledAt }) => ({ key, fill, filledAt: new Date(filledAt) })),
})
