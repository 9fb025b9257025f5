// Which builds of a group its caps would still allow, after the group as a whole was rejected.
import type { Queryable } from '../pool.ts'
import type { NewExecution } from './insertExecutions.ts'

export type SpendVerdict =
  /** Fits together with all earlier ones that are not `beyond`. */
  | 'fits'
  /** Fits, but perhaps not after the earlier ones. */
  | 'perhaps'
  | 'beyond'

/** By id. Advisory only: the constraint decides, since others reserve concurrently. */
export async function checkSpendLimit(
  db: Queryable,
  wanted: readonly NewExecution[],
): Promise<ReadonlyMap<string, SpendVerdict>> {
  const records = wanted.map(({ id, accountId, keyId, roomUsd, at, key: { kind, key } }, n) => ({
    n,
    id,
    accountId,
    keyId,
    roomUsd,
    at,
    kind,
    key,
  }))
  const { rows } = await db.query<{ id: string; verdict: SpendVerdict }>({
    name: 'judge_spend',
    text: statement,
    values: [JSON.stringify(records)],
  })
  return new Map(rows.map(({ id, verdict }) => [id, verdict]))
}

// A key that is taken, or appears earlier in the group, reserves nothing and is let through so that it is reported as
// taken.
const statement = `WITH wanted AS (
    SELECT *, (at AT TIME ZONE 'UTC')::date AS day,
      row_number() OVER (PARTITION BY "accountId", kind, key ORDER BY n) = 1 AND NOT EXISTS (
        SELECT FROM execution_keys k WHERE (k.account_id, k.kind, k.key) = (w."accountId", w.kind, w.key)) AS fresh
    FROM json_to_recordset($1::json) AS w (n integer, id uuid, "accountId" uuid, "keyId" uuid, "roomUsd" numeric,
      at timestamptz, kind text, key text)
  ), spending AS (
    SELECT n, w.id, c.scope_id, w.day, c.daily_usd - coalesce(r.reserved, 0) AS free, coalesce("roomUsd", 'Infinity') AS own
    FROM wanted w JOIN spend_caps c ON c.scope_id IN (w."accountId", w."keyId")
    LEFT JOIN spend_reserved r ON r.scope_id = c.scope_id AND r.day = w.day
    WHERE fresh AND "roomUsd" IS DISTINCT FROM 0
  ), judged AS (
    SELECT *, bool_or(free < own) OVER (PARTITION BY id) AS beyond FROM spending
  ), summed AS (
    SELECT id, beyond, free < sum(own) FILTER (WHERE NOT beyond) OVER (PARTITION BY scope_id, day ORDER BY n) AS crowded FROM judged
  )
  SELECT w.id, CASE WHEN bool_or(beyond) THEN 'beyond' WHEN bool_or(crowded) THEN 'perhaps' ELSE 'fits' END AS verdict
  FROM wanted w LEFT JOIN summed ON summed.id = w.id GROUP BY w.id`
