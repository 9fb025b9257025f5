// What a row of the venue says about an order, as refresh reports it.
import { type Clock, earliestNow } from '#lib/clock'
import { addDecimals, compareDecimals } from '#lib/decimal'
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import type { Observation, VenueFill } from '../../lane.ts'

/**
 * A tape of fills may lag behind the state of an order. So long it is waited for; then the venue's word for the end is believed without
 * them, and fills told later are appended to the order that has ended.
 */
const fillLagMs = 10 * 60_000

/** The answer is about nothing of ours, or there is nothing to ask for. */
export const nothing = (venueRef: string | null, reason: string): Observation => ({
  status: null,
  venueRef,
  fills: [],
  observation: { reason },
})

/** The venue was asked for this very order. `isPlacing`: then nothing shows that it ever came; of what is done to an order absence says nothing. */
export const notShown = (venueRef: string | null, reason: string, isPlacing: boolean): Observation => ({
  ...nothing(venueRef, reason),
  shown: false,
  undone: isPlacing,
})

/** A row, its numbers in contracts or shares. */
export interface OrderRow {
  venueRef: string
  /** Null: the venue's word says nothing. */
  status: ExecutionStatus | null
  size: string | null | undefined
  filled: string | null | undefined
  /** Shown with the answer. */
  observation: JsonObject
  /** Of an order that failed. */
  reason?: string
}

/**
 * Of a venue that tells the sum of an order's fills and no more. The sum is told once, with the terminal state, when it can no longer grow;
 * `row` is kept beside it, venue-shaped.
 */
export function observeSum({ venueRef, size, filled, observation, ...row }: OrderRow, sum: SumOfFills): Observation {
  // A row that contradicts itself: its word comes before its numbers.
  const isShort = size != null && filled != null && compareDecimals(filled, size) < 0
  const status = row.status === 'filled' && isShort ? null : row.status
  return {
    status,
    shown: true,
    ...(filled != null && { matchedSize: filled }),
    venueRef,
    fills: hasEnded(status) && filled != null && compareDecimals(filled, '0') > 0 ? [sumFill(venueRef, sum)] : [],
    observation,
    ...(status === 'failed' && { reason: row.reason ?? 'order rejected' }),
  }
}

interface SumOfFills {
  row: object
  /** Epoch ms; ours where the row carries none. */
  filledAt: number
}

const sumFill = (venueRef: string, { row, filledAt }: SumOfFills): VenueFill => ({
  key: `${venueRef}:sum`,
  fill: { aggregate: true, ...plain(row) },
  filledAt,
})

/** Of a venue that lists an order's fills: `sizes` of those it tells, decimal strings. */
export const sumOf = (sizes: readonly string[]): string => sizes.reduce(addDecimals, '0')

/**
 * Fills are kept with the transition: one made too early would leave the late ones out for ever. So an end is not told before its fills, until
 * the venue has said it for long. `sinceMs`: when it changed; not a number: it may have changed just now.
 */
export const withItsFills = (
  status: ExecutionStatus,
  isTold: boolean,
  sinceMs: number,
  clock: Clock,
): ExecutionStatus | null =>
  hasEnded(status) && !isTold && !(earliestNow(clock) - sinceMs >= fillLagMs) ? null : status

const hasEnded = (status: ExecutionStatus | null): boolean =>
  status === 'filled' || status === 'canceled' || status === 'expired'

/** What became of the order tells what became of its cancellation. */
export function observeCancel(status: ExecutionStatus | null, seen: Omit<Observation, 'status'>): Observation {
  if (status === 'canceled') return { ...seen, status: 'acked' }
  if (status === null || status === 'acked') return { ...seen, status: null, undone: status === 'acked' }
  return { ...seen, status: 'failed', reason: `the order was ${status} before the cancellation` }
}

/** What was parsed, as plain data: what is undefined is left out. */
export const plain = (told: object): JsonObject => JSON.parse(JSON.stringify(told))
