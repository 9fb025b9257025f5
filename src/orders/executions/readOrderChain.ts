// Reads one member of an order's family: the order or one of its modifications. They are one order at the venue and end together.
//
//   a modification of unknown outcome ─► is read first: it may have replaced the order
//   the last accepted modification    ─► follows the venue, and so does an order that keeps its id when modified
//   one that it superseded            ─► `acked` while its replacement rests, then ends like it; has the fills of its own
//                                        venue order
import { lowerBoundNow } from '#core/clock'
import { type ExecutionStatus, isContractIntent } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { type FamilyMember, isOutcomeUnknown, isReplaced, latestOf } from '#storage/postgres/executions/findOrderChain'
import type { Observation, ReadingLane } from '#venues/lane'
import { closedWithoutReport, settlingMs } from './applyUpdate.ts'
import { findOwned, noVenueOrder } from './cancelOrModify.ts'
import { laneFor, laneOf, readingLaneOf, unsupportedOperation } from './findLane.ts'
import { parseBody } from './parseBody.ts'
import type { Caller, ConditionalPreview, ExecutionsDeps } from './ports.ts'
import { isQueryable, type QueryStore, type Refreshed, readAndFold, withCredentials } from './refresh.ts'
import { isTerminal, moveOf, nextStatus, observedEvent } from './transitions.ts'

type Deps = Pick<ExecutionsDeps, 'clock'> & { store: QueryStore & Pick<ExecutionsDeps['store'], 'findFamily'> }

export async function refreshExecution(
  deps: ExecutionsDeps,
  caller: Caller,
  { venue, executionId, body }: { venue: string; executionId: string; body: unknown },
): Promise<Refreshed> {
  const whole = readingLaneOf(deps, venue, caller.accountId) ?? laneOf(deps, venue, caller.accountId)
  const row = await findOwned(deps, caller, venue, executionId)
  const armed: ConditionalPreview = { ...whole, lane: laneFor<ReadingLane>(whole.lane, row.intent) }
  if (armed.lane.refresh === undefined) throw unsupportedOperation(armed.lane, 'status read')
  if (!isQueryable(row)) throw noVenueOrder()
  const credentials = parseBody(armed.lane.refresh.body, body ?? {})
  return withCredentials(deps, row, credentials, () => readOrderChain(deps, caller, armed, row, credentials))
}

/** `readsFamily` false: the rest of the family is already being read. */
export async function readOrderChain(
  deps: Deps,
  caller: Pick<Caller, 'accountId' | 'signal'>,
  whole: ConditionalPreview,
  row: ExecutionRow,
  credentials: unknown,
  { readsFamily = true }: { readsFamily?: boolean } = {},
): Promise<Refreshed> {
  const { store, clock } = deps
  const armed: ConditionalPreview = { ...whole, lane: laneFor<ReadingLane>(whole.lane, row.intent) }
  const { modify } = armed.lane
  if (modify === undefined || row.intent === 'cancel' || isContractIntent(row.intent)) {
    return readAndFold(deps, caller, armed, row, credentials)
  }
  /** Checked after the read: by then every modification that the read can have shown is known. */
  const ownStatus = async (id: string, { status }: Observation): Promise<ExecutionStatus | null> => {
    if (status !== 'canceled' || modify.replaces !== true) return status
    const family = await store.findFamily(id)
    return isReplaced(family, id) || mayBeReplaced(family, id, lowerBoundNow(clock)) ? null : status
  }
  const read = (member: ExecutionRow) =>
    readAndFold(deps, caller, armed, member, credentials, (shown) => ownStatus(member.id, shown))

  const before = await store.findFamily(row.id)
  const unresolved = readsFamily ? unresolvedMemberOf(before, row.id) : undefined
  if (unresolved !== undefined && isQueryable(unresolved)) await read(unresolved)
  const family = unresolved === undefined ? before : await store.findFamily(row.id)
  const latest = latestOf(family) ?? row
  const replaced = isReplaced(family, row.id)
  const own = family.find(({ id }) => id === row.id)
  const isSuperseded = replaced || (row.intent === 'modify' && own?.taken_at != null && latest.id !== row.id)
  if (!isSuperseded) {
    const found = await read(row)
    if (isTerminal(found.row.status)) await endShared(deps, family, found.row, read)
    else if (mayBeReplaced(family, row.id, lowerBoundNow(clock))) {
      return { ...found, observation: { ...found.observation, reason: unresolvedReason } }
    }
    return found
  }
  const found = readsFamily && latest.id !== unresolved?.id ? await read(latest) : null
  const now = found?.row ?? latest
  if (isTerminal(now.status) && replaced) {
    const end = row.status === 'acked' ? now.status : row.status
    const missedMs = row.missing_since === null ? 0 : lowerBoundNow(clock) - row.missing_since.getTime()
    return readAndFold(deps, caller, armed, row, credentials, async (shown) => endOfReplaced(shown, end, missedMs))
  }
  if (isTerminal(now.status)) await endShared(deps, family, now, read)
  const fills = await store.listFillsOf(row.id)
  return {
    row: (await store.find(caller.accountId, row.id)) ?? row,
    fills: fills.map(({ fill }) => fill),
    observation: { ...found?.observation, supersededBy: latest.id },
  }
}

const unresolvedReason = 'a change to it was sent and its outcome is unknown: refresh or resolve that one'

const unresolvedMemberOf = (family: readonly FamilyMember[], id: string): FamilyMember | undefined =>
  family.find((member) => member.id !== id && isOutcomeUnknown(member))

/** An accepted modification is shown within a minute: one not shown for longer has replaced nothing. */
function mayBeReplaced(family: readonly FamilyMember[], id: string, nowMs: number): boolean {
  const missingSince = unresolvedMemberOf(family, id)?.missing_since
  return missingSince === null || (missingSince !== undefined && nowMs - missingSince.getTime() < settlingMs)
}

/** Its replacement has reached `end`. So has this one, unless the venue shows that it rests, was filled, or has more to report. */
function endOfReplaced({ status, shown }: Observation, end: ExecutionStatus, missedMs: number): ExecutionStatus | null {
  // Old orders are no longer shown, and very new ones not yet.
  if (status === null) return shown === false && missedMs >= settlingMs ? end : null
  if (status === 'acked') return null
  return status === 'filled' ? status : end
}

/** Family members that share a venue order have ended with it. Only the order itself has fills to read. */
async function endShared(
  { store, clock }: Deps,
  family: readonly FamilyMember[],
  ended: ExecutionRow,
  read: (member: ExecutionRow) => Promise<Refreshed>,
): Promise<void> {
  const event = observedEvent(ended.status)
  // A modification that failed ended alone.
  if (event === null || ended.venue_ref === null || ended.status === 'failed' || closedWithoutReport(ended)) return
  for (const member of family) {
    if (member.id === ended.id || member.status !== 'acked' || member.venue_ref !== ended.venue_ref) continue
    if (member.intent === 'order') await read(member)
    else if (nextStatus(member.status, event) !== null) await store.move(moveOf(member, event, new Date(clock.now())))
  }
}
