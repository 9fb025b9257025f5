// Execution algorithms and their slices as stored, without sealed artifacts.
import { subtractDecimals } from '#core/decimal'
import type {
  AlgorithmEnd,
  AlgorithmParameters,
  AlgorithmSlice,
  AlgorithmSliceOutcome,
  AlgorithmSliceStatus,
  AlgorithmStatus,
  AlgorithmWait,
  ExecutionAlgorithm,
} from '#schemas/algorithms'
import type { FireMode } from '#schemas/conditional'
import type { ExecutionStatus, JsonObject } from '#schemas/executions'

/** numeric values are text without trailing zeros. */
export interface AlgorithmRow {
  id: string
  /** bigint, as text. */
  seq: string
  account_id: string
  key_id: string
  body_sha256: Buffer
  venue: string
  market_id: string
  outcome_id: string
  side: 'buy' | 'sell'
  parameters: AlgorithmParameters
  mode: FireMode
  is_signed: boolean
  build: JsonObject
  cancel_body: JsonObject
  size: string
  limit_price: string
  size_step: string
  min_slice_size: string
  post_only: boolean
  sign_within_ms: number
  starts_at: Date
  expires_at: Date
  arm_country: string | null
  arrival_mid: string | null
  status: AlgorithmStatus
  ends_as: AlgorithmEnd | null
  wait_reason: AlgorithmWait | null
  last_error: string | null
  filled_size: string | null
  average_price: string | null
  failures: number
  unsigned_count: number
  due_at: Date
  /** bigint, as text. */
  lease_epoch: string
  ended_at: Date | null
  created_at: Date
  updated_at: Date
  slice_count: number
  live: JsonSlice | null
}

export interface SliceRow {
  number: number
  status: AlgorithmSliceStatus
  stage: number
  price: string
  size: string
  takes: boolean
  execution_id: string | null
  sign_by: Date | null
  attempts: number
  cancel_id: string | null
  cancels: number
  canceled_at: Date | null
  filled_size: string | null
  outcome: AlgorithmSliceOutcome | null
  error: string | null
  decided_at: Date
  ended_at: Date | null
}

/** A slice with its execution. */
export interface OpenSliceRow extends SliceRow {
  execution_status: ExecutionStatus | null
  execution_error: string | null
  /** Null: nothing reported. */
  matched_size: string | null
  /** When the execution reached its status. */
  execution_at: Date | null
  venue_ref: string | null
  cancel_status: ExecutionStatus | null
  cancel_error: string | null
  /** The venue accepted a modification of it. */
  was_modified: boolean
}

/** As it comes out of a JSON column. */
type JsonSlice = Omit<SliceRow, 'sign_by' | 'canceled_at' | 'decided_at' | 'ended_at'> & {
  sign_by: string | null
  canceled_at: string | null
  decided_at: string
  ended_at: string | null
}

/** Of the table, or of a subquery, aliased `s`. */
export const sliceColumns = `s.number, s.status, s.stage, trim_scale(s.price)::text AS price, trim_scale(s.size)::text AS size, s.takes,
  s.execution_id, s.sign_by, s.attempts, s.cancel_id, s.cancels, s.canceled_at, trim_scale(s.filled_size)::text AS filled_size, s.outcome,
  s.error, s.decided_at, s.ended_at`

export const isLive = `status IN ('decided', 'awaiting_signature', 'ready', 'sent')`
export const isRunning = `status IN ('running', 'ending')`

/** Of the table, or of a subquery, aliased `a`. */
export const algorithmColumns = `a.id, a.seq, a.account_id, a.key_id, a.body_sha256, a.venue, a.market_id, a.outcome_id, a.side, a.parameters,
  a.mode, a.is_signed, a.build, a.cancel_body, trim_scale(a.size)::text AS size, trim_scale(a.limit_price)::text AS limit_price,
  trim_scale(a.size_step)::text AS size_step, trim_scale(a.min_slice_size)::text AS min_slice_size, a.post_only, a.sign_within_ms,
  a.starts_at, a.expires_at, a.arm_country, trim_scale(a.arrival_mid)::text AS arrival_mid, a.status, a.ends_as, a.wait_reason, a.last_error,
  trim_scale(a.filled_size)::text AS filled_size, trim_scale(a.average_price)::text AS average_price, a.failures, a.unsigned_count, a.due_at,
  a.lease_epoch, a.ended_at, a.created_at, a.updated_at,
  (SELECT count(*)::integer FROM execution_algorithm_slices s WHERE s.algorithm_id = a.id AND s.status <> 'planned') AS slice_count,
  (SELECT to_jsonb(live) FROM (SELECT ${sliceColumns} FROM execution_algorithm_slices s WHERE s.algorithm_id = a.id AND s.${isLive}) AS live)
    AS live`

/** The public form. A reader adds `slices` and `intervalVwap`. */
export const algorithmOf = (row: AlgorithmRow): ExecutionAlgorithm => ({
  id: row.id,
  venue: row.venue,
  marketId: row.market_id,
  outcomeId: row.outcome_id,
  side: row.side,
  algorithm: row.parameters,
  mode: row.mode,
  size: row.size,
  limitPrice: row.limit_price,
  sizeStep: row.size_step,
  minSliceSize: row.min_slice_size,
  postOnly: row.post_only,
  status: row.status,
  waitsFor: row.wait_reason,
  lastError: row.last_error,
  filledSize: row.filled_size,
  remainingSize: row.filled_size === null ? null : subtractDecimals(row.size, row.filled_size),
  averagePrice: row.average_price,
  benchmark: { arrivalMid: row.arrival_mid, intervalVwap: null },
  sliceCount: row.slice_count,
  liveSlice: row.live === null ? null : sliceOf(datedSlice(row.live)),
  startsAt: row.starts_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const sliceOf = (row: SliceRow): AlgorithmSlice => ({
  number: row.number,
  status: row.status,
  outcome: row.outcome,
  price: row.price,
  size: row.size,
  takes: row.takes,
  executionId: row.execution_id,
  signBy: row.status === 'awaiting_signature' ? (row.sign_by?.toISOString() ?? null) : null,
  cancelExecutionId: row.cancel_id,
  filledSize: row.filled_size,
  error: row.error,
  createdAt: row.decided_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
})

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

const datedSlice = (row: JsonSlice): SliceRow => ({
  ...row,
  sign_by: dateOf(row.sign_by),
  canceled_at: dateOf(row.canceled_at),
  decided_at: new Date(row.decided_at),
  ended_at: dateOf(row.ended_at),
})
