// A conditional order as its table holds it, without the sealed artifact: that one is read by whoever fires it, and by nobody else.
import type { ConditionalActor, ConditionalStatus, FireMode, TriggerRule } from '#schemas/conditional'
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

/** Of the table, or of a part of a statement, that is called `c`. */
export const conditionalColumns = `c.id, c.seq, c.account_id, c.key_id, c.execution_id, c.venue, c.market_id, c.outcome_id, c.status, c.fire_mode,
  c.trigger_rule, c.trigger_evidence, c.triggered_at, c.expires_at, c.fire_attempts, c.last_error, c.oco_group_id, c.arm_country,
  c.lease_owner, c.lease_epoch, c.created_at, c.updated_at`

export interface ConditionalEventRow {
  /** bigint, as text. */
  id: string
  ts: Date
  actor: ConditionalActor
  from_status: ConditionalStatus | null
  to_status: ConditionalStatus
  evidence: JsonObject | null
}

/** SQL: the order may still fire. */
export const isLiving = `status IN ('armed', 'triggered', 'firing')`
