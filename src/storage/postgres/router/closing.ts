// What closes a group relies on the state of its legs, and a leg that was refused may be built again: both are decided under one lock, that of
// the closed group.
import type { Queryable } from '../pool.ts'

/** A leg as a closing plan takes it into account. */
export interface CountedLeg {
  groupId: string
  position: number
  /** Null: its build was refused, and it counts as ended. */
  executionId: string | null
}

/** Until the end of the transaction. `groupId`: of the closed group, or of one that closes it. */
export async function lockClosing(db: Queryable, groupId: string): Promise<void> {
  await db.query(
    `SELECT FROM router_groups WHERE id = (SELECT coalesce(closes_id, id) FROM router_groups WHERE id = $1) FOR NO KEY UPDATE`,
    [groupId],
  )
}

/** A later group takes the legs of this one into account as they were. Under the lock. */
export async function isClosedSince(db: Queryable, groupId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM router_groups g JOIN router_groups c ON c.closes_id = coalesce(g.closes_id, g.id) AND c.seq > g.seq
     WHERE g.id = $1 LIMIT 1`,
    [groupId],
  )
  return rowCount === 1
}

/** The closed group and those that close it still have exactly these legs, and none is being built. Under the lock. */
export async function isUnchanged(
  db: Queryable,
  { closesId, exceptId, counted }: { closesId: string; exceptId: string; counted: readonly CountedLeg[] },
): Promise<boolean> {
  const { rows } = await db.query<CountedLeg & { isPending: boolean }>(
    `SELECT l.group_id AS "groupId", l.position, l.execution_id AS "executionId",
       l.execution_id IS NULL AND l.error IS NULL AS "isPending"
     FROM router_groups g JOIN router_legs l ON l.group_id = g.id WHERE (g.id = $1 OR g.closes_id = $1) AND g.id <> $2`,
    [closesId, exceptId],
  )
  const textOf = ({ groupId, position, executionId }: CountedLeg): string => `${groupId} ${position} ${executionId}`
  const expected = new Set(counted.map(textOf))
  return rows.length === expected.size && rows.every((row) => !row.isPending && expected.has(textOf(row)))
}
