// A conditional order as stored, without the sealed artifact: only the process that fires the order reads that.
import type {
  ConditionalActor,
  ConditionalEvent,
  ConditionalOrder,
  ConditionalStatus,
  FireMode,
  TriggerRule,
} from '#schemas/conditional'
import type { JsonObject } from '#schemas/executions'

export interface ConditionalRow {
  id: string
  /** bigint, as text. */
  seq: string
  account_id: string
  key_id: string
  execution_id: string
  venue: string
  market_id: string
  outcome_id: string
  status: ConditionalStatus
  fire_mode: FireMode
  trigger_rule: TriggerRule
  trigger_evidence: JsonObject | null
  triggered_at: Date | null
  expires_at: Date
  fire_attempts: number
  last_error: string | null
  oco_group_id: string | null
  arm_country: string | null
  lease_owner: string | null
  /** bigint, as text. */
  lease_epoch: string
  created_at: Date
  updated_at: Date
}

/** Of the table, or of a subquery, aliased `c`. */
export const conditionalColumns = `c.id, c.seq, c.account_id, c.key_id, c.execution_id, c.venue, c.market_id, c.outcome_id, c.status, c.fire_mode,
  c.trigger_rule, c.trigger_evidence, c.triggered_at, c.expires_at, c.fire_attempts, c.last_error, c.oco_group_id, c.arm_country,
  c.lease_owner, c.lease_epoch, c.created_at, c.updated_at`

/**
 * The public form in answers and frames: what fires it (the artifact, its hash and key, the lease) is never included.
 */
export const conditionalOf = (row: ConditionalRow): ConditionalOrder => ({
  id: row.id,
  executionId: row.execution_id,
  venue: row.venue,
  marketId: row.market_id,
  outcomeId: row.outcome_id,
  status: row.status,
  fireMode: row.fire_mode,
  trigger: row.trigger_rule,
  triggerEvidence: row.trigger_evidence,
  triggeredAt: row.triggered_at?.toISOString() ?? null,
  expiresAt: row.expires_at.toISOString(),
  fireAttempts: row.fire_attempts,
  lastError: row.last_error,
  ocoGroupId: row.oco_group_id,
  armCountry: row.arm_country,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export interface ConditionalEventRow {
  /** bigint, as text. */
  id: string
  ts: Date
  actor: ConditionalActor
  from_status: ConditionalStatus | null
  to_status: ConditionalStatus
  evidence: JsonObject | null
}

export const eventOf = ({
  id,
  ts,
  actor,
  from_status,
  to_status,
  evidence,
}: ConditionalEventRow): ConditionalEvent => ({
  id: Number(id),
  ts: ts.toISOString(),
  actor,
  fromStatus: from_status,
  toStatus: to_status,
  evidence,
})

/** SQL: the order may still fire. */
export const isOpen = `status IN ('armed', 'triggered', 'firing')`
