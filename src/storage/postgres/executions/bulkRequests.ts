// Requests for many operations: a key belongs to one request, and a request that cancels everything selects its orders once.
import type { Queryable } from '../pool.ts'
import { inFlight } from './findOrders.ts'

interface KeyedRequest {
  accountId: string
  key: string
  /** Hash of everything that defines the request. */
  bodySha256: Buffer
  at: Date
}

export interface BulkRequest extends KeyedRequest {
  kind: 'build' | 'submit'
}

/** False: the key belongs to another request. */
export async function bindBulkRequest(
  db: Queryable,
  { accountId, kind, key, bodySha256, at }: BulkRequest,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO bulk_requests (account_id, kind, key, body_sha256, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [accountId, kind, key, bodySha256, at],
  )
  if (rowCount === 1) return true
  const { rows } = await db.query<{ body_sha256: Buffer }>(
    'SELECT body_sha256 FROM bulk_requests WHERE account_id = $1 AND kind = $2 AND key = $3',
    [accountId, kind, key],
  )
  return rows[0]!.body_sha256.equals(bodySha256)
}

/** What is to be cancelled. */
export interface CancelScope {
  accountId: string
  /** Null: any. */
  venue: string | null
  marketId: string | null
  /** Armed conditional orders as well. */
  conditionals: boolean
}

export interface CancelAllRequest extends CancelScope, KeyedRequest {
  /** Of orders, and of conditional orders. */
  most: number
}

export interface SelectedOrder {
  executionId: string
  venue: string
  marketId: string | null
}

/** Newest first; orders of which the venue has acknowledged a cancel last. */
export interface CancelSelection {
  orders: SelectedOrder[]
  conditionalIds: string[]
}

const marketOf = (execution: string): string =>
  `coalesce(${execution}.terms->>'marketId', ${execution}.summary->'outcome'->>'marketId')`

/**
 * Opens a `WITH`: `orders` has the orders in flight of account $1, at venue $2 and in market $3 (null: any). `has_cancel`: the venue has
 * acknowledged a cancel.
 */
const ordersInFlight = `RECURSIVE members AS (
    SELECT e.id, e.seq, e.target_id FROM executions e
    WHERE e.account_id = $1 AND e.intent IN ('order', 'modify') AND ${inFlight}
      AND ($2::text IS NULL OR e.venue = $2) AND ($3::text IS NULL OR ${marketOf('e')} = $3)
  ), up AS (
    SELECT id, seq, id AS ancestor, target_id FROM members
    -- One row each: a join could read the whole table.
    UNION ALL SELECT up.id, up.seq, t.id, t.target_id FROM up, LATERAL (
      SELECT x.id, x.target_id FROM executions x WHERE x.id = up.target_id LIMIT 1
    ) t
  ), families AS (
    -- Of an order and its changes the oldest: its cancel acts on the order as the venue has it.
    SELECT DISTINCT ON (ancestor) id, seq FROM up WHERE target_id IS NULL ORDER BY ancestor, seq
  ), orders AS (
    SELECT f.id, f.seq, (
      SELECT true FROM executions c WHERE c.target_id = f.id AND c.intent = 'cancel' AND c.status = 'acked' LIMIT 1
    ) IS NOT NULL AS has_cancel FROM families f
  )`

const armed = `FROM conditional_orders c
  WHERE c.account_id = $1 AND c.status = 'armed' AND ($2::text IS NULL OR c.venue = $2) AND ($3::text IS NULL OR c.market_id = $3)`

interface SelectionRow {
  body_sha256: Buffer
  execution_ids: string[]
  conditional_ids: string[]
}

/** The selection of this request, made once. Null: the key belongs to another request. */
export async function selectCancelAll(db: Queryable, request: CancelAllRequest): Promise<CancelSelection | null> {
  const { accountId, venue, marketId, key, bodySha256, most, conditionals, at } = request
  const made = await db.query<SelectionRow>(
    `WITH ${ordersInFlight}
     INSERT INTO bulk_requests (account_id, kind, key, body_sha256, execution_ids, conditional_ids, created_at)
     SELECT $1::uuid, 'cancelAll', $4::text, $5::bytea,
       ARRAY(SELECT id FROM orders ORDER BY has_cancel, seq DESC LIMIT $6::bigint),
       CASE WHEN $7::boolean THEN ARRAY(SELECT c.id ${armed} ORDER BY c.seq DESC LIMIT $6::bigint) ELSE '{}'::uuid[] END,
       $8::timestamptz
     ON CONFLICT DO NOTHING RETURNING body_sha256, execution_ids, conditional_ids`,
    [accountId, venue, marketId, key, bodySha256, most, conditionals, at],
  )
  const selection = made.rows[0] ?? (await findSelection(db, accountId, key))
  if (!selection.body_sha256.equals(bodySha256)) return null
  return { orders: await readOrders(db, selection.execution_ids), conditionalIds: selection.conditional_ids }
}

async function findSelection(db: Queryable, accountId: string, key: string): Promise<SelectionRow> {
  const { rows } = await db.query<SelectionRow>(
    `SELECT body_sha256, execution_ids, conditional_ids FROM bulk_requests
     WHERE account_id = $1 AND kind = 'cancelAll' AND key = $2`,
    [accountId, key],
  )
  return rows[0]!
}

async function readOrders(db: Queryable, ids: readonly string[]): Promise<SelectedOrder[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<SelectedOrder>(
    `SELECT e.id AS "executionId", e.venue, ${marketOf('e')} AS "marketId"
     FROM unnest($1::uuid[]) WITH ORDINALITY AS chosen (id, place), LATERAL (
       SELECT x.* FROM executions x WHERE x.id = chosen.id LIMIT 1
     ) e ORDER BY chosen.place`,
    [ids],
  )
  return rows
}

export interface Unselected {
  orders: number
  /** Null: not part of the request. */
  conditionals: number | null
}

/** What is in the scope of the request and not in its selection; without orders of which the venue has acknowledged a cancel. */
export async function countUnselected(
  db: Queryable,
  { accountId, venue, marketId, conditionals }: CancelScope,
  { orders, conditionalIds }: CancelSelection,
): Promise<Unselected> {
  const { rows } = await db.query<Unselected>(
    `WITH ${ordersInFlight}
     SELECT (SELECT count(*)::int FROM orders WHERE NOT has_cancel AND id <> ALL ($4::uuid[])) AS orders,
       CASE WHEN $5::boolean THEN (SELECT count(*)::int ${armed} AND c.id <> ALL ($6::uuid[])) END AS conditionals`,
    [accountId, venue, marketId, orders.map(({ executionId }) => executionId), conditionals, conditionalIds],
  )
  return rows[0]!
}
