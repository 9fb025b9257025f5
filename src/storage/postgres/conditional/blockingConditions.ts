// What a conditional order behind an execution means for submitting, reserving or discarding that execution directly. Decided under the order's
// lock, in the same transaction; an execution given to a conditional order is submitted by it, or not at all.
//
//              | armed | triggered, client           | triggered, hosted | firing               | ended
//   submit     | armed | with a reservation          | attempt           | attempt              | closed
//   reserve    | armed | in its time                 | attempt           | attempt              | closed
//   discard    | armed | armed                       | armed             | attempt              | yes
//
// `attempt` also if another order of its group has one. The fire loop's own submit passes by its lease (`beginAttempt`).
import type { Queryable } from '../pool.ts'
import type { ConditionalRow } from './conditionalRow.ts'
import { findLatestOf } from './find.ts'
import { isBlocking, lockWithGroup } from './ocoGroups.ts'

export type GateRefusal =
  | 'armed'
  /** Another attempt is in progress, or only the fire loop may start one. */
  | 'attempt'
  /** Triggered in client mode: only a reservation's holder submits it. */
  | 'unreserved'
  /** The order ended without this execution having been submitted. */
  | 'closed'
  /** Another order of its group fired. */
  | 'group_closed'

/** The order armed last for an execution, locked in the usual lock order. Call before the execution is locked. */
export async function lockConditional(db: Queryable, executionId: string): Promise<ConditionalRow | null> {
  const latest = await findLatestOf(db, executionId)
  if (latest === null) return null
  return (await lockWithGroup(db, { id: latest.id, accountId: null }))!.own
}

/** Under the execution's lock, which arming also takes: no order has been armed since. */
export async function isStillBehind(
  db: Queryable,
  executionId: string,
  behind: Pick<ConditionalRow, 'id'> | null,
): Promise<boolean> {
  const latest = await findLatestOf(db, executionId)
  return (latest?.id ?? null) === (behind?.id ?? null)
}

export async function checkSubmit(
  db: Queryable,
  behind: ConditionalRow | null,
  { reserved, at }: { reserved: boolean; at: Date },
): Promise<GateRefusal | null> {
  if (behind === null) return null
  if (behind.status === 'triggered' && behind.fire_mode === 'client') {
    if (!reserved) return 'unreserved'
    return (await isBlocking(db, behind.id, at)) ? 'attempt' : null
  }
  return refusalOf(behind)
}

export async function checkReservation(
  db: Queryable,
  behind: ConditionalRow | null,
  at: Date,
): Promise<GateRefusal | null> {
  if (behind === null) return null
  if (behind.status === 'triggered' && behind.fire_mode === 'client') {
    if (behind.expires_at <= at) return 'closed'
    return (await isBlocking(db, behind.id, at)) ? 'attempt' : null
  }
  return refusalOf(behind)
}

export function checkDiscard(behind: ConditionalRow | null): GateRefusal | null {
  if (behind?.status === 'firing') return 'attempt'
  return behind?.status === 'armed' || behind?.status === 'triggered' ? 'armed' : null
}

function refusalOf({ status, oco_group_id }: ConditionalRow): GateRefusal {
  if (status === 'armed') return 'armed'
  if (status === 'triggered' || status === 'firing') return 'attempt'
  return status === 'superseded' && oco_group_id !== null ? 'group_closed' : 'closed'
}
