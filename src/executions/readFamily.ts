// A look at one member of an order's family: the order, or a change of it. They are one thing, and stand and end together.
//
//   the last change the venue took ─► follows the venue, and so does an order that keeps its id when it is changed
//   one that it superseded         ─► `acked` while that stands, then ends as that ended; its fills are those of its own venue order
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { type FamilyMember, isReplaced, latestOf } from '#storage/postgres/executions/findFamily'
import { findOwned, noVenueOrder } from './derive.ts'
import { laneOf, noVerb } from './laneOf.ts'
import { parseBody } from './parseBody.ts'
import type { ArmedLane, Caller, ExecutionsDeps } from './ports.ts'
import { askVenue, canBeAsked, type LookStore, type Refreshed, readAndFold } from './refresh.ts'
import { moveOf } from './submit.ts'
import { isTerminal, nextStatus, seen } from './transitions.ts'

type Deps = Pick<ExecutionsDeps, 'clock'> & { store: LookStore & Pick<ExecutionsDeps['store'], 'findFamily'> }

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
  return askVenue(deps, row, credentials, () => readFamily(deps, caller, armed, row, credentials))
}

/** `asksLatest` false: the last change is being looked at anyway. */
export async function readFamily(
  deps: Deps,
  caller: Pick<Caller, 'accountId' | 'signal'>,
  armed: ArmedLane,
  row: ExecutionRow,
  credentials: unknown,
  { asksLatest = true }: { asksLatest?: boolean } = {},
): Promise<Refreshed> {
  const { store } = deps
  const read = (member: ExecutionRow) => readAndFold(deps, caller, armed, member, credentials)
  if (armed.lane.modify === undefined || row.intent === 'cancel' || row.intent === 'redeem') return read(row)
  const family = await store.findFamily(row.id)
  const latest = latestOf(family) ?? row
  const own = family.find(({ id }) => id === row.id)
  const replaced = isReplaced(family, row.id)
  const isSuperseded = replaced || (row.intent === 'modify' && own?.taken_at != null && latest.id !== row.id)
  if (!isSuperseded) {
    const found = await read(row)
    if (isTerminal(found.row.status)) await endShared(deps, family, found.row, read)
    return found
  }
  const found = asksLatest ? await read(latest) : null
  const now = found?.row ?? latest
  if (isTerminal(now.status) && replaced) {
    const end = row.status === 'acked' ? now.status : row.status
    return readAndFold(deps, caller, armed, row, credentials, (shown) => (shown.status === null ? null : end))
  }
  if (isTerminal(now.status)) await endShared(deps, family, now, read)
  const fills = await store.listFillsOf(row.id)
  return {
    row: (await store.find(caller.accountId, row.id)) ?? row,
    fills: fills.map(({ fill }) => fill),
    observation: { ...found?.observation, supersededBy: latest.id },
  }
}

/** Others of the family that are the same venue order have ended with it. Only the order itself has fills to be read. */
async function endShared(
  { store, clock }: Deps,
  family: readonly FamilyMember[],
  ended: ExecutionRow,
  read: (member: ExecutionRow) => Promise<Refreshed>,
): Promise<void> {
  const event = seen(ended.status)
  if (event === null || ended.venue_ref === null) return
  for (const member of family) {
    if (member.id === ended.id || member.status !== 'acked' || member.venue_ref !== ended.venue_ref) continue
    if (member.intent === 'order') await read(member)
    else if (nextStatus(member.status, event) !== null) await store.move(moveOf(member, event, new Date(clock.now())))
  }
}
