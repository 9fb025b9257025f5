// The limits of an order's account, checked inside the transaction that claims the order, one claim of the account after the other. An account
// without limits pays for one lookup by its id.
//
//   rows of the claim ─► limits (lock, if any apply) ─► usage ─► decision ─► COMMIT
//
// The lock is the last one that a claim waits for, except for the rows of spend caps: nothing that holds those waits for it.
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import { type RiskLimitRow, riskLimitColumns } from './limits.ts'
import { countOrder, type OrderRate } from './orderRate.ts'
import { type RiskOrder, readRiskUse, type ScopeUse, type UsageScope } from './usage.ts'

export interface LimitUse {
  /** Of the whole account. */
  account: ScopeUse
  /** Of the scope of each limit. */
  of: ReadonlyMap<RiskLimitRow, ScopeUse>
  /** Of limits of the order rate. */
  rates: ReadonlyMap<RiskLimitRow, OrderRate>
}

export interface RiskBreach {
  limit: RiskLimitRow
  /** What the order would make it, in the unit of the limit, decimal string; null: unknown, and that is refused. */
  would: string | null
  /** Shown to the caller. */
  words: string
  retryAfterSeconds?: number | undefined
}

/** Why a claim is rolled back. */
export type RiskObstacle =
  | { kind: 'limit'; breach: RiskBreach }
  /** These limits need what is not in the store, and it was not given. */
  | { kind: 'limits_unread'; limits: readonly RiskLimitRow[] }

export interface RiskCheck {
  order: RiskOrder
  /** Pure. Null: nothing is exceeded. */
  decide(limits: readonly RiskLimitRow[], use: LimitUse): RiskObstacle | null
}

/** Any number works as long as nothing else on the server uses it with an account. */
const riskLock = 724_605

const applies = `l.account_id = $1::uuid AND (l.key_id = $2::uuid OR l.key_id IS NULL) AND (l.venue = $3::text OR l.venue IS NULL)`

const applying = prepared(`SELECT ${riskLimitColumns} FROM risk_limits l WHERE ${applies} ORDER BY l.id`)

/** Those that apply to the order. */
export async function findLimits(
  db: Queryable,
  { accountId, keyId, venue }: Pick<RiskOrder, 'accountId' | 'keyId' | 'venue'>,
): Promise<RiskLimitRow[]> {
  const { rows } = await db.query<RiskLimitRow>(applying([accountId, keyId, venue]))
  return rows
}

const locking = prepared(`SELECT pg_advisory_xact_lock(${riskLock}, hashtext($1))`)

/**
 * Within the transaction that claims the order: until it has ended, no other claim of the account that a limit applies to gets past here. The
 * order is added to those of its minute. Null: nothing is exceeded.
 */
export async function checkClaim(
  db: Queryable,
  risk: RiskCheck,
  limits: readonly RiskLimitRow[],
): Promise<RiskObstacle | null> {
  if (limits.length === 0) return null
  // Pipelined: the statements behind the lock see what the claims before this one have committed.
  const [, obstacle] = await Promise.all([
    db.query(locking([risk.order.accountId])),
    checkLimits(db, risk, limits, { counts: true }),
  ])
  return obstacle
}

/** Null: nothing is exceeded. `counts`: limits of the order rate are checked, and the order is added to those of its minute. */
export async function checkLimits(
  db: Queryable,
  { order, decide }: RiskCheck,
  limits: readonly RiskLimitRow[],
  { counts }: { counts: boolean },
): Promise<RiskObstacle | null> {
  if (limits.length === 0) return null
  const rated = counts ? limits.filter(({ kind }) => kind === 'orderRate') : []
  // Pipelined.
  const [[account, ...uses], rates] = await Promise.all([
    readRiskUse(db, order, [{ keyId: null, venue: null }, ...limits.map(scopeOf)]),
    rated.length === 0 ? [] : countOrder(db, order, rated.map(scopeOf)),
  ])
  return decide(limits, {
    account: account!,
    of: new Map(limits.map((limit, n) => [limit, uses[n]!])),
    rates: new Map(rated.map((limit, n) => [limit, rates[n]!])),
  })
}

export const scopeOf = ({ key_id, venue }: Pick<RiskLimitRow, 'key_id' | 'venue'>): UsageScope => ({
  keyId: key_id,
  venue,
})
