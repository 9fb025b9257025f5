// Changes of orders after the last one seen: of status, fills, conditional orders, and execution algorithms. Numbers are assigned before their transactions commit, so they
// become visible in any order; a reader lists those it is still waiting for.
import type { AlgorithmEvent } from '#schemas/algorithms'
import type { ConditionalStatus } from '#schemas/conditional'
import type { ExecutionStatus, Intent, JsonObject } from '#schemas/executions'
import { type AlgorithmRow, algorithmColumns } from '../algorithms/algorithmRow.ts'
import { type ConditionalRow, conditionalColumns } from '../conditional/conditionalRow.ts'
import type { Queryable } from '../pool.ts'

export const changeTables = {
  status: 'execution_audit',
  fill: 'execution_fills',
  conditional: 'conditional_events',
  algorithm: 'execution_algorithm_events',
} as const
export type ChangeKind = keyof typeof changeTables

export interface ChangeQuery {
  after: number
  /** Lower numbers that were not visible yet. */
  missing: readonly number[]
  limit: number
  /** Accounts whose changes are returned; for others only the numbers. */
  accounts: readonly string[]
}

export interface ChangePage<Row> {
  /** By number. `row` null: another account's, or nothing to report. */
  rows: { id: number; row: Row | null }[]
  /** Transactions before `xmin` have ended, those from `xmax` on had not begun. */
  xmin: bigint
  xmax: bigint
  /** There may be more. */
  isFull: boolean
}

/** The reported fields of an execution. */
export interface OrderRow {
  execution_id: string
  account_id: string
  venue: string
  intent: Intent
  status: ExecutionStatus
  venue_ref: string | null
  target_id: string | null
  terms: JsonObject | null
  /** numeric, as text. */
  matched_size: string | null
  error: string | null
  created_at: Date
  updated_at: Date
}

export interface StatusChange extends OrderRow {
  /** Its number. */
  change: number
  from_status: ExecutionStatus
  to_status: ExecutionStatus
  at: Date
}

export interface FillChange {
  fill_id: string
  execution_id: string
  account_id: string
  venue: string
  fill: JsonObject
  filled_at: Date
}

export interface ConditionalChange extends ConditionalRow {
  /** Its number. */
  change: number
  from_status: ConditionalStatus | null
  to_status: ConditionalStatus
  ts: Date
}

export interface AlgorithmChange extends AlgorithmRow {
  /** Its number. */
  change: number
  event: AlgorithmEvent
  at: Date
}

export const orderColumns = `e.id AS execution_id, e.account_id, e.venue, e.intent, e.status, e.venue_ref, e.target_id, e.terms, e.matched_size, e.error,
  e.created_at, e.updated_at`

export const readStatuses = (db: Queryable, query: ChangeQuery): Promise<ChangePage<StatusChange>> =>
  readPage(
    db,
    query,
    `t.from_status, t.to_status, t.at, ${orderColumns}`,
    'execution_audit',
    `LEFT JOIN executions e ON e.id = t.execution_id AND e.account_id = ANY($4::uuid[]) AND t.from_status <> t.to_status`,
  )

export const readFills = (db: Queryable, query: ChangeQuery): Promise<ChangePage<FillChange>> =>
  readPage(
    db,
    query,
    'f.id AS fill_id, f.execution_id, f.account_id, f.venue, f.fill, f.filled_at',
    'execution_fills',
    'LEFT JOIN execution_fills f ON f.id = t.id AND f.account_id = ANY($4::uuid[])',
  )

export const readConditionals = (db: Queryable, query: ChangeQuery): Promise<ChangePage<ConditionalChange>> =>
  readPage(
    db,
    query,
    `t.from_status, t.to_status, t.ts, ${conditionalColumns}`,
    'conditional_events',
    'LEFT JOIN conditional_orders c ON c.id = t.conditional_id AND c.account_id = ANY($4::uuid[])',
  )

export const readAlgorithms = (db: Queryable, query: ChangeQuery): Promise<ChangePage<AlgorithmChange>> =>
  readPage(
    db,
    query,
    `t.event, t.at, ${algorithmColumns}`,
    'execution_algorithm_events',
    'LEFT JOIN execution_algorithms a ON a.id = t.algorithm_id AND a.account_id = ANY($4::uuid[])',
  )

/** The last number visible now. */
export async function lastChange(db: Queryable, kind: ChangeKind): Promise<number> {
  const { rows } = await db.query<{ last: string }>(`SELECT coalesce(max(id), 0) AS last FROM ${changeTables[kind]}`)
  return Number(rows[0]!.last)
}

type Numbered<Row> = Row & { number: string | null; xmin: string; xmax: string }

async function readPage<Row extends { account_id: string | null }>(
  db: Queryable,
  { after, missing, limit, accounts }: ChangeQuery,
  columns: string,
  table: string,
  join: string,
): Promise<ChangePage<Row>> {
  // One statement, one snapshot: what it does not show had not committed by then.
  const { rows } = await db.query<Numbered<Row>>(
    `WITH t AS (
       SELECT * FROM ${table} WHERE id = ANY($2::bigint[])
       UNION ALL (SELECT * FROM ${table} WHERE id > $1 ORDER BY id LIMIT $3)
     )
     SELECT pg_snapshot_xmin(n.now)::text AS xmin, pg_snapshot_xmax(n.now)::text AS xmax, t.id AS number, t.id::float8 AS change, ${columns}
     FROM (SELECT pg_current_snapshot() AS now) n LEFT JOIN t ON true ${join} ORDER BY t.id`,
    [after, missing, limit, accounts],
  )
  const numbered = rows.filter(({ number }) => number !== null)
  return {
    rows: numbered.map((row) => ({ id: Number(row.number), row: row.account_id === null ? null : row })),
    xmin: BigInt(rows[0]!.xmin),
    xmax: BigInt(rows[0]!.xmax),
    isFull: numbered.filter(({ number }) => Number(number) > after).length >= limit,
  }
}
