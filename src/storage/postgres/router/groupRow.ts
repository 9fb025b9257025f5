// A kept plan and its legs as stored.
import type { JsonObject } from '#schemas/executions'
import type { RouterGroupKind } from '#schemas/router'

export interface RouterGroupRow {
  id: string
  /** bigint, as text. */
  seq: string
  account_id: string
  key_id: string
  body_sha256: Buffer
  kind: RouterGroupKind
  closes_id: string | null
  plan: JsonObject
  created_at: Date
}

export interface RouterLegRow {
  group_id: string
  position: number
  component: number
  venue: string
  market_id: string
  outcome_id: string
  outcome_side: 'YES' | 'NO'
  is_buy: boolean
  /** numeric without trailing zeros, as text. */
  size: string
  price: string
  expected: JsonObject
  build: JsonObject
  closes_position: number | null
  execution_id: string | null
  error: JsonObject | null
}

export const groupColumns =
  'g.id, g.seq, g.account_id, g.key_id, g.body_sha256, g.kind, g.closes_id, g.plan, g.created_at'

export const legColumns = `l.group_id, l.position, l.component, l.venue, l.market_id, l.outcome_id, l.outcome_side, l.is_buy,
  trim_scale(l.size)::text AS size, trim_scale(l.price)::text AS price, l.expected, l.build, l.closes_position, l.execution_id, l.error`
