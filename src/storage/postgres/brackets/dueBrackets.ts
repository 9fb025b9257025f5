// Brackets whose entry has ended. One process takes each, by a lease; if it dies, another one continues with the same size, and the idempotency keys
// of the builds and armings lead to the same executions and orders.
//
//   waiting ─the entry ended─► arming ─finish─► armed | failed
//      │  └─nothing was filled─► unfilled  └─lease over─► arming, in another process
//      └─cancel─► canceled;  expire leads out of waiting and arming
import type { Queryable } from '../pool.ts'
import { type BracketRow, bracketColumns } from './bracketRow.ts'

export interface BracketLease {
  id: string
  /** Of the row as taken. */
  epoch: string
}

/** It ended, and what was filled is known: a venue may report the amount after the end. */
const hasEnded = `(e.status IN ('filled', 'failed') OR (e.status IN ('expired', 'canceled') AND e.matched_size IS NOT NULL))`

/** A modification that the venue accepted replaced the entry: what was filled of both is not known from the entry alone. */
const wasModified = `EXISTS (SELECT FROM executions m WHERE m.target_id = e.id AND m.intent = 'modify'
  AND m.status IN ('acked', 'filled', 'expired', 'canceled'))`

/** Whether the venue accepted a modification is unknown: if it did, the entry ended because it was replaced. */
const mayBeModified = `EXISTS (SELECT FROM executions m WHERE m.target_id = e.id AND m.intent = 'modify' AND m.status = 'submitted')`

/** What the venue reported; of an order that it reports as filled without an amount, all of it. */
const filled = `CASE WHEN e.status = 'filled' THEN coalesce(e.matched_size, (e.terms->>'size')::numeric) ELSE coalesce(e.matched_size, 0) END`

/** Those that wait are read in pages of their ids: `after` excluded, `until` included. */
interface WaitingPage {
  after: string
  until: string
}

export const firstWaiting = '00000000-0000-0000-0000-000000000000'
export const lastWaiting = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The end of a page of up to `most` of those that wait, after `after`; `lastWaiting` if there are no more. */
export async function endOfWaitingPage(db: Queryable, after: string, most: number): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM brackets WHERE status = 'waiting' AND id > $1 ORDER BY id OFFSET $2 LIMIT 1`,
    [after, most - 1],
  )
  return rows[0]?.id ?? lastWaiting
}

/**
 * Ends those of a page whose entry was modified or not filled, and takes up to `limit` others for `leaseMs` by the database's clock, also those
 * that a process began to arm and left. Returns the rows taken, whose exits are to be armed. The size is fixed here, for every later attempt too.
 */
export async function takeDue(
  db: Queryable,
  { limit, leaseMs, at, page }: { limit: number; leaseMs: number; at: Date; page?: WaitingPage },
): Promise<BracketRow[]> {
  const { after, until } = page ?? { after: firstWaiting, until: lastWaiting }
  const { rows: left } = await db.query<BracketRow>(takeOf(armingDue), [limit, leaseMs, at])
  if (left.length >= limit) return left
  const { rows: ended } = await db.query<BracketRow>(takeOf(waitingDue), [
    limit - left.length,
    leaseMs,
    at,
    after,
    until,
  ])
  return [...left, ...ended]
}

const waitingDue = `SELECT b.id FROM brackets b JOIN executions e ON e.id = b.entry_id
  WHERE b.status = 'waiting' AND b.id > $4 AND b.id <= $5 AND b.expires_at > $3 AND ((${hasEnded} AND NOT ${mayBeModified}) OR ${wasModified})
  ORDER BY b.id LIMIT $1 FOR UPDATE OF b SKIP LOCKED`

const armingDue = `SELECT b.id FROM brackets b
  WHERE b.status = 'arming' AND b.leased_until <= clock_timestamp() AND b.expires_at > $3
  ORDER BY b.leased_until, b.id LIMIT $1 FOR UPDATE SKIP LOCKED`

const takeOf = (due: string): string => `WITH due AS (
     ${due}
   ), next AS (
     -- Read under the lock of the bracket. An entry that has ended may still be reported to have had more filled: what counts is now.
     SELECT b.id, CASE WHEN b.status = 'arming' THEN b.filled_size WHEN ${wasModified} THEN NULL ELSE ${filled} END AS size,
       b.status = 'waiting' AND ${wasModified} AS modified
     FROM brackets b JOIN due ON due.id = b.id JOIN executions e ON e.id = b.entry_id
   ), b AS (
     UPDATE brackets x SET
       status = CASE WHEN next.modified THEN 'failed' WHEN next.size > 0 THEN 'arming' ELSE 'unfilled' END,
       filled_size = CASE WHEN next.size > 0 THEN next.size END,
       last_error = CASE WHEN next.modified THEN 'the entry was modified: arm the exits yourself'
         WHEN next.size > 0 THEN x.last_error ELSE 'the entry ended without a fill' END,
       attempts = x.attempts + CASE WHEN next.size > 0 THEN 1 ELSE 0 END,
       leased_until = CASE WHEN next.size > 0 THEN clock_timestamp() + $2 * interval '1 millisecond' END,
       lease_epoch = x.lease_epoch + 1, updated_at = greatest($3, x.updated_at)
     FROM next WHERE x.id = next.id RETURNING x.*
   )
   SELECT ${bracketColumns} FROM b WHERE b.status = 'arming'`

export interface ArmedExits {
  takeProfitId: string | null
  stopLossId: string | null
}

/** False: another process has taken it over. `error`: why it failed. */
export async function finishBracket(
  db: Queryable,
  { id, epoch }: BracketLease,
  { takeProfitId, stopLossId, error, at }: ArmedExits & { error: string | null; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE brackets SET status = CASE WHEN $5::text IS NULL THEN 'armed' ELSE 'failed' END, last_error = $5, leased_until = NULL,
       take_profit_id = coalesce($3, take_profit_id), stop_loss_id = coalesce($4, stop_loss_id), updated_at = greatest($6, updated_at)
     WHERE id = $1 AND status = 'arming' AND lease_epoch = $2`,
    [id, epoch, takeProfitId, stopLossId, error, at],
  )
  return rowCount === 1
}

/** For a passing reason: it is taken again after `delayMs`. */
export async function postponeBracket(
  db: Queryable,
  { id, epoch }: BracketLease,
  { takeProfitId, stopLossId, error, delayMs, at }: ArmedExits & { error: string; delayMs: number; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE brackets SET last_error = $5, leased_until = clock_timestamp() + $6 * interval '1 millisecond',
       take_profit_id = coalesce($3, take_profit_id), stop_loss_id = coalesce($4, stop_loss_id), updated_at = greatest($7, updated_at)
     WHERE id = $1 AND status = 'arming' AND lease_epoch = $2`,
    [id, epoch, takeProfitId, stopLossId, error, delayMs, at],
  )
  return rowCount === 1
}

/** Those whose time is over, unless they are locked: up to `limit`; returns how many. Exits that were armed expire by themselves. */
export async function expireBrackets(db: Queryable, { limit, at }: { limit: number; at: Date }): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE brackets b SET status = 'expired', leased_until = NULL, updated_at = greatest($2, b.updated_at)
     WHERE b.id IN (SELECT id FROM brackets WHERE status IN ('waiting', 'arming') AND expires_at <= $2
       ORDER BY expires_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit, at],
  )
  return rowCount ?? 0
}
