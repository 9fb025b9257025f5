// A conditional order as it is answered. What fires it (the artifact, its hash and key, the lease) is in no answer.
import type { ConditionalEvent, ConditionalOrder } from '#schemas/conditional'
import type { ConditionalEventRow, ConditionalRow } from '#storage/postgres/conditional/conditionalRow'

export const conditionalOf = (row: ConditionalRow, events?: readonly ConditionalEventRow[]): ConditionalOrder => ({
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
  ...(events === undefined ? {} : { events: events.map(eventOf) }),
})

const eventOf = ({ id, ts, actor, from_status, to_status, evidence }: ConditionalEventRow): ConditionalEvent => ({
  id: Number(id),
  ts: ts.toISOString(),
  actor,
  fromStatus: from_status,
  toStatus: to_status,
  evidence,
})
