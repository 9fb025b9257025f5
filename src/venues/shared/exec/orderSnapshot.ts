// What a venue row says about an order, as refresh reports it.
import { type Clock, lowerBoundNow } from '#core/clock'
import { addDecimals, compareDecimals } from '#core/decimal'
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import type { Observation, VenueFill } from '../../lane.ts'

/**
 * Fills may lag behind the state of an order. We wait this long for them; after that the venue's terminal state is accepted without
 * them, and fills reported later are appended to the ended order.
 */
const fillLagMs = 10 * 60_000

/** The answer is not about our order, or there is nothing to look up. */
export const nothing = (venueRef: string | null, reason: string): Observation => ({
  status: null,
  venueRef,
  fills: [],
  observation: { reason },
})

/**
 * This very order was looked up. `isPlacing`: then nothing shows that it ever arrived; for an action on an order, absence proves nothing.
 */
export const notVisible = (venueRef: string | null, reason: string, isPlacing: boolean): Observation => ({
  ...nothing(venueRef, reason),
  shown: false,
  undone: isPlacing,
})

/** A row, with numbers in contracts or shares. */
export interface OrderRow {
  venueRef: string
  /** Null: the venue's status is inconclusive. */
  status: ExecutionStatus | null
  size: string | null | undefined
  filled: string | null | undefined
  /** Returned with the answer. */
  observation: JsonObject
  /** For an order that failed. */
  reason?: string
  /** The venue has reported this for so long that no part of it can still be lagging. */
  isOld?: boolean
}

/**
 * For a venue that reports only the sum of an order's fills. The sum is reported once, with the terminal state, when it can no longer grow;
 * `row` is stored with it, venue-shaped. State and sum are read together: an order that ended is settled only with its sum, and one that is
 * called filled without it is filled to its size.
 */
export function observeSum(
  { venueRef, size, filled: reported, observation, ...row }: OrderRow,
  sum: SumOfFills,
): Observation {
  const filled = reported ?? (row.status === 'filled' ? size : null)
  const status = settledSum({ ...row, size, filled })
  const reason = status !== null || row.status === null ? null : contradictsState(row.status, filled, size)
  return {
    status,
    shown: true,
    ...(filled != null && { matchedSize: filled }),
    venueRef,
    fills: hasEnded(status) && filled != null && compareDecimals(filled, '0') > 0 ? [sumFill(venueRef, sum)] : [],
    observation: reason === null ? observation : { reason, ...observation },
    ...(status === 'failed' && { reason: row.reason ?? 'order rejected' }),
  }
}

/** Why a state was not taken over: the sizes that came with it. */
export const contradictsState = (
  status: ExecutionStatus,
  filled: string | null | undefined,
  size: string | null | undefined,
): string =>
  filled == null
    ? `the venue reports the order as ${status} without its filled size`
    : `the venue reports the order as ${status}, and ${filled} of ${size ?? 'an unknown size'} as filled`

/**
 * The state and the sizes are read together: an ended order is filled, or canceled with what was filled of it. Null: its numbers contradict
 * its state, and may lag behind it.
 */
export function settledSum({
  status,
  size,
  filled,
  isOld,
}: Pick<OrderRow, 'status' | 'size' | 'filled' | 'isOld'>): ExecutionStatus | null {
  if (hasEnded(status) && filled == null) return null
  if (status === null || status === 'acked' || size == null || filled == null) return status
  const hasTraded = compareDecimals(filled, '0') > 0
  if (hasTraded && compareDecimals(filled, size) >= 0) return 'filled'
  if (status === 'filled') return hasTraded && isOld === true ? 'canceled' : null
  return status === 'failed' && hasTraded ? 'canceled' : status
}

interface SumOfFills {
  row: object
  /** Epoch ms; our time when the row has none. */
  filledAt: number
}

const sumFill = (venueRef: string, { row, filledAt }: SumOfFills): VenueFill => ({
  key: `${venueRef}:sum`,
  fill: { aggregate: true, ...plain(row) },
  filledAt,
})

/** For a venue that lists an order's fills: the sum of their `sizes`, decimal strings. */
export const sumOf = (sizes: readonly string[]): string => sizes.reduce(addDecimals, '0')

/**
 * Fills are stored with the transition: one made too early would lose the late ones for ever. So a terminal state is withheld until its fills
 * arrive, or until the venue has reported it for long enough. `sinceMs`: when it changed; NaN: it may have changed just now.
 */
export const withFills = (
  status: ExecutionStatus,
  fillsReconciled: boolean,
  sinceMs: number,
  clock: Clock,
): ExecutionStatus | null => (hasEnded(status) && !fillsReconciled && !hasLagged(sinceMs, clock) ? null : status)

/** A venue's statement of this age no longer waits for fills. */
export const hasLagged = (sinceMs: number, clock: Clock): boolean => lowerBoundNow(clock) - sinceMs >= fillLagMs

const hasEnded = (status: ExecutionStatus | null): boolean =>
  status === 'filled' || status === 'canceled' || status === 'expired'

/** The status of the order determines the status of its cancellation. */
export function observeCancel(status: ExecutionStatus | null, seen: Omit<Observation, 'status'>): Observation {
  if (status === 'canceled') return { ...seen, status: 'acked' }
  if (status === null || status === 'acked') return { ...seen, status: null, undone: status === 'acked' }
  return { ...seen, status: 'failed', reason: `the order was ${status} before the cancellation` }
}

/** The parsed value as plain data, without undefined fields. */
export const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value))
