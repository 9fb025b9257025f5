// Sets credits aside for one process, which spends them without asking again.
import type { Queryable } from '../pool.ts'
import { type Allowances, findAllowance, grantMonthly } from './grantMonthlyAllowance.ts'
import { lockAccount } from './lockAccount.ts'

export interface LeaseRequest {
  holderId: string
  /** How long the process may be silent from now on. */
  ttlMs: number
  accountId: string
  /** `YYYY-MM-01` in UTC. */
  month: string
  allowances: Allowances
  /** How many to take, given the number available. */
  size(available: number): number
}

export type LeaseResult =
  | { kind: 'unlimited' }
  /** `credits` may be 0. `balance`: including everything set aside; `available`: not held by any process after this. */
  | { kind: 'leased'; credits: number; balance: number; available: number }
  /** The process was taken for dead: what it held is gone. Its next settlement revives it. */
  | { kind: 'expired' }

/** Within a transaction. */
export async function takeLease(db: Queryable, wish: LeaseRequest): Promise<LeaseResult> {
  const { holderId, ttlMs, accountId, month, allowances } = wish
  if (!(await isHolderAlive(db, holderId, ttlMs))) return { kind: 'expired' }
  const locked = await lockAccount(db, accountId)
  const allowance = await findAllowance(db, accountId, allowances)
  if (allowance !== null && allowance.credits === null) return { kind: 'unlimited' }
  const account =
    allowance === null
      ? locked
      : await grantMonthly(db, accountId, locked, { plan: allowance.plan, credits: allowance.credits!, month })
  const free = account.balance - account.held
  const credits = Math.max(0, Math.min(free, Math.floor(wish.size(free))))
  if (credits > 0) {
    await db.query(
      `WITH lease AS (
         INSERT INTO credit_leases AS l (holder_id, account_id, credits) VALUES ($1, $2, $3)
         ON CONFLICT (holder_id, account_id) DO UPDATE SET credits = l.credits + EXCLUDED.credits
       )
       UPDATE credit_accounts SET held = held + $3 WHERE account_id = $2`,
      [holderId, accountId, credits],
    )
  }
  return { kind: 'leased', credits, balance: account.balance, available: free - credits }
}

/** Keeps it from being taken for dead during this transaction. A process is created with its first lease. */
async function isHolderAlive(db: Queryable, holderId: string, ttlMs: number): Promise<boolean> {
  const find = () =>
    db.query<{ alive: boolean }>(
      'SELECT expires_at > clock_timestamp() AS alive FROM credit_holders WHERE id = $1 FOR KEY SHARE',
      [holderId],
    )
  const known = await find()
  if (known.rows[0] !== undefined) return known.rows[0].alive
  await db.query(
    `INSERT INTO credit_holders (id, expires_at) VALUES ($1, clock_timestamp() + $2::bigint * interval '1 millisecond')
     ON CONFLICT DO NOTHING`,
    [holderId, ttlMs],
  )
  return (await find()).rows[0]?.alive ?? false
}
