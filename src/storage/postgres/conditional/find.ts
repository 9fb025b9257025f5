// Reads of conditional orders, scoped to their owner, except for what the evaluator follows.
import type { ConditionalStatus, FireMode, TriggerRule } from '#schemas/conditional'
import type { Queryable } from '../pool.ts'
import { type ConditionalEventRow, type ConditionalRow, conditionalColumns } from './conditionalRow.ts'

export async function findConditional(db: Queryable, accountId: string, id: string): Promise<ConditionalRow | null> {
  const { rows } = await db.query<ConditionalRow>(
    `SELECT ${conditionalColumns} FROM conditional_orders c WHERE c.id = $1 AND c.account_id = $2`,
    [id, accountId],
  )
  return rows[0] ?? null
}

/** The account that owns the order, for operators. */
export async function findOwner(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await db.query<{ account_id: string }>('SELECT account_id FROM conditional_orders WHERE id = $1', [
    id,
  ])
  return rows[0]?.account_id ?? null
}

/** The order armed last for this execution. */
export async function findLatestOf(db: Queryable, executionId: string): Promise<ConditionalRow | null> {
  const { rows } = await db.query<ConditionalRow>(
    `SELECT ${conditionalColumns} FROM conditional_orders c WHERE c.execution_id = $1 ORDER BY c.seq DESC LIMIT 1`,
    [executionId],
  )
  return rows[0] ?? null
}

/** Oldest first. */
export async function listEvents(db: Queryable, id: string): Promise<ConditionalEventRow[]> {
  const { rows } = await db.query<ConditionalEventRow>(
    'SELECT id, ts, actor, from_status, to_status, evidence FROM conditional_events WHERE conditional_id = $1 ORDER BY id',
    [id],
  )
  return rows
}

export interface ConditionalFilter {
  /** Null: all accounts, for operators. */
  accountId: string | null
  /** Null: all. */
  statuses: readonly ConditionalStatus[] | null
  venue: string | null
  fireMode: FireMode | null
  /** `seq` of the last row of the previous page. */
  before: string | null
  limit: number
}

/** Newest first. */
export async function listConditionals(db: Queryable, filter: ConditionalFilter): Promise<ConditionalRow[]> {
  const { accountId, statuses, venue, fireMode, before, limit } = filter
  const { rows } = await db.query<ConditionalRow>(
    `SELECT ${conditionalColumns} FROM conditional_orders c
     WHERE ($1::uuid IS NULL OR c.account_id = $1)
       AND ($2::text[] IS NULL OR c.status = ANY ($2))
       AND ($3::text IS NULL OR c.venue = $3)
       AND ($4::text IS NULL OR c.fire_mode = $4)
       AND ($5::bigint IS NULL OR c.seq < $5)
     ORDER BY c.seq DESC LIMIT $6`,
    [accountId, statuses, venue, fireMode, before, limit],
  )
  return rows
}

export interface ConditionalKeyUse {
  conditionalId: string
  bodySha256: Buffer
}

export async function findConditionalKey(
  db: Queryable,
  accountId: string,
  kind: 'arm' | 'cancel',
  key: string,
): Promise<ConditionalKeyUse | null> {
  const { rows } = await db.query<ConditionalKeyUse>(
    `SELECT conditional_id AS "conditionalId", body_sha256 AS "bodySha256"
     FROM conditional_keys WHERE account_id = $1 AND kind = $2 AND key = $3`,
    [accountId, kind, key],
  )
  return rows[0] ?? null
}

/** What the evaluator needs of an order, of any account. */
export interface WatchedOrder {
  id: string
  account_id: string
  status: ConditionalStatus
  fire_mode: FireMode
  venue: string
  market_id: string
  outcome_id: string
  /** `when` gives the direction; nothing is left to a default. */
  trigger_rule: TriggerRule
  expires_at: Date
  /** The last transaction that changed it, as text: an armed order that changed has triggered in between. */
  changed_in: string
  /** Of a trailing stop: its best price as last saved, half millionths of its own outcome; null: none yet. */
  trail_best: number | null
}

const watchedColumns = `c.id, c.account_id, c.status, c.fire_mode, c.venue, c.market_id, c.outcome_id, c.trigger_rule, c.expires_at,
  c.changed_in, t.best AS trail_best`
const watchedOrders = 'conditional_orders c LEFT JOIN conditional_trails t ON t.conditional_id = c.id'

/** In id order, after `after`. */
export async function listArmed(
  db: Queryable,
  { after, limit }: { after: string | null; limit: number },
): Promise<WatchedOrder[]> {
  const { rows } = await db.query<WatchedOrder>(
    `SELECT ${watchedColumns} FROM ${watchedOrders}
     WHERE c.status = 'armed' AND ($1::uuid IS NULL OR c.id > $1) ORDER BY c.id LIMIT $2`,
    [after, limit],
  )
  return rows
}

/** The armed ones among these. */
export async function listArmedOf(db: Queryable, ids: readonly string[]): Promise<WatchedOrder[]> {
  const { rows } = await db.query<WatchedOrder>(
    `SELECT ${watchedColumns} FROM ${watchedOrders} WHERE c.id = ANY ($1::uuid[]) AND c.status = 'armed'`,
    [ids],
  )
  return rows
}

const markNow = 'pg_snapshot_xmin(pg_current_snapshot())::text'

/** The oldest running transaction: everything committed from now on was changed in this one or a later one. */
export async function changeMark(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ mark: string }>(`SELECT ${markNow} AS mark`)
  return rows[0]!.mark
}

export interface Changes {
  orders: WatchedOrder[]
  /** Where the next round starts, if this was the first page of one. */
  mark: string
}

/** In order of change, from mark `since` on, after `after`. */
export async function changedSince(
  db: Queryable,
  { since, after, limit }: { since: string; after: Pick<WatchedOrder, 'changed_in' | 'id'> | null; limit: number },
): Promise<Changes> {
  // One statement, one snapshot: the mark matches the rows returned.
  const { rows } = await db.query<WatchedOrder | { id: null; mark: string }>(
    `WITH page AS (
       SELECT ${watchedColumns} FROM ${watchedOrders}
       WHERE c.changed_in >= $1::xid8 AND ($2::text IS NULL OR (c.changed_in, c.id) > ($2::xid8, $3::uuid))
       ORDER BY c.changed_in, c.id LIMIT $4
     )
     SELECT now.mark, page.* FROM (SELECT ${markNow} AS mark) now LEFT JOIN page ON true ORDER BY page.changed_in, page.id`,
    [since, after?.changed_in ?? null, after?.id ?? null, limit],
  )
  const orders = rows.filter((row): row is WatchedOrder => row.id !== null)
  return { orders, mark: (rows[0] as unknown as { mark: string }).mark }
}
