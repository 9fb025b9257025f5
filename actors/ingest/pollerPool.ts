// What polling can guarantee. A book that has not been read for too long is no longer reported as live, and no more books are pinned than
// can be read in time.
import type { VenueData } from '#venues/venue'

/** Maximum books per batch read. */
export const batchMax = 50
const staleAfterLeastMs = 30_000

/** Age at which a polled book is stale, ms: three rounds at the venue's interval, but at least half a minute. */
export const polledStaleAfterMs = ({ poll }: Pick<VenueData, 'poll'>): number =>
  Math.max(poll.intervalMs * 3, staleAfterLeastMs)

/** How many books can be read twice within that age. */
export function polledBooksMax(data: Pick<VenueData, 'poll' | 'fetchOrderBooks'>, requestsPerSecond: number): number {
  const reads = (polledStaleAfterMs(data) / 2_000) * requestsPerSecond
  return Math.floor(reads * (data.fetchOrderBooks === undefined ? 1 : batchMax))
}
