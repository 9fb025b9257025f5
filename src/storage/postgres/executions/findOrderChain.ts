// An order and its changes, and how they relate: which of them the venue accepted, in which order, and which have an unknown outcome.
import type { Queryable } from '../pool.ts'
import { type ExecutionRow, executionColumns } from './executionRow.ts'
import { familyOf } from './orderChain.ts'

export interface FamilyMember extends ExecutionRow {
  /** Positions in the audit, bigint as text: when it was built, and when the venue was first known to have it; null: not known to. */
  built_at: string
  taken_at: string | null
}

/** The order that execution `id` is or changes, and every change of it. */
export async function findFamily(db: Queryable, id: string): Promise<FamilyMember[]> {
  const { rows } = await db.query<FamilyMember>(
    `WITH ${familyOf}
     SELECT ${executionColumns}, a.built_at, a.taken_at FROM family e, LATERAL (
       SELECT min(id) AS built_at, min(id) FILTER (
         WHERE from_status NOT IN ('built', 'signed') AND to_status IN ('acked', 'filled', 'expired', 'canceled')
           -- Reported by its owner, not by the venue.
           AND event NOT IN ('resolvedFilled', 'resolvedCanceled')) AS taken_at
       FROM execution_audit WHERE execution_id = e.id
     ) a WHERE e.intent IN ('order', 'modify') ORDER BY e.seq`,
    [id],
  )
  return rows
}

/** The order as the venue has it: as placed, or as modified by the last accepted change. */
export function latestOf(family: readonly FamilyMember[]): FamilyMember | undefined {
  const changes = family.filter(({ intent, taken_at }) => intent === 'modify' && taken_at !== null)
  const latest = changes.reduce<FamilyMember | undefined>(
    (last, next) => (last === undefined || BigInt(next.taken_at!) > BigInt(last.taken_at!) ? next : last),
    undefined,
  )
  return latest ?? family.find(({ intent }) => intent === 'order')
}

/** True for an accepted member if the last accepted change is a separate order at the venue. */
export function isReplaced(family: readonly FamilyMember[], id: string): boolean {
  const own = family.find((member) => member.id === id)
  const latest = latestOf(family)
  if (own === undefined || latest === undefined || own.id === latest.id || own.venue_ref === null) return false
  // An order replaced by an accepted change did exist, whenever we learned of it.
  return (own.taken_at !== null || own.intent === 'order') && own.venue_ref !== latest.venue_ref
}

/** A change that was sent without a known outcome. */
export const isOutcomeUnknown = ({ intent, status }: FamilyMember): boolean =>
  intent === 'modify' && status === 'submitted'

export type ChangeConflict = 'in_doubt' | 'outgrown'

/** What keeps change `id` from being sent: another one with unknown outcome, or one accepted since it was built. */
export function conflictIn(family: readonly FamilyMember[], id: string): ChangeConflict | null {
  const own = family.find((member) => member.id === id)
  const others = family.filter((member) => member.intent === 'modify' && member.id !== id)
  if (others.some(isOutcomeUnknown)) return 'in_doubt'
  const isNewer = ({ taken_at }: FamilyMember) => taken_at !== null && BigInt(taken_at) > BigInt(own!.built_at)
  return others.some(isNewer) ? 'outgrown' : null
}

/** Until the end of the transaction: nothing else is about to change the family its later statements read. */
export async function lockFamily(db: Queryable, id: string): Promise<void> {
  await db.query(
    `WITH ${familyOf} SELECT FROM executions WHERE id = (SELECT id FROM up WHERE target_id IS NULL) FOR UPDATE`,
    [id],
  )
}

/** Run inside the transaction that claims the change: of two concurrent ones the second sees the first. */
export async function changeConflict(db: Queryable, id: string): Promise<ChangeConflict | null> {
  await lockFamily(db, id)
  return conflictIn(await findFamily(db, id), id)
}
