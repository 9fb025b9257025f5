// Reads of paper accounts, their orders, fills and positions.
import type { Queryable } from '../pool.ts'
import { type PaperFillRow, type PaperOrderRow, paperFillColumns, paperOrderColumns } from './orderRow.ts'

export interface PaperBalanceRow {
  venue: string
  currency: string
  cash: string
  reserved: string
}

export interface PaperPositionRow {
  account_id: string
  venue: string
  market_id: string
  outcome_id: string
  currency: string
  quantity: string
  reserved: string
}

export async function listBalances(db: Queryable, accountId: string): Promise<PaperBalanceRow[]> {
  const { rows } = await db.query<PaperBalanceRow>(
    'SELECT venue, currency, cash, reserved FROM paper_balances WHERE account_id = $1 ORDER BY venue, currency',
    [accountId],
  )
  return rows
}

/** Those that hold something. */
export async function listPositions(db: Queryable, accountId: string): Promise<PaperPositionRow[]> {
  const { rows } = await db.query<PaperPositionRow>(
    `SELECT account_id, venue, market_id, outcome_id, currency, quantity, reserved FROM paper_positions
     WHERE account_id = $1 AND quantity > 0 ORDER BY venue, market_id, outcome_id`,
    [accountId],
  )
  return rows
}

export async function countWorking(db: Queryable, accountId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM paper_orders WHERE account_id = $1 AND state = 'working'`,
    [accountId],
  )
  return rows[0]!.count
}

export async function findPaperOrder(
  db: Queryable,
  accountId: string,
  by: { executionId: string } | { venue: string; ref: string },
): Promise<PaperOrderRow | null> {
  const { rows } =
    'ref' in by
      ? await db.query<PaperOrderRow>(
          `SELECT ${paperOrderColumns} FROM paper_orders o WHERE o.account_id = $1 AND o.venue = $2 AND o.ref = $3`,
          [accountId, by.venue, by.ref],
        )
      : await db.query<PaperOrderRow>(
          `SELECT ${paperOrderColumns} FROM paper_orders o WHERE o.account_id = $1 AND o.execution_id = $2`,
          [accountId, by.executionId],
        )
  return rows[0] ?? null
}

export interface PaperOrdersQuery {
  accountId: string
  venue: string | null
  /** Only those that work. */
  working: boolean
  /** bigint, as text; null: from the newest. */
  before: string | null
  limit: number
}

/** Newest first. */
export async function listPaperOrders(db: Queryable, query: PaperOrdersQuery): Promise<PaperOrderRow[]> {
  const { rows } = await db.query<PaperOrderRow>(
    `SELECT ${paperOrderColumns} FROM paper_orders o
     WHERE o.account_id = $1 AND ($2::text IS NULL OR o.venue = $2) AND (NOT $3 OR o.state = 'working')
       AND ($4::bigint IS NULL OR o.seq < $4) ORDER BY o.seq DESC LIMIT $5`,
    [query.accountId, query.venue, query.working, query.before, query.limit],
  )
  return rows
}

export interface PaperFillsQuery {
  accountId: string
  order: 'oldest' | 'newest'
  /** The last row of the page before; null: from the beginning of the order. */
  after: string | null
  limit: number
}

export async function listPaperFills(
  db: Queryable,
  { accountId, order, after, limit }: PaperFillsQuery,
): Promise<PaperFillRow[]> {
  const [follows, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC']
  const { rows } = await db.query<PaperFillRow>(
    `SELECT ${paperFillColumns} FROM paper_fills f
     WHERE f.account_id = $1 AND ($2::bigint IS NULL OR f.id ${follows} $2) ORDER BY f.id ${direction} LIMIT $3`,
    [accountId, after, limit],
  )
  return rows
}

export async function listFillsOfPaperOrder(db: Queryable, executionId: string): Promise<PaperFillRow[]> {
  const { rows } = await db.query<PaperFillRow>(
    `SELECT ${paperFillColumns} FROM paper_fills f WHERE f.execution_id = $1 ORDER BY f.number`,
    [executionId],
  )
  return rows
}

/** Working orders of all accounts, oldest first: the order of their queues after a restart. */
export async function listWorkingOrders(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<PaperOrderRow[]> {
  const { rows } = await db.query<PaperOrderRow>(
    `SELECT ${paperOrderColumns} FROM paper_orders o WHERE o.state = 'working' AND o.seq > $1::bigint ORDER BY o.seq LIMIT $2`,
    [after, limit],
  )
  return rows
}

/** Markets in which some account holds shares, in pages. */
export async function listHeldMarkets(
  db: Queryable,
  after: { venue: string; marketId: string } | null,
  limit: number,
): Promise<{ venue: string; market_id: string }[]> {
  const { rows } = await db.query<{ venue: string; market_id: string }>(
    `SELECT DISTINCT venue, market_id FROM paper_positions
     WHERE quantity > 0 AND ($1::text IS NULL OR (venue, market_id) > ($1, $2)) ORDER BY venue, market_id LIMIT $3`,
    [after?.venue ?? null, after?.marketId ?? null, limit],
  )
  return rows
}
