// Executions that changed what an account holds without a stored fill: redemptions, and orders filled further than their fills.
import type { JsonObject, PositionIntent } from '#schemas/executions'
import type { Queryable } from '../pool.ts'

export interface AccountPage {
  accountId: string
  /** Id of the last row of the previous page. */
  after: string | null
  limit: number
}

export interface RedemptionRow {
  id: string
  venue: string
  summary: JsonObject | null
  /** When it was found to be final. */
  updated_at: Date
}

const firstId = '00000000-0000-0000-0000-000000000000'

export async function findRedemptions(
  db: Queryable,
  { accountId, after, limit }: AccountPage,
): Promise<RedemptionRow[]> {
  const { rows } = await db.query<RedemptionRow>(
    `SELECT id, venue, summary, updated_at FROM executions
     WHERE account_id = $1 AND intent = 'redeem' AND status = 'filled' AND id > $2 ORDER BY id LIMIT $3`,
    [accountId, after ?? firstId, limit],
  )
  return rows
}

export interface ExchangeRow extends RedemptionRow {
  intent: PositionIntent
  /** Hash of its transaction. */
  venue_ref: string | null
}

export async function findExchanges(db: Queryable, { accountId, after, limit }: AccountPage): Promise<ExchangeRow[]> {
  const { rows } = await db.query<ExchangeRow>(
    `SELECT id, venue, intent, venue_ref, summary, updated_at FROM executions
     WHERE account_id = $1 AND intent IN ('split', 'merge', 'convert') AND status = 'filled' AND id > $2 ORDER BY id LIMIT $3`,
    [accountId, after ?? firstId, limit],
  )
  return rows
}

export interface MatchedOrderRow {
  id: string
  venue: string
  venue_ref: string | null
  /** numeric, as text. Null: its owner stated that it was filled, and the venue reported no size. */
  matched_size: string | null
  terms: JsonObject | null
  summary: JsonObject | null
  /** It may still be filled. */
  is_open: boolean
  /** When its status was reached. */
  updated_at: Date
}

export async function findMatchedOrders(
  db: Queryable,
  { accountId, after, limit }: AccountPage,
): Promise<MatchedOrderRow[]> {
  const { rows } = await db.query<MatchedOrderRow>(
    `SELECT e.id, e.venue, e.venue_ref, e.matched_size, coalesce(e.terms, t.terms) AS terms, e.summary,
       e.status IN ('submitted', 'acked') AS is_open, e.updated_at
     FROM executions e LEFT JOIN executions t ON t.id = e.target_id
     WHERE e.account_id = $1 AND e.intent IN ('order', 'modify') AND (e.status = 'filled' OR e.matched_size > 0) AND e.id > $2
     ORDER BY e.id LIMIT $3`,
    [accountId, after ?? firstId, limit],
  )
  return rows
}
