// The state of one leg: what was filled, and what was paid for it, as its execution and its fills report.
import { addDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import { averagePriceOf } from '#orders/executions/averagePrice'
import { averagedFillsMax } from '#orders/executions/overview'
import { laneExecutionOf } from '#orders/executions/rows'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { OrderFill } from '#storage/postgres/executions/findOrders'
import type { RouterLegRow } from '#storage/postgres/router/groupRow'
import type { ExecutionAdapter, FilledOrder, OrderTerms } from '#venues/lane'

export interface LegState {
  leg: RouterLegRow
  execution: ExecutionRow | null
  /** Neither built nor refused yet. */
  isPending: boolean
  /** It was sent. */
  isSent: boolean
  hasEnded: boolean
  /** Decimal string of contracts; null: not known. */
  filled: string | null
  /** Per contract before fees, and all fees; null: not known, or nothing was filled. */
  paidPrice: string | null
  paidFee: string | null
}

export function legStateOf(
  leg: RouterLegRow,
  execution: ExecutionRow | null,
  lane: ExecutionAdapter | undefined,
  fills: readonly OrderFill[],
): LegState {
  if (execution === null) {
    const isRefused = leg.error !== null
    const none = { paidPrice: null, paidFee: null, filled: isRefused ? '0' : null }
    return { leg, execution, isPending: !isRefused, isSent: false, hasEnded: isRefused, ...none }
  }
  const { status } = execution
  const isUnsent = status === 'built' || status === 'signed'
  const hasEnded = !isUnsent && status !== 'submitted' && status !== 'acked'
  return {
    leg,
    execution,
    isPending: false,
    isSent: !isUnsent && execution.last_event !== 'discard',
    hasEnded,
    filled: isUnsent ? '0' : filledOf(execution, hasEnded),
    ...paidOf(execution, lane, fills),
  }
}

/** A venue may report what was filled after the end: until then it is not known. */
function filledOf(execution: ExecutionRow, hasEnded: boolean): string | null {
  const { status, matched_size: matched, last_event: event } = execution
  if (!hasEnded) return null
  if (status === 'filled') return matched ?? (execution.terms as unknown as OrderTerms | null)?.size ?? null
  return matched ?? (status === 'failed' || event === 'discard' ? '0' : null)
}

function paidOf(
  execution: ExecutionRow,
  lane: ExecutionAdapter | undefined,
  fills: readonly OrderFill[],
): Pick<LegState, 'paidPrice' | 'paidFee'> {
  const unknown = { paidPrice: null, paidFee: null }
  if (lane === undefined || fills.length === 0 || fills.length > averagedFillsMax) return unknown
  try {
    const order = laneExecutionOf(execution, null)
    const paidPrice = averagePriceOf(lane, order, fills, execution.matched_size)
    return { paidPrice, paidFee: paidPrice === null ? null : feesOf(lane, order, fills) }
  } catch (error) {
    // The stored artifact does not match its hash.
    if (error instanceof Fault) return unknown
    throw error
  }
}

/** Null: one is not reported, is not taken in cash, or was reverted. */
function feesOf(lane: ExecutionAdapter, order: FilledOrder, fills: readonly OrderFill[]): string | null {
  let sum = '0'
  for (const { fill } of fills) {
    const read = 'withdrawn' in fill ? null : (lane.readFill?.(fill, order) ?? null)
    if (read === null || read.fee === null || read.feeIn !== 'cash') return null
    sum = read.cumulative === true ? read.fee : addDecimals(sum, read.fee)
  }
  return sum
}
