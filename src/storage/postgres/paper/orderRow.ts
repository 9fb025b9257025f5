// A paper order as stored.
import type { PaperOrderState, PaperTimeInForce } from '#schemas/paper'

/** `numeric` columns as text. */
export interface PaperOrderRow {
  execution_id: string
  /** bigint, as text. */
  seq: string
  account_id: string
  key_id: string
  venue: string
  ref: string
  market_id: string
  outcome_id: string
  /** Empty: unknown. */
  currency: string
  book_id: string
  complement: boolean
  is_buy: boolean
  price: string
  size: string
  time_in_force: PaperTimeInForce
  post_only: boolean
  expires_at: Date | null
  version: number
  state: PaperOrderState
  filled: string
  fills: number
  fee_model: unknown
  fee_exact: string
  fee: string
  reserved: string
  queue_ahead: string | null
  cancel_requested_at: Date | null
  /** Executions that canceled or modified it. */
  changed_by: string[]
  reason: string | null
  placed_at: Date
  updated_at: Date
}

/** Of paper_orders `o`. */
export const paperOrderColumns = `o.execution_id, o.seq, o.account_id, o.key_id, o.venue, o.ref, o.market_id, o.outcome_id, o.currency,
  o.book_id, o.complement, o.is_buy, o.price, o.size, o.time_in_force, o.post_only, o.expires_at, o.version, o.state, o.filled, o.fills,
  o.fee_model, o.fee_exact, o.fee, o.reserved, o.queue_ahead, o.cancel_requested_at, o.changed_by, o.reason, o.placed_at, o.updated_at`

export interface PaperFillRow {
  /** bigint, as text. */
  id: string
  execution_id: string
  number: number
  account_id: string
  venue: string
  market_id: string
  outcome_id: string
  currency: string
  is_buy: boolean
  price: string
  size: string
  cash: string
  fee: string
  liquidity: 'taker' | 'maker'
  evidence: { bookEpoch: number; bookSeq: number; tradeIds: string[] }
  filled_at: Date
}

/** Of paper_fills `f`. */
export const paperFillColumns = `f.id, f.execution_id, f.number, f.account_id, f.venue, f.market_id, f.outcome_id, f.currency, f.is_buy,
  f.price, f.size, f.cash, f.fee, f.liquidity, f.evidence, f.filled_at`
