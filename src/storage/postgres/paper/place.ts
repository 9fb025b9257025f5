// Takes an order of a paper account: its cash or its shares are reserved, and it works from then on. One transaction: an order is either taken
// with its reservation, or not at all.
import { type PaperTimeInForce, paperWorkingOrdersMax } from '#schemas/paper'
import type { Queryable } from '../pool.ts'
import { lockPaperAccounts } from './accounts.ts'
import { grantStart, reserveCash, reservePosition } from './cash.ts'
import { countWorking } from './findPaper.ts'

export interface NewPaperOrder {
  executionId: string
  accountId: string
  venue: string
  ref: string
  marketId: string
  outcomeId: string
  /** Where the execution's summary names none; empty: unknown. */
  currency: string
  bookId: string
  complement: boolean
  isBuy: boolean
  price: string
  size: string
  timeInForce: PaperTimeInForce
  postOnly: boolean
  expiresAt: Date | null
  feeModel: object
  /** Cash of a purchase, contracts of a sale. */
  reserve: string
  startCash: string
  at: Date
}

export type PlaceResult =
  /** Now, or by an earlier call. */
  | { kind: 'placed' }
  /** Its execution is not `submitted`: it may have been given up since. */
  | { kind: 'not_submitted' }
  | { kind: 'cap' }
  | { kind: 'cash'; available: string }
  | { kind: 'position'; available: string }

/** Within a transaction, which commits whatever the result is. */
export async function placePaperOrder(db: Queryable, wanted: NewPaperOrder): Promise<PlaceResult> {
  const { executionId, accountId, venue, marketId, outcomeId } = wanted
  await lockPaperAccounts(db, [accountId])
  const execution = await lockSubmitted(db, accountId, executionId)
  if (await isPlaced(db, executionId)) return { kind: 'placed' }
  if (execution?.status !== 'submitted') return { kind: 'not_submitted' }
  const order = { ...wanted, keyId: execution.key_id, currency: execution.currency ?? wanted.currency }
  const { currency } = order
  if ((await countWorking(db, accountId)) >= paperWorkingOrdersMax) return { kind: 'cap' }
  await grantStart(db, { accountId, venue, currency }, order)
  const available = order.isBuy
    ? await reserveCash(db, { accountId, venue, currency }, order.reserve)
    : await reservePosition(db, { accountId, venue, marketId, outcomeId }, order.reserve)
  if (available !== null) return { kind: order.isBuy ? 'cash' : 'position', available }
  await insertPaperOrder(db, order)
  return { kind: 'placed' }
}

async function isPlaced(db: Queryable, executionId: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT 1 FROM paper_orders WHERE execution_id = $1', [executionId])
  return rowCount === 1
}

interface SubmittedExecution {
  status: string
  key_id: string
  /** As its summary names it. */
  currency: string | null
}

/** The execution, whose status stays so until the end of the transaction. Null: there is none. */
export async function lockSubmitted(
  db: Queryable,
  accountId: string,
  executionId: string,
): Promise<SubmittedExecution | null> {
  const { rows } = await db.query<SubmittedExecution>(
    `SELECT status, key_id, summary->>'currency' AS currency FROM executions WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
    [executionId, accountId],
  )
  return rows[0] ?? null
}

async function insertPaperOrder(db: Queryable, order: NewPaperOrder & { keyId: string }): Promise<void> {
  await db.query(
    `INSERT INTO paper_orders (execution_id, account_id, key_id, venue, ref, market_id, outcome_id, currency, book_id, complement, is_buy,
       price, size, time_in_force, post_only, expires_at, fee_model, reserved, placed_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19)`,
    [
      order.executionId,
      order.accountId,
      order.keyId,
      order.venue,
      order.ref,
      order.marketId,
      order.outcomeId,
      order.currency,
      order.bookId,
      order.complement,
      order.isBuy,
      order.price,
      order.size,
      order.timeInForce,
      order.postOnly,
      order.expiresAt,
      JSON.stringify(order.feeModel),
      order.reserve,
      order.at,
    ],
  )
}
