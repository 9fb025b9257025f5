// Which books the tape records even without readers: the venue's most active markets, looked up again from time to time.

import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import type { VenueManifest } from '#venues/venue'

const refreshMs = 60_000
/** Until the first catalog run has written something. */
const firstRefreshMs = 1_000

export interface PinsOptions {
  venue: VenueManifest
  catalog: Catalog
  /** Maximum markets. */
  limit: number
  /** Maximum books. */
  booksMax: number
  clock: Clock
  log: Log
  pin(bookIds: readonly string[]): void
}

export interface Pins {
  /** Looks up again immediately: the catalog has changed. */
  refresh(): void
  stop(): void
}

export function maintainPinnedMarkets({ venue, catalog, limit, booksMax, clock, log, pin }: PinsOptions): Pins {
  let timer: Timer | null = null
  let stopped = false
  let busy = false

  async function look(): Promise<void> {
    if (busy || stopped || limit === 0) return
    busy = true
    timer?.cancel()
    let found = 0
    try {
      const markets = await catalog.findMostActiveMarkets(venue.slug, limit)
      const bookIds = new Set<string>()
      for (const market of markets) {
        for (const { outcomeId } of market.outcomes) {
          const ref = venue.data.bookRef(outcomeId)
          if (ref !== null) bookIds.add(ref.bookId)
        }
      }
      found = bookIds.size
      // An empty catalog has not been walked yet: pins stay.
      if (found > 0 && !stopped) pin([...bookIds].slice(0, booksMax))
    } catch (error) {
      log.warn(
        { venue: venue.slug, err: error },
        'failed to reload the list of recorded markets; keeping the current one',
      )
    } finally {
      busy = false
    }
    if (!stopped) timer = clock.after(found > 0 ? refreshMs : firstRefreshMs, () => void look())
  }

  void look()
  return {
    refresh: () => void look(),
    stop() {
      stopped = true
      timer?.cancel()
    },
  }
}
