// The surface's input: the books of the current clusters from the bus, and the demand that keeps ingest sending them.
import { type BookWatch, type BookWatchOptions, startBookWatch } from '#actors/books/bookWatch'
import type { ClusterInput } from '#arbitrage/cluster'
import type { DroppedCounts } from '#arbitrage/compileSurface'
import { forEachYielding } from '#core/yieldToEventLoop'
import type { Arbitrage } from './arbitrageActor.ts'

const clustersPerTurn = 50

export interface SurfaceFeedOptions extends Omit<BookWatchOptions, 'purpose' | 'flushed' | 'near'> {
  arbitrage: Pick<Arbitrage, 'setClusters' | 'flush'> & { publisher: Pick<Arbitrage['publisher'], 'nearLegs'> }
  /** Other users of the same books. */
  otherUsers?: {
    needs(venue: string, bookId: string): boolean
    flush(): void
    /** A book without a slot may get one now. */
    slotsFreed(): void
  }
}

export interface SurfaceFeed extends Pick<BookWatch, 'venueSilent' | 'venueResumed' | 'stop'> {
  /** The complete set of the matcher's clusters. Watches their books and stops watching others. */
  setClusters(clusters: readonly ClusterInput[]): Promise<DroppedCounts>
  /** The other users now need different books. */
  otherUsersChanged(): void
}

export async function startSurfaceFeed(options: SurfaceFeedOptions): Promise<SurfaceFeed> {
  const { feed, arbitrage, otherUsers } = options
  /** Books of the latest clusters, by venue. */
  let clusterBooks = new Map<string, Set<string>>()
  const isNeeded = (venue: string, bookId: string): boolean =>
    clusterBooks.get(venue)?.has(bookId) === true || otherUsers?.needs(venue, bookId) === true
  /** Number of cluster sets received so far. */
  let sets = 0
  /** Sets being loaded. */
  let taking = 0
  /** The feed's count when the books were last flushed. */
  let staleMarks = feed.staleMarks
  let stopped = false
  const watch = await startBookWatch({
    ...options,
    purpose: 'surface',
    flushed() {
      // A row on a book that turned stale must not be shown for longer.
      arbitrage.flush(feed.staleMarks !== staleMarks)
      staleMarks = feed.staleMarks
      otherUsers?.flush()
    },
    near: () => arbitrage.publisher.nearLegs(),
  })

  async function setClusters(clusters: readonly ClusterInput[]): Promise<DroppedCounts> {
    const mine = ++sets
    const refusedBefore = feed.refused
    taking++
    const dropped = await arbitrage.setClusters(clusters).finally(() => taking--)
    const needed = new Map<string, Set<string>>()
    await forEachYielding(clusters, clustersPerTurn, ({ members }) => {
      for (const { venue, yesBook, noBook } of members) {
        const books = needed.get(venue) ?? new Set()
        for (const book of [yesBook, noBook]) if (book !== null) books.add(book.bookId)
        needed.set(venue, books)
      }
    })
    // A newer set has claimed its books by now: it releases unneeded ones itself.
    if (mine !== sets || stopped) return dropped
    clusterBooks = needed
    const released = feed.retain(isNeeded)
    // Some books had no slot while the previous set kept its own: slots are free now, and the next set may be hours away.
    if (released > 0 && feed.refused > refusedBefore) return setClusters(clusters)
    watch.publishDemand()
    otherUsers?.slotsFreed()
    return dropped
  }

  return {
    setClusters,
    otherUsersChanged() {
      // Clusters being loaded have books that no set names yet: they release the others themselves.
      const released = stopped || taking > 0 ? 0 : feed.retain(isNeeded)
      if (!stopped) watch.publishDemand()
      if (released > 0) otherUsers?.slotsFreed()
    },
    venueSilent: watch.venueSilent,
    venueResumed: watch.venueResumed,
    stop() {
      stopped = true
      return watch.stop()
    },
  }
}
