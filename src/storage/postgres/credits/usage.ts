// What an account asked, by day and route, as far as it is settled.
import type { Queryable } from '../pool.ts'

export interface UsageRow {
  /** `YYYY-MM-DD` in UTC. */
  day: string
  operationId: string
  calls: number
  credits: number
}

/** Both days inclusive. `keyId` null: all keys. */
export async function findUsage(
  db: Queryable,
  { accountId, keyId, from, to }: { accountId: string; keyId: string | null; from: string; to: string },
): Promise<UsageRow[]> {
  const { rows } = await db.query<{ day: string; operation_id: string; calls: string; credits: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, operation_id, sum(calls) AS calls, sum(credits) AS credits
     FROM credit_usage
     WHERE account_id = $1 AND day BETWEEN $2::date AND $3::date AND ($4::uuid IS NULL OR key_id = $4)
     GROUP BY credit_usage.day, operation_id ORDER BY credit_usage.day, operation_id`,
    [accountId, from, to, keyId],
  )
  return rows.map((row) => ({
    day: row.day,
    operationId: row.operation_id,
    calls: Number(row.calls),
    credits: Number(row.credits),
  }))
}
