// What goes into the surface: the books of the current clusters from the bus, and the demand that keeps ingest sending them.
import { type BookWatch, type BookWatchOptions, startBookWatch } from '#actors/books/bookWatch'
import type { ClusterInput } from '#arbitrage/cluster'
import type { DroppedCounts } from '#arbitrage/plan'
import { inTurns } from '#lib/turns'
import type { Arbitrage } from './arbitrageActor.ts'

const clustersPerTurn = 50

export interface SurfaceFeedOptions extends Omit<BookWatchOptions, 'purpose' | 'flushed' | 'near'> {
  arbitrage: Pick<Arbitrage, 'setClusters' | 'flush'> & { publisher: Pick<Arbitrage['publisher'], 'nearLegs'> }
  /** Who computes on the same books. */
  beside?: {
    needs(venue: string, bookId: string): boolean
    flush(): void
    /** A book that found no room may find some now. */
    roomMade(): void
  }
}

export interface SurfaceFeed extends Pick<BookWatch, 'venueSilent' | 'venueHeard' | 'stop'> {
  /** The matcher's clusters, whole. Their books are watched from now on, others no longer. */
  setClusters(clusters: readonly ClusterInput[]): Promise<DroppedCounts>
  /** Who computes beside the surface needs other books than before. */
  besideChanged(): void
}

export async function startSurfaceFeed(options: SurfaceFeedOptions): Promise<SurfaceFeed> {
  const { feed, arbitrage, beside } = options
  /** Books of the clusters given last, by venue. */
  let clusterBooks = new Map<string, Set<string>>()
  const isNeeded = (venue: string, bookId: string): boolean =>
    clusterBooks.get(venue)?.has(bookId) === true || beside?.needs(venue, bookId) === true
  /** Sets of clusters given so far. */
  let sets = 0
  /** Sets that are being taken over. */
  let taking = 0
  let stopped = false
  const watch = await startBookWatch({
    ...options,
    purpose: 'surface',
    flushed() {
      arbitrage.flush()
      beside?.flush()
    },
    near: () => arbitrage.publisher.nearLegs(),
  })

  async function setClusters(clusters: readonly ClusterInput[]): Promise<DroppedCounts> {
    const mine = ++sets
    const refusedBefore = feed.refused
    taking++
    const dropped = await arbitrage.setClusters(clusters).finally(() => taking--)
    const needed = new Map<string, Set<string>>()
    await inTurns(clusters, clustersPerTurn, ({ members }) => {
      for (const { venue, yesBook, noBook } of members) {
        const books = needed.get(venue) ?? new Set()
        for (const book of [yesBook, noBook]) if (book !== null) books.add(book.bookId)
        needed.set(venue, books)
      }
    })
    // The books of a newer set are kept by now: it says itself which ones are needed no more.
    if (mine !== sets || stopped) return dropped
    clusterBooks = needed
    const released = feed.retain(isNeeded)
    // Some found no room beside the books of the set before: there is room now, and nobody may give a set for hours.
    if (released > 0 && feed.refused > refusedBefore) return setClusters(clusters)
    watch.tellDemand()
    beside?.roomMade()
    return dropped
  }

  return {
    setClusters,
    besideChanged() {
      // Clusters that are being taken over have books that no set names yet: they let go of the others themselves.
      const released = stopped || taking > 0 ? 0 : feed.retain(isNeeded)
      if (!stopped) watch.tellDemand()
      if (released > 0) beside?.roomMade()
    },
    venueSilent: watch.venueSilent,
    venueHeard: watch.venueHeard,
    stop() {
      stopped = true
      return watch.stop()
    },
  }
}
