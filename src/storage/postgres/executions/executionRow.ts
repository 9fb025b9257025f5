// An execution as stored in its table.
import type { ExecutionStatus, Intent, JsonObject } from '#schemas/executions'

export interface ExecutionRow {
  id: string
  /** bigint, as text. */
  seq: string
  account_id: string
  key_id: string
  venue: string
  intent: Intent
  status: ExecutionStatus
  build_version: number
  /** RFC 8785 text: exactly what was hashed. */
  unsigned: string
  unsigned_sha256: Buffer
  bounds: JsonObject
  terms: JsonObject | null
  owner: string | null
  client_ref: string | null
  submitted_artifact: JsonObject | null
  venue_ref: string | null
  /** numeric, as text. */
  notional_usd: string | null
  /** numeric, as text: what it holds of its caps. */
  held_usd: string
  fee_estimate: JsonObject | null
  warnings: string[]
  collateral: JsonObject | null
  build_result: JsonObject | null
  /** The artifact's summary as returned to the caller; null for builds that predate it. */
  summary: JsonObject | null
  error: string | null
  target_id: string | null
  /** Since when the venue has not shown the order: the first such query after it was last seen. */
  missing_since: Date | null
  /** numeric, as text: the most the venue ever reported as filled. */
  matched_size: string | null
  /** A keyed mark of the account at the venue of the last submit; null if unknown. */
  submitted_as: Buffer | null
  /** While `submitted`: what is known of a submit with an unknown outcome, safe to show; null before that is recorded. */
  unknown_outcome: string | null
  /** The event of the state machine's table that led to `status`. */
  last_event: string
  created_at: Date
  updated_at: Date
}

/** Of the table, or of a subquery, aliased `e`. */
export const executionColumns = `e.id, e.seq, e.account_id, e.key_id, e.venue, e.intent, e.status, e.build_version, e.unsigned,
  e.unsigned_sha256, e.bounds, e.terms, e.owner, e.client_ref, e.submitted_artifact, e.venue_ref, e.notional_usd, e.held_usd,
  e.fee_estimate, e.warnings, e.collateral, e.build_result, e.summary, e.error, e.target_id,
  e.missing_since, e.matched_size, e.submitted_as, e.unknown_outcome, e.last_event, e.created_at, e.updated_at`
