// Books what a process spent and returns what it no longer needs. The process numbers its settlements: one whose response was lost is resent
// unchanged, and changes nothing the second time.
import type { Queryable } from '../pool.ts'
import { lockAccounts } from './lockAccount.ts'

export interface Settlement {
  holderId: string
  /** 1 and up, without gaps. */
  number: number
  /** How long the process may be silent from now on. */
  ttlMs: number
  /** Limited accounts, each at most once. */
  accounts: readonly { accountId: string; spent: number; givenBack: number }[]
  /** All accounts; each (account, day, operation, key) at most once. */
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
  /** Not held by any process. */
  available: number
  /** What the process holds after this, according to the database. */
  leased: number
  /** Spent beyond the lease when nothing was left: the service's loss, never a debt. */
  writtenOff: number
}

/**
 * In one statement. Null: the process is not known to be alive, or has settled this before; `forceSettle` distinguishes them. While it
 * is alive only it touches its leases, so the statement's snapshot of them holds until it ends.
 */
export async function settle(db: Queryable, settlement: Settlement): Promise<SettledAccount[] | null> {
  const { rows } = await db.query<SettledRow & { mine: boolean }>({
    name: 'settle_credits',
    text: `WITH mine AS (
       ${numbered('AND h.expires_at > clock_timestamp()')} RETURNING id
     ), locked AS (
       SELECT account_id, balance, held FROM credit_accounts
       WHERE account_id = ANY($4::uuid[]) AND EXISTS (SELECT 1 FROM mine) ORDER BY account_id FOR UPDATE
     ), ${parts('locked')}, used AS (
       ${usage('WHERE EXISTS (SELECT 1 FROM mine)')}
     )
     SELECT EXISTS (SELECT 1 FROM mine) AS mine, paid.* FROM (VALUES (1)) AS one LEFT JOIN paid ON true`,
    values: [...numberOf(settlement), ...accountsOf(settlement), ...usageOf(settlement)],
  })
  if (!rows[0]!.mine) return null
  return rows.filter(({ account_id }) => account_id !== null).map(settledOf)
}

/** Within a transaction; also for a process taken for dead, which comes back without what it held. Null: settled before. */
export async function forceSettle(db: Queryable, settlement: Settlement): Promise<SettledAccount[] | null> {
  const { rowCount } = await db.query(numbered(''), numberOf(settlement))
  if (rowCount === 0) return null
  let settled: SettledAccount[] = []
  if (settlement.accounts.length > 0) {
    const [accountIds, spent, givenBack] = accountsOf(settlement)
    await lockAccounts(db, accountIds)
    const { rows } = await db.query<SettledRow>(
      `WITH holder AS (SELECT $1::uuid AS id, $2::bigint AS number, $3::bigint AS ttl), ${parts('credit_accounts')}
       SELECT account_id, balance, held, leased, written_off FROM paid`,
      [...numberOf(settlement), accountIds, spent, givenBack],
    )
    settled = rows.map(settledOf)
  }
  if (settlement.usage.length > 0) {
    await db.query(usage('', 1), usageOf(settlement))
  }
  return settled
}

/** Also a sign of life. */
const numbered = (only: string): string =>
  `INSERT INTO credit_holders AS h (id, settlement, expires_at)
   VALUES ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond')
   ON CONFLICT (id) DO UPDATE SET settlement = EXCLUDED.settlement, expires_at = EXCLUDED.expires_at
     WHERE h.settlement = EXCLUDED.settlement - 1 ${only}`

/** The lease pays first; anything beyond it (a lease that had lapsed) is paid from unheld credits, as far as they go. */
const parts = (accounts: string): string =>
  `parts AS (
     SELECT q.account_id, q.spent, coalesce(l.credits, 0) AS leased, least(q.spent, coalesce(l.credits, 0)) AS from_lease,
       least(q.given_back, greatest(coalesce(l.credits, 0) - q.spent, 0)) AS back,
       least(greatest(q.spent - coalesce(l.credits, 0), 0), c.balance - c.held) AS beyond
     FROM unnest($4::uuid[], $5::bigint[], $6::bigint[]) AS q (account_id, spent, given_back)
     JOIN ${accounts} c USING (account_id)
     LEFT JOIN credit_leases l ON l.holder_id = $1 AND l.account_id = q.account_id
   ), leases AS (
     UPDATE credit_leases l SET credits = l.credits - p.from_lease - p.back
     FROM parts p WHERE l.holder_id = $1 AND l.account_id = p.account_id
   ), paid AS (
     UPDATE credit_accounts c SET balance = c.balance - p.from_lease - p.beyond, held = c.held - p.from_lease - p.back
     FROM parts p WHERE c.account_id = p.account_id
     RETURNING c.account_id, c.balance, c.held, p.leased - p.from_lease - p.back AS leased, p.from_lease + p.beyond AS paid,
       p.spent - p.from_lease - p.beyond AS written_off
   ), entries AS (
     INSERT INTO credit_ledger (account_id, kind, credits, balance, holder_id)
     SELECT account_id, 'usage', -paid, balance, $1 FROM paid WHERE paid > 0
   )`

/** `first`: number of its first parameter. */
const usage = (only: string, first = 7): string =>
  `INSERT INTO credit_usage AS u (account_id, day, operation_id, key_id, calls, credits)
   SELECT * FROM unnest($${first}::uuid[], $${first + 1}::date[], $${first + 2}::text[], $${first + 3}::uuid[], $${first + 4}::bigint[],
     $${first + 5}::bigint[]) ${only}
   ON CONFLICT (account_id, day, operation_id, key_id)
     DO UPDATE SET calls = u.calls + EXCLUDED.calls, credits = u.credits + EXCLUDED.credits`

interface SettledRow {
  account_id: string
  balance: string
  held: string
  leased: string
  written_off: string
}

const settledOf = (row: SettledRow): SettledAccount => ({
  accountId: row.account_id,
  balance: Number(row.balance),
  available: Number(row.balance) - Number(row.held),
  leased: Number(row.leased),
  writtenOff: Number(row.written_off),
})

const numberOf = ({ holderId, number, ttlMs }: Settlement) => [holderId, number, ttlMs]

const accountsOf = ({ accounts }: Settlement): [string[], number[], number[]] => [
  accounts.map(({ accountId }) => accountId),
  accounts.map(({ spent }) => spent),
  accounts.map(({ givenBack }) => givenBack),
]

/** In the same order in every process, so that two of them never deadlock. */
function usageOf({ usage }: Settlement): unknown[] {
  const rows = [...usage].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  return [
    rows.map(({ accountId }) => accountId),
    rows.map(({ day }) => day),
    rows.map(({ operationId }) => operationId),
    rows.map(({ keyId }) => keyId),
    rows.map(({ calls }) => calls),
    rows.map(({ credits }) => credits),
  ]
}

const orderOf = ({ accountId, day, operationId, keyId }: UsageEntry): string =>
  `${accountId} ${day} ${operationId} ${keyId}`
