// A bracket as stored.
import type { Bracket, BracketStatus } from '#schemas/brackets'
import type { JsonObject } from '#schemas/executions'

/** As given: the trigger of a conditional order, and the body of its build without a size. */
export interface StoredExit {
  trigger: JsonObject
  build: JsonObject
}

export interface BracketRow {
  id: string
  account_id: string
  key_id: string
  body_sha256: Buffer
  entry_id: string
  /** Of the entry. */
  venue: string
  status: BracketStatus
  take_profit: StoredExit | null
  stop_loss: StoredExit | null
  oco_group_id: string
  expires_at: Date
  arm_country: string | null
  /** numeric without trailing zeros, as text. */
  filled_size: string | null
  take_profit_id: string | null
  stop_loss_id: string | null
  attempts: number
  last_error: string | null
  /** bigint, as text. */
  lease_epoch: string
  created_at: Date
  updated_at: Date
}

/** Of the table, or of a subquery, aliased `b`. */
export const bracketColumns = `b.id, b.account_id, b.key_id, b.body_sha256, b.entry_id,
  (SELECT e.venue FROM executions e WHERE e.id = b.entry_id) AS venue, b.status, b.take_profit, b.stop_loss, b.oco_group_id, b.expires_at,
  b.arm_country, trim_scale(b.filled_size)::text AS filled_size, b.take_profit_id, b.stop_loss_id, b.attempts, b.last_error, b.lease_epoch,
  b.created_at, b.updated_at`

export const bracketOf = (row: BracketRow): Bracket => ({
  id: row.id,
  entryExecutionId: row.entry_id,
  venue: row.venue,
  status: row.status,
  filledSize: row.filled_size,
  takeProfitId: row.take_profit_id,
  stopLossId: row.stop_loss_id,
  ocoGroupId: row.oco_group_id,
  expiresAt: row.expires_at.toISOString(),
  lastError: row.last_error,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
