// What keeps an armed order from triggering, or a triggered one from being fired, regardless of its book.
import { triggerEvidenceTtlMs } from '#schemas/conditional'
import type { Queryable } from '../pool.ts'
import { hasAttempt } from './ocoGroups.ts'

const oldest = (at: string): string => `${at}::timestamptz - interval '${triggerEvidenceTtlMs} milliseconds'`

/** SQL, of the conditional order aliased `alias`: its trigger is still fresh enough to act on. */
export const isFresh = (alias: string, at: string): string => `${alias}.triggered_at > ${oldest(at)}`

/**
 * SQL, of the conditional order aliased `alias`: its trading is halted, or another order of its group has had an attempt for longer
 * than evidence is valid, so that it would wait as `triggered` for nothing.
 */
export const isStopped = (alias: string, at: string): string => `(EXISTS (
    SELECT FROM trading_halts h WHERE (h.account_id IS NULL OR h.account_id = ${alias}.account_id) AND (h.venue IS NULL OR h.venue = ${alias}.venue))
  OR (${alias}.fire_mode = 'hosted' AND EXISTS (
    SELECT FROM conditional_orders sibling WHERE sibling.account_id = ${alias}.account_id AND sibling.oco_group_id = ${alias}.oco_group_id
      AND sibling.id <> ${alias}.id AND sibling.triggered_at <= ${oldest(at)} AND ${hasAttempt('sibling', at)})))`

export interface StillArmed {
  id: string
  /** Not to be retried before that is over. */
  stopped: boolean
}

/** Of those that a trigger skipped: the ones still armed, because they are stopped or were locked. */
export async function findStillArmed(db: Queryable, ids: readonly string[], at: Date): Promise<StillArmed[]> {
  const { rows } = await db.query<StillArmed>(
    `SELECT c.id, ${isStopped('c', '$2')} AS stopped FROM conditional_orders c
     WHERE c.id = ANY ($1::uuid[]) AND c.status = 'armed' AND c.expires_at > $2`,
    [ids, at],
  )
  return rows
}

export interface ActiveHalt {
  /** Null: all accounts. */
  account_id: string | null
  /** Null: all venues. */
  venue: string | null
}

/** Whose triggers are stopped now, and where. */
export async function listActiveHalts(db: Queryable): Promise<ActiveHalt[]> {
  const { rows } = await db.query<ActiveHalt>(
    'SELECT DISTINCT account_id, venue FROM trading_halts ORDER BY account_id, venue',
  )
  return rows
}
