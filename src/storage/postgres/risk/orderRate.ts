// Orders per minute under a limit of their rate: counted with the claim that adds one, so that a claim that is rolled back adds none.
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import type { RiskOrder, UsageScope } from './usage.ts'

export interface OrderRate {
  /** In the last minute, with this order. */
  count: number
  /** Seconds until the oldest of them is a minute old; 60 without any. */
  oldestLeavesInSeconds: number
}

const counting = prepared(`WITH pruned AS (
    DELETE FROM risk_order_times WHERE account_id = $2::uuid AND at <= clock_timestamp() - interval '1 minute'
  ), added AS (
    INSERT INTO risk_order_times (account_id, key_id, venue, at) VALUES ($2::uuid, $3::uuid, $4::text, clock_timestamp())
  ), times AS (
    SELECT key_id, venue, at FROM risk_order_times WHERE account_id = $2::uuid AND at > clock_timestamp() - interval '1 minute'
  )
  SELECT s.n, 1 + count(t.at)::integer AS count,
    coalesce(ceil(extract(epoch FROM min(t.at) + interval '1 minute' - clock_timestamp())), 60)::integer AS "oldestLeavesInSeconds"
  FROM json_to_recordset($1::json) AS s (n integer, "keyId" uuid, venue text)
  LEFT JOIN times t ON (s."keyId" IS NULL OR t.key_id = s."keyId") AND (s.venue IS NULL OR t.venue = s.venue)
  GROUP BY s.n`)

/** Of each scope, in order. Adds the order. */
export async function countOrder(
  db: Queryable,
  { accountId, keyId, venue }: Pick<RiskOrder, 'accountId' | 'keyId' | 'venue'>,
  scopes: readonly UsageScope[],
): Promise<OrderRate[]> {
  const { rows } = await db.query<OrderRate & { n: number }>(
    counting([JSON.stringify(scopes.map((scope, n) => ({ n, ...scope }))), accountId, keyId, venue]),
  )
  return scopes.map((_, n) => {
    const { count, oldestLeavesInSeconds } = rows.find((row) => row.n === n)!
    return { count, oldestLeavesInSeconds }
  })
}

/** Of each scope, in order: orders in the last minute, of those that a limit of their rate applied to. */
export async function readOrderCounts(
  db: Queryable,
  accountId: string,
  scopes: readonly UsageScope[],
): Promise<number[]> {
  const { rows } = await db.query<{ n: number; count: number }>(
    `SELECT s.n, count(t.at)::integer AS count
     FROM json_to_recordset($1::json) AS s (n integer, "keyId" uuid, venue text)
     LEFT JOIN risk_order_times t ON t.account_id = $2::uuid AND t.at > clock_timestamp() - interval '1 minute'
       AND (s."keyId" IS NULL OR t.key_id = s."keyId") AND (s.venue IS NULL OR t.venue = s.venue)
     GROUP BY s.n`,
    [JSON.stringify(scopes.map((scope, n) => ({ n, ...scope }))), accountId],
  )
  return scopes.map((_, n) => rows.find((row) => row.n === n)?.count ?? 0)
}
