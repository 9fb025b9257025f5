// Orders of which only one fires. An attempt for one of a group first locks the group's row, so that there is one attempt at a time.
import { isLive } from '../executions/reservations.ts'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { type ConditionalRow, conditionalColumns } from './conditionalRow.ts'

export interface GroupRow {
  winner_id: string | null
}

const groupRow = 'SELECT winner_id FROM oco_groups WHERE account_id = $1 AND id = $2 FOR UPDATE'
const waiting = prepared(groupRow)
const demanding = prepared(`${groupRow} NOWAIT`)

/** Until the end of the transaction. With `waits` false it fails immediately if the group is locked. */
export async function lockGroup(
  db: Queryable,
  accountId: string,
  id: string,
  { waits = true }: { waits?: boolean } = {},
): Promise<GroupRow | null> {
  const { rows } = await db.query<GroupRow>((waits ? waiting : demanding)([accountId, id]))
  return rows[0] ?? null
}

/** The order of the group that has fired; null: none has. */
export async function findWinner(
  db: Queryable,
  { account_id, oco_group_id }: Pick<ConditionalRow, 'account_id' | 'oco_group_id'>,
): Promise<string | null> {
  if (oco_group_id === null) return null
  const { rows } = await db.query<GroupRow>('SELECT winner_id FROM oco_groups WHERE account_id = $1 AND id = $2', [
    account_id,
    oco_group_id,
  ])
  return rows[0]?.winner_id ?? null
}

/** A lock was held that should not be waited for, or not any longer. */
export const isLockNotAvailable = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03'

/** This order and the others of its group, after `lockGroup`. */
export async function lockLegs(
  db: Queryable,
  { id, account_id, oco_group_id }: Pick<ConditionalRow, 'id' | 'account_id' | 'oco_group_id'>,
  { waits = true }: { waits?: boolean } = {},
): Promise<ConditionalRow[]> {
  const { rows } = await db.query<ConditionalRow>(
    `SELECT ${conditionalColumns} FROM conditional_orders c WHERE c.id = $1 OR (c.account_id = $2 AND c.oco_group_id = $3)
     ORDER BY c.id FOR UPDATE ${waits ? '' : 'NOWAIT'}`,
    [id, account_id, oco_group_id],
  )
  return rows
}

export interface Legs {
  own: ConditionalRow
  others: ConditionalRow[]
  /** The order of the group that has fired. */
  winnerId: string | null
}

/**
 * Locks what comes before an order, and the order, in the usual lock order. Null: there is none. With `waits` false it fails immediately if any of it
 * is locked.
 */
export async function lockWithGroup(
  db: Queryable,
  { id, accountId }: { id: string; accountId: string | null },
  patience: { waits?: boolean } = {},
): Promise<Legs | null> {
  const { rows } = await db.query<Pick<ConditionalRow, 'account_id' | 'oco_group_id'>>(
    'SELECT account_id, oco_group_id FROM conditional_orders WHERE id = $1 AND ($2::uuid IS NULL OR account_id = $2)',
    [id, accountId],
  )
  const found = rows[0]
  if (found === undefined) return null
  const { account_id, oco_group_id } = found
  const group = oco_group_id === null ? null : await lockGroup(db, account_id, oco_group_id, patience)
  const legs = await lockLegs(db, { id, ...found }, patience)
  const own = legs.find((leg) => leg.id === id)!
  return { own, others: legs.filter((leg) => leg.id !== id), winnerId: group?.winner_id ?? null }
}

/** SQL, of execution `id`: a right to submit it is held, or it was sent with unknown outcome. */
export const isOutstanding = (id: string, at: string): string => `(
    EXISTS (SELECT FROM executions WHERE id = ${id} AND status = 'submitted')
    OR EXISTS (SELECT FROM execution_reservations WHERE execution_id = ${id} AND ${isLive(at)}))`

/** Events of the state machine's table that say a submit never reached the venue; a predicted reference means nothing then. */
const neverThere = `('rejected', 'discard', 'provedUndone', 'resolvedFailed')`

/** SQL, of a row of `executions`: the venue accepted it at some time. */
export const acceptedSql = `(status IN ('acked', 'filled') OR (last_event NOT IN ${neverThere}
      AND (status IN ('canceled', 'expired') OR (status = 'failed' AND venue_ref IS NOT NULL))))`

/** SQL, of execution `id`: the venue accepted it. */
export const isAccepted = (id: string): string => `EXISTS (SELECT FROM executions WHERE id = ${id} AND ${acceptedSql})`

/** SQL, of the conditional order aliased `alias`: it is firing, or its caller is about to submit it, or did. */
export const hasAttempt = (
  alias: string,
  at: string,
): string => `(${alias}.status = 'firing' OR (${alias}.status = 'triggered'
    AND (${isOutstanding(`${alias}.execution_id`, at)} OR ${isAccepted(`${alias}.execution_id`)})))`

/** SQL, of the conditional order aliased `alias`: another one of its group has an attempt. */
export const isHeldBack = (alias: string, at: string): string => `EXISTS (
    SELECT FROM conditional_orders sibling WHERE sibling.account_id = ${alias}.account_id AND sibling.oco_group_id = ${alias}.oco_group_id
      AND sibling.id <> ${alias}.id AND ${hasAttempt('sibling', at)})`

/** Another order of its group was sent and its outcome is unknown: this one cannot fire before that is settled. */
export async function isBlockedByUnknown(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM conditional_orders c JOIN conditional_orders sibling
       ON sibling.account_id = c.account_id AND sibling.oco_group_id = c.oco_group_id AND sibling.id <> c.id
     JOIN executions e ON e.id = sibling.execution_id
     WHERE c.id = $1 AND sibling.status IN ('triggered', 'firing') AND sibling.lease_owner IS NULL AND e.status = 'submitted' LIMIT 1`,
    [id],
  )
  return rows.length > 0
}

/** Read after `lockGroup`: no attempt starts meanwhile. */
export async function isBlocking(db: Queryable, id: string, at: Date): Promise<boolean> {
  const { rows } = await db.query<{ held: boolean }>(
    `SELECT ${isHeldBack('c', '$2')} AS held FROM conditional_orders c WHERE c.id = $1`,
    [id, at],
  )
  return rows[0]!.held
}
