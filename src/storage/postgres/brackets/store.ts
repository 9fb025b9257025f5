// Brackets in PostgreSQL.
import { asUnavailable, inTransaction, type Pool, type Queryable } from '../pool.ts'
import { type BracketRow, bracketColumns, type StoredExit } from './bracketRow.ts'
import { endOfWaitingPage, expireBrackets, finishBracket, postponeBracket, takeDue } from './dueBrackets.ts'

export interface NewBracket {
  id: string
  accountId: string
  keyId: string
  key: string
  bodySha256: Buffer
  entryId: string
  takeProfit: StoredExit | null
  stopLoss: StoredExit | null
  ocoGroupId: string
  expiresAt: Date
  armCountry: string | null
  at: Date
}

export type InsertBracketResult =
  | { kind: 'made'; row: BracketRow }
  /** The key is used, or the entry has an open bracket; nothing was written. */
  | { kind: 'taken' | 'has_bracket' }
  | { kind: 'account_full' }

export type CancelBracketResult =
  /** Also if it was canceled before. */
  { kind: 'canceled'; row: BracketRow } | { kind: 'not_found' } | { kind: 'not_waiting'; row: BracketRow }

const statementTimeoutMs = 1_500

export function createBracketStore(pool: Pool) {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('EXEC_UNAVAILABLE', work)
  const bound =
    <R extends unknown[], Result>(work: (db: Queryable, ...rest: R) => Promise<Result>) =>
    (...rest: R): Promise<Result> =>
      orUnavailable(work(pool, ...rest))
  return {
    insert: (wanted: NewBracket, openMax: number): Promise<InsertBracketResult> =>
      orUnavailable(inTransaction(pool, (client) => insert(client, wanted, openMax), { statementTimeoutMs })),
    find: (accountId: string, id: string) =>
      orUnavailable(findWhere(pool, 'b.account_id = $1 AND b.id = $2', accountId, id)),
    findByKey: (accountId: string, key: string) =>
      orUnavailable(findWhere(pool, 'b.account_id = $1 AND b.key = $2', accountId, key)),
    cancel: (accountId: string, id: string, at: Date): Promise<CancelBracketResult> =>
      orUnavailable(inTransaction(pool, (client) => cancel(client, accountId, id, at), { statementTimeoutMs })),
    endOfWaitingPage: bound(endOfWaitingPage),
    takeDue: bound(takeDue),
    finish: bound(finishBracket),
    postpone: bound(postponeBracket),
    expire: bound(expireBrackets),
  }
}
export type BracketStore = ReturnType<typeof createBracketStore>

async function findWhere(db: Queryable, where: string, accountId: string, value: string): Promise<BracketRow | null> {
  const { rows } = await db.query<BracketRow>(`SELECT ${bracketColumns} FROM brackets b WHERE ${where}`, [
    accountId,
    value,
  ])
  return rows[0] ?? null
}

/** Within a transaction. */
async function insert(db: Queryable, wanted: NewBracket, openMax: number): Promise<InsertBracketResult> {
  // Two requests of one account count after each other.
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('brackets ' || $1, 0))", [wanted.accountId])
  const { rows: counted } = await db.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM (
       SELECT FROM brackets WHERE account_id = $1 AND status IN ('waiting', 'arming') LIMIT $2) AS open`,
    [wanted.accountId, openMax],
  )
  if (counted[0]!.n >= openMax) return { kind: 'account_full' }
  const { rows } = await db.query<BracketRow>(
    `WITH b AS (
       INSERT INTO brackets (id, account_id, key_id, key, body_sha256, entry_id, status, take_profit, stop_loss, oco_group_id, expires_at,
         arm_country, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'waiting', $7, $8, $9, $10, $11, $12, $12) ON CONFLICT DO NOTHING RETURNING *
     )
     SELECT ${bracketColumns} FROM b`,
    [
      wanted.id,
      wanted.accountId,
      wanted.keyId,
      wanted.key,
      wanted.bodySha256,
      wanted.entryId,
      wanted.takeProfit === null ? null : JSON.stringify(wanted.takeProfit),
      wanted.stopLoss === null ? null : JSON.stringify(wanted.stopLoss),
      wanted.ocoGroupId,
      wanted.expiresAt,
      wanted.armCountry,
      wanted.at,
    ],
  )
  if (rows[0] !== undefined) return { kind: 'made', row: rows[0] }
  const byKey = await findWhere(db, 'b.account_id = $1 AND b.key = $2', wanted.accountId, wanted.key)
  return { kind: byKey === null ? 'has_bracket' : 'taken' }
}

async function cancel(db: Queryable, accountId: string, id: string, at: Date): Promise<CancelBracketResult> {
  const { rows } = await db.query<BracketRow>(
    `SELECT ${bracketColumns} FROM brackets b WHERE b.account_id = $1 AND b.id = $2 FOR UPDATE OF b`,
    [accountId, id],
  )
  const row = rows[0]
  if (row === undefined) return { kind: 'not_found' }
  if (row.status === 'canceled') return { kind: 'canceled', row }
  if (row.status !== 'waiting') return { kind: 'not_waiting', row }
  const { rows: canceled } = await db.query<BracketRow>(
    `WITH b AS (UPDATE brackets SET status = 'canceled', updated_at = greatest($2, updated_at) WHERE id = $1 RETURNING *)
     SELECT ${bracketColumns} FROM b`,
    [id, at],
  )
  return { kind: 'canceled', row: canceled[0]! }
}
