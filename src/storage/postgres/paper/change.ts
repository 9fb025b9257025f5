// Cancels and modifies a working paper order. A cancellation is a request, which takes effect when it reaches the book; a modification changes
// the order at once, and its new version joins the end of the queue.
import { addDecimals, compareDecimals, subtractDecimals } from '#core/decimal'
import type { Queryable } from '../pool.ts'
import { lockPaperAccounts } from './accounts.ts'
import { plain, reserveCash, reservePosition } from './cash.ts'
import { findPaperOrder } from './findPaper.ts'
import type { PaperOrderRow } from './orderRow.ts'
import { lockSubmitted } from './place.ts'

export interface OrderRef {
  accountId: string
  venue: string
  ref: string
  /** The execution that changes the order; null: a change without one. */
  byExecution: string | null
  at: Date
}

export type CancelResult =
  | { kind: 'requested'; order: PaperOrderRow }
  | { kind: 'not_found' | 'not_open' | 'not_submitted' }

export type ModifyResult =
  | { kind: 'modified' }
  | { kind: 'not_found' | 'not_open' | 'not_submitted' }
  /** All of the new size is filled already. */
  | { kind: 'filled'; filled: string }
  | { kind: 'cash'; available: string }
  | { kind: 'position'; available: string }

const changedBy = 'changed_by = CASE WHEN $3::uuid IS NULL THEN changed_by ELSE array_append(changed_by, $3::uuid) END'

/** Within a transaction. */
export async function requestPaperCancel(db: Queryable, wanted: OrderRef): Promise<CancelResult> {
  const found = await lockOrder(db, wanted)
  if (typeof found === 'string') return { kind: found }
  await db.query(
    `UPDATE paper_orders SET cancel_requested_at = coalesce(cancel_requested_at, $2), updated_at = greatest(updated_at, $2), ${changedBy}
     WHERE execution_id = $1`,
    [found.execution_id, wanted.at, wanted.byExecution],
  )
  return { kind: 'requested', order: found }
}

export interface PaperModification extends OrderRef {
  price: string
  /** Filled and working contracts together. */
  size: string
  /** Cash that a purchase of so many contracts holds. */
  reserveOf(order: PaperOrderRow, price: string, remaining: string): string
}

/** Within a transaction, which commits whatever the result is. */
export async function modifyPaperOrder(db: Queryable, wanted: PaperModification): Promise<ModifyResult> {
  const found = await lockOrder(db, wanted)
  if (typeof found === 'string') return { kind: found }
  const { price, size, at } = wanted
  const filled = plain(found.filled)
  if (compareDecimals(size, filled) <= 0) return { kind: 'filled', filled }
  const remaining = subtractDecimals(size, filled)
  const reserve = found.is_buy ? wanted.reserveOf(found, price, remaining) : remaining
  const more = subtractDecimals(reserve, plain(found.reserved))
  const available = await reserveMore(db, found, more)
  if (available !== null) return { kind: found.is_buy ? 'cash' : 'position', available }
  await db.query(
    `UPDATE paper_orders SET price = $4, size = $5, reserved = $6, version = version + 1, queue_ahead = NULL,
       updated_at = greatest(updated_at, $2), ${changedBy}
     WHERE execution_id = $1`,
    [found.execution_id, at, wanted.byExecution, price, size, reserve],
  )
  return { kind: 'modified' }
}

/** `more` below zero: the order holds less from now on. */
async function reserveMore(db: Queryable, order: PaperOrderRow, more: string): Promise<string | null> {
  const { account_id: accountId, venue, currency, market_id: marketId, outcome_id: outcomeId } = order
  const available = order.is_buy
    ? await reserveCash(db, { accountId, venue, currency }, more)
    : await reservePosition(db, { accountId, venue, marketId, outcomeId }, more)
  // What it holds already counts.
  return available === null ? null : addDecimals(available, plain(order.reserved))
}

async function lockOrder(
  db: Queryable,
  { accountId, venue, ref, byExecution }: OrderRef,
): Promise<PaperOrderRow | 'not_found' | 'not_open' | 'not_submitted'> {
  await lockPaperAccounts(db, [accountId])
  if (byExecution !== null && (await lockSubmitted(db, accountId, byExecution))?.status !== 'submitted') {
    return 'not_submitted'
  }
  const order = await findPaperOrder(db, accountId, { venue, ref })
  if (order === null) return 'not_found'
  return order.state === 'working' ? order : 'not_open'
}
