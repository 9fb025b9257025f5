// Whether a market has a book that an order can wait for: its own, and proven live now. It may not have been watched until now, so it is requested,
// and awaited briefly.

import type { Clock } from '#core/clock'
import type { BookOf } from '#history/recordedOutcomeId'
import type { Catalog } from '#marketData/catalog/catalog'
import type { LiveBooks } from '#marketData/markets/index'
import type { BookAvailability } from '#orders/conditional/index'
import { hasSyntheticBooks, venueDepth } from '#schemas/venues'

const waitMs = 3_000
const pollIntervalMs = 25

export interface BookAvailabilityOptions {
  catalog: Pick<Catalog, 'findMarket'>
  bookOf: BookOf
  books: Pick<LiveBooks, 'get'>
  /** Keeps the book fed for a while. */
  hold(venue: string, bookId: string): void
  clock: Clock
}

export function createBookAvailability({ catalog, bookOf, books, hold, clock }: BookAvailabilityOptions) {
  /** Waiting callers share the checks of one book. */
  const waiting = new Map<string, Promise<boolean>>()

  function isLive(venue: string, bookId: string): boolean {
    return books.get(venue, bookId)?.state === 'live'
  }

  function comesAlive(venue: string, bookId: string): Promise<boolean> {
    const until = clock.monotonic() + waitMs
    return new Promise((resolve) => {
      const timer = clock.every(pollIntervalMs, () => {
        const live = isLive(venue, bookId)
        if (!live && clock.monotonic() < until) return
        timer.cancel()
        resolve(live)
      })
    })
  }

  return async (venue: string, marketId: string, outcomeId: string): Promise<BookAvailability> => {
    if (venueDepth(venue) === 'no' || hasSyntheticBooks(venue)) return 'none'
    const ref = bookOf(venue, outcomeId, marketId)
    if (ref === null) return 'none'
    const market = await catalog.findMarket(venue, marketId)
    if (market?.sourceMetadata.synthetic === true) return 'none'
    hold(venue, ref.bookId)
    if (isLive(venue, ref.bookId)) return 'live'
    const name = `${venue}:${ref.bookId}`
    const wait = waiting.get(name) ?? comesAlive(venue, ref.bookId).finally(() => waiting.delete(name))
    waiting.set(name, wait)
    return (await wait) ? 'live' : 'silent'
  }
}
