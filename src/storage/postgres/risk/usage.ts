// How much of its limits an account uses, with and without one order: counted from its own rows, inside the transaction that claims the order.
//
// An order and its changes count as one: it may still be filled up to its last accepted terms, or up to those of a change whose outcome is
// unknown if they are more. What the venue has ever reported as filled makes up the position, together with what the owner entered as
// acquired elsewhere.
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'

/** An order that is about to leave. Decimal strings. */
export interface RiskOrder {
  /** Of the execution. */
  id: string
  accountId: string
  keyId: string
  venue: string
  /** Of a modification: the execution it acts on. */
  targetId: string | null
  /** Of a modification that keeps the order: the venue's id of it, under which fills count. Otherwise null. */
  keptRef: string | null
  /** Null, like the next three: unknown. */
  marketId: string | null
  outcomeId: string | null
  isBuy: boolean | null
  size: string | null
  /** The most it can cost; null: no known dollar value. */
  notionalUsd: string | null
}

/** Null: all keys, all venues. */
export interface UsageScope {
  keyId: string | null
  venue: string | null
}

/** Decimal strings. Of the order's outcome: `net`, `openBuys`, `openSells`. */
export interface RiskUse {
  openOrders: number
  /** The most that open orders can still cost; null: one of them has no known dollar value. */
  openUsd: string | null
  /** Including what was filled of them: their fills may not be recorded yet. */
  openUsdWhole: string | null
  /** Below zero: more was sold than is known to have been bought. */
  net: string
  openBuys: string
  openSells: string
}

export interface ScopeUse {
  /** Without the order. */
  before: RiskUse
  /** With it. */
  after: RiskUse
}

/** Of each scope, in order. */
export async function readRiskUse(db: Queryable, order: RiskOrder, scopes: readonly UsageScope[]): Promise<ScopeUse[]> {
  const { rows } = await db.query<RiskUse & { n: number; withOwn: boolean }>(
    usage([
      JSON.stringify(scopes.map((scope, n) => ({ n, ...scope }))),
      order.accountId,
      order.id,
      order.keyId,
      order.venue,
      order.targetId,
      order.marketId,
      order.outcomeId,
      order.isBuy,
      order.size,
      order.notionalUsd,
      order.keptRef,
    ]),
  )
  const useOf = (n: number, withOwn: boolean): RiskUse => {
    const row = rows.find((each) => each.n === n && each.withOwn === withOwn)!
    const { openOrders, openUsd, openUsdWhole, net, openBuys, openSells } = row
    return { openOrders, openUsd, openUsdWhole, net, openBuys, openSells }
  }
  return scopes.map((_, n) => ({ before: useOf(n, false), after: useOf(n, true) }))
}

const isOpen = `e.status IN ('submitted', 'acked') AND NOT (e.intent = 'cancel' AND e.status = 'acked') AND e.intent IN ('order', 'modify')`
const isOfOutcome = `e.venue = $5::text AND e.terms->>'outcomeId' = $8::text AND e.terms->>'marketId' = $7::text`
const terms = `(e.terms->>'size')::numeric AS size, (e.terms->>'isBuy')::boolean AS is_buy`

// A family is an order with its modifications; it counts for every key that has an open member in it.
const usage = prepared(`WITH scopes AS MATERIALIZED (
    SELECT s.n, s."keyId" AS key_id, s.venue, v.with_own
    FROM json_to_recordset($1::json) AS s (n integer, "keyId" uuid, venue text) CROSS JOIN (VALUES (false), (true)) AS v (with_own)
  ), members AS MATERIALIZED (
    SELECT e.id, e.seq, e.target_id, e.key_id, e.venue, e.status, e.venue_ref, e.notional_usd AS usd, ${terms},
      coalesce(e.matched_size, 0) AS filled, coalesce(${isOfOutcome}, false) AS is_of_outcome, false AS is_own
    FROM executions e WHERE e.account_id = $2::uuid AND e.id <> $3::uuid AND ${isOpen}
    UNION ALL
    SELECT $3::uuid, 9223372036854775807, $6::uuid, $4::uuid, $5::text, 'submitted', $12::text, $11::numeric, $10::numeric, $9::boolean, 0,
      $8::text IS NOT NULL, true
  ), placed AS MATERIALIZED (
    -- One row at a time: as a join, its cost would grow with the square of the rows.
    SELECT m.*, CASE WHEN m.target_id IS NULL THEN m.id ELSE (
        WITH RECURSIVE up AS (
          SELECT e.id, e.target_id FROM executions e WHERE e.id = m.target_id
          UNION ALL SELECT e.id, e.target_id FROM up JOIN executions e ON e.id = up.target_id
        ) SELECT up.id FROM up WHERE up.target_id IS NULL) END AS root
    FROM members m
  ), own AS MATERIALIZED (
    SELECT root FROM placed WHERE is_own
  ), varied AS (
    SELECT false AS with_own, placed.* FROM placed WHERE NOT is_own
    UNION ALL SELECT true, placed.* FROM placed WHERE root = (SELECT root FROM own)
  ), sized AS (
    SELECT *, greatest(0, size - max(filled) OVER (PARTITION BY with_own, root, venue_ref)) AS remaining,
      status = 'submitted' OR seq = max(seq) FILTER (WHERE status = 'acked') OVER (PARTITION BY with_own, root) AS counts
    FROM varied
  ), families AS MATERIALIZED (
    SELECT with_own, root, array_agg(key_id) AS keys, min(venue) AS venue, bool_or(is_of_outcome) AS is_of_outcome, bool_or(is_buy) AS is_buy,
      coalesce(max(remaining) FILTER (WHERE counts), 0) AS remaining,
      coalesce(max(CASE WHEN size > 0 THEN usd * least(remaining, size) / size ELSE usd END) FILTER (WHERE counts), 0) AS open_usd,
      coalesce(max(usd) FILTER (WHERE counts), 0) AS whole_usd,
      bool_or(counts AND usd IS NULL) AS is_unpriced
    FROM sized GROUP BY with_own, root
  ), fills AS MATERIALIZED (
    -- By the venue's order: executions that changed it in place report the same fills.
    SELECT key_id, min(seq) AS seq, bool_or(is_buy) AS is_buy, bool_and(coalesce(usd, 1) = 0) AS only_closes, max(filled) AS filled
    FROM (
      SELECT e.key_id, e.seq, e.venue_ref, e.id, e.notional_usd AS usd, ${terms}, e.matched_size AS filled
      FROM executions e WHERE e.account_id = $2::uuid AND e.id <> $3::uuid AND ${isOpen} AND ${isOfOutcome} AND e.matched_size > 0
      UNION ALL
      SELECT e.key_id, e.seq, e.venue_ref, e.id, e.notional_usd, ${terms},
        CASE WHEN e.status = 'filled' THEN greatest(e.matched_size, (e.terms->>'size')::numeric) ELSE e.matched_size END
      FROM executions e WHERE e.account_id = $2::uuid AND e.id <> $3::uuid AND ${isOfOutcome}
        AND e.intent IN ('order', 'modify') AND (e.status = 'filled' OR e.matched_size > 0) AND e.status NOT IN ('submitted', 'acked')
    ) AS x GROUP BY key_id, coalesce(venue_ref, id::text)
  ), traded AS (
    SELECT s.n, f.*, sum(CASE WHEN f.is_buy THEN f.filled ELSE -f.filled END) OVER (PARTITION BY s.n ORDER BY f.seq ROWS UNBOUNDED PRECEDING) AS running
    FROM scopes s JOIN fills f ON s.key_id IS NULL OR f.key_id = s.key_id WHERE NOT s.with_own
  ), imported AS (
    SELECT coalesce(sum(i.size), 0) AS size FROM portfolio_imports i
    WHERE i.account_id = $2::uuid AND i.kind = 'position' AND i.venue = $5::text AND i.market_id = $7::text AND i.outcome_id = $8::text
  ), nets AS MATERIALIZED (
    -- Sales that could only close a position do not make it negative: what they sold was acquired elsewhere.
    SELECT s.n, held.size + coalesce(sum(CASE WHEN t.is_buy THEN t.filled ELSE -t.filled END), 0)
      - CASE WHEN bool_or(NOT t.is_buy AND NOT t.only_closes) THEN 0 ELSE least(0, min(t.running) + held.size) END AS net
    FROM scopes s CROSS JOIN LATERAL (SELECT CASE WHEN s.key_id IS NULL THEN i.size ELSE 0 END AS size FROM imported i) held
    LEFT JOIN traded t ON t.n = s.n WHERE NOT s.with_own
    GROUP BY s.n, held.size
  )
  SELECT s.n, s.with_own AS "withOwn",
    count(f.root)::integer AS "openOrders",
    CASE WHEN bool_or(f.is_unpriced) THEN NULL ELSE trim_scale(ceil(coalesce(sum(f.open_usd), 0) * 1000000) / 1000000)::text END AS "openUsd",
    CASE WHEN bool_or(f.is_unpriced) THEN NULL ELSE trim_scale(coalesce(sum(f.whole_usd), 0))::text END AS "openUsdWhole",
    (SELECT trim_scale(nets.net)::text FROM nets WHERE nets.n = s.n) AS net,
    trim_scale(coalesce(sum(f.remaining) FILTER (WHERE f.is_of_outcome AND f.is_buy), 0))::text AS "openBuys",
    trim_scale(coalesce(sum(f.remaining) FILTER (WHERE f.is_of_outcome AND NOT f.is_buy), 0))::text AS "openSells"
  FROM scopes s LEFT JOIN families f ON (s.key_id IS NULL OR s.key_id = ANY (f.keys)) AND (s.venue IS NULL OR f.venue = s.venue)
    AND CASE WHEN s.with_own THEN f.with_own OR f.root <> (SELECT root FROM own) ELSE NOT f.with_own END
  GROUP BY s.n, s.with_own`)
