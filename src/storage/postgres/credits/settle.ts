// What a process spent and what it no longer needs, taken into the books. Numbered by the process: a settlement whose answer was lost is
// sent again as it was and changes nothing the second time.
import type { Queryable } from '../pool.ts'
import { lockAccounts } from './lockAccount.ts'

export interface Settlement {
  holderId: string
  /** 1 and up, without a hole. */
  number: number
  /** How long the process may be silent from now on. */
  ttlMs: number
  /** Of limited accounts, each at most once. */
  accounts: readonly { accountId: string; spent: number; givenBack: number }[]
  /** Of all accounts; each (account, day, operation, key) at most once. */
  usage: readonly UsageEntry[]
}

export interface UsageEntry {
  accountId: string
  /** `YYYY-MM-DD` in UTC. */
  day: string
  operationId: string
  keyId: string
  calls: number
  credits: number
}

export interface SettledAccount {
  accountId: string
  balance: number
  /** Nobody's. */
  available: number
  /** What the process holds after this, in the books. */
  leased: number
  /** Spent beyond the lease when nothing was left: the service's loss, never a debt. */
  writtenOff: number
}

/** Within a transaction. Null: it was settled before. */
export async function settle(db: Queryable, settlement: Settlement): Promise<SettledAccount[] | null> {
  const { holderId, accounts, usage } = settlement
  if (!(await nextSettlement(db, settlement))) return null
  let settled: SettledAccount[] = []
  if (accounts.length > 0) {
    await lockAccounts(
      db,
      accounts.map(({ accountId }) => accountId),
    )
    settled = await settleAccounts(db, holderId, accounts)
    await db.query('DELETE FROM credit_leases WHERE holder_id = $1 AND credits = 0', [holderId])
  }
  if (usage.length > 0) await addUsage(db, usage)
  return settled
}

/** A sign of life, too: a process taken for dead lives again, without what it held. */
async function nextSettlement(db: Queryable, { holderId, number, ttlMs }: Settlement): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO credit_holders AS h (id, settlement, expires_at)
     VALUES ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond')
     ON CONFLICT (id) DO UPDATE SET settlement = EXCLUDED.settlement, expires_at = EXCLUDED.expires_at
       WHERE h.settlement = EXCLUDED.settlement - 1`,
    [holderId, number, ttlMs],
  )
  return rowCount === 1
}

/** The lease pays first; what goes beyond it (a lease that had lapsed) is paid from what nobody holds, as far as that goes. */
async function settleAccounts(
  db: Queryable,
  holderId: string,
  accounts: Settlement['accounts'],
): Promise<SettledAccount[]> {
  const { rows } = await db.query<{
    account_id: string
    balance: string
    held: string
    leased: string
    written_off: string
  }>(
    `WITH asked AS (
       SELECT * FROM unnest($2::uuid[], $3::bigint[], $4::bigint[]) AS t (account_id, spent, given_back)
     ), parts AS (
       SELECT q.account_id, q.spent,
         coalesce(l.credits, 0) AS leased, least(q.spent, coalesce(l.credits, 0)) AS from_lease,
         least(q.given_back, greatest(coalesce(l.credits, 0) - q.spent, 0)) AS back,
         least(greatest(q.spent - coalesce(l.credits, 0), 0), c.balance - c.held) AS beyond
       FROM asked q
       JOIN credit_accounts c USING (account_id)
       LEFT JOIN credit_leases l ON l.holder_id = $1 AND l.account_id = q.account_id
     ), leases AS (
       UPDATE credit_leases l SET credits = l.credits - p.from_lease - p.back
       FROM parts p WHERE l.holder_id = $1 AND l.account_id = p.account_id
     ), paid AS (
       UPDATE credit_accounts c SET balance = c.balance - p.from_lease - p.beyond, held = c.held - p.from_lease - p.back
       FROM parts p WHERE c.account_id = p.account_id
       RETURNING c.account_id, c.balance, c.held, p.leased - p.from_lease - p.back AS leased, p.from_lease + p.beyond AS paid, p.spent
     ), entries AS (
       INSERT INTO credit_ledger (account_id, kind, credits, balance, holder_id)
       SELECT account_id, 'usage', -paid, balance, $1 FROM paid WHERE paid > 0
     )
     SELECT account_id, balance, held, leased, spent - paid AS written_off FROM paid`,
    [
      holderId,
      accounts.map(({ accountId }) => accountId),
      accounts.map(({ spent }) => spent),
      accounts.map(({ givenBack }) => givenBack),
    ],
  )
  return rows.map((row) => ({
    accountId: row.account_id,
    balance: Number(row.balance),
    available: Number(row.balance) - Number(row.held),
    leased: Number(row.leased),
    writtenOff: Number(row.written_off),
  }))
}

async function addUsage(db: Queryable, usage: readonly UsageEntry[]): Promise<void> {
  // In one order in every process, so that two of them never wait for each other.
  const rows = [...usage].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  await db.query(
    `INSERT INTO credit_usage AS u (account_id, day, operation_id, key_id, calls, credits)
     SELECT * FROM unnest($1::uuid[], $2::date[], $3::text[], $4::uuid[], $5::bigint[], $6::bigint[])
     ON CONFLICT (account_id, day, operation_id, key_id)
       DO UPDATE SET calls = u.calls + EXCLUDED.calls, credits = u.credits + EXCLUDED.credits`,
    [
      rows.map(({ accountId }) => accountId),
      rows.map(({ day }) => day),
      rows.map(({ operationId }) => operationId),
      rows.map(({ keyId }) => keyId),
      rows.map(({ calls }) => calls),
      rows.map(({ credits }) => credits),
    ],
  )
}

const orderOf = ({ accountId, day, operationId, keyId }: UsageEntry): string =>
  `${accountId} ${day} ${operationId} ${keyId}`
