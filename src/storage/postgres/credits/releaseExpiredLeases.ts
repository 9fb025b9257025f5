// Takes back the leases of dead processes. As far as is known none of them was spent, and the credits never left the balance.
import type { Queryable } from '../pool.ts'
import { lockAccounts } from './lockAccount.ts'

const holdersAtOnce = 20
/** A process that comes back within this finds its last settlement's number, and nothing is charged twice. */
const retentionDays = 7

/** Within a transaction. Returns the number of credits freed. */
export async function sweepLeases(db: Queryable): Promise<number> {
  const { rows: dead } = await db.query<{ id: string }>(
    `SELECT id FROM credit_holders h
     WHERE expires_at < clock_timestamp() AND EXISTS (SELECT 1 FROM credit_leases WHERE holder_id = h.id)
     ORDER BY id LIMIT ${holdersAtOnce} FOR UPDATE SKIP LOCKED`,
  )
  if (dead.length === 0) return 0
  const holderIds = dead.map(({ id }) => id)
  const { rows: leases } = await db.query<{ account_id: string }>(
    'SELECT DISTINCT account_id FROM credit_leases WHERE holder_id = ANY($1::uuid[])',
    [holderIds],
  )
  await lockAccounts(
    db,
    leases.map(({ account_id }) => account_id),
  )
  const { rows } = await db.query<{ credits: string }>(
    `WITH gone AS (
       DELETE FROM credit_leases WHERE holder_id = ANY($1::uuid[]) RETURNING account_id, credits
     ), freed AS (
       SELECT account_id, sum(credits)::bigint AS credits FROM gone GROUP BY account_id
     )
     UPDATE credit_accounts c SET held = c.held - f.credits FROM freed f WHERE c.account_id = f.account_id RETURNING f.credits`,
    [holderIds],
  )
  return rows.reduce((sum, { credits }) => sum + Number(credits), 0)
}

/** Leases without credits, and processes that will never come back. */
export async function pruneEmpty(db: Queryable): Promise<void> {
  await db.query('DELETE FROM credit_leases WHERE credits = 0')
  await db.query(
    `DELETE FROM credit_holders h
     WHERE expires_at < clock_timestamp() - interval '${retentionDays} days'
       AND NOT EXISTS (SELECT 1 FROM credit_leases WHERE holder_id = h.id)`,
  )
}
