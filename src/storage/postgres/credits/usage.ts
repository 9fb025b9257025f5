// An account's settled calls by day and route and by key.
import type { Queryable } from '../pool.ts'

export interface UsageRow {
  /** `YYYY-MM-DD` in UTC. */
  day: string
  operationId: string
  calls: number
  credits: number
}

export interface KeyUsageRow {
  keyId: string
  calls: number
  credits: number
}

export interface UsageQuery {
  accountId: string
  /** Null: all keys. */
  keyId: string | null
  from: string
  /** Inclusive. */
  to: string
}

interface Row {
  day: string | null
  operation_id: string | null
  /** Null in sums by day and route. */
  key_id: string | null
  calls: string
  credits: string
}

/** One statement, so that both add up to the same. */
export async function findUsage(
  db: Queryable,
  { accountId, keyId, from, to }: UsageQuery,
): Promise<{ lines: UsageRow[]; byKey: KeyUsageRow[] }> {
  const { rows } = await db.query<Row>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, operation_id, key_id, sum(calls) AS calls, sum(credits) AS credits
     FROM credit_usage
     WHERE account_id = $1 AND day BETWEEN $2::date AND $3::date AND ($4::uuid IS NULL OR key_id = $4)
     GROUP BY GROUPING SETS ((credit_usage.day, operation_id), (key_id))
     ORDER BY credit_usage.day, operation_id, key_id`,
    [accountId, from, to, keyId],
  )
  const lines: UsageRow[] = []
  const byKey: KeyUsageRow[] = []
  for (const { day, operation_id, key_id, ...sums } of rows) {
    const calls = Number(sums.calls)
    const credits = Number(sums.credits)
    if (key_id === null) lines.push({ day: day!, operationId: operation_id!, calls, credits })
    else byKey.push({ keyId: key_id, calls, credits })
  }
  return { lines, byKey }
}
