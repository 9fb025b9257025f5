// What goes into the surface: the bus's books for the clusters of the day, and the wish that ingest keeps them coming.
import { type BookFeed, judgeEveryMs } from '#arbitrage/bookFeed'
import type { ClusterInput } from '#arbitrage/cluster'
import type { DroppedCounts } from '#arbitrage/plan'
import { bookLateMs, caughtUpMs, type VenueOwners } from '#books/owners'
import type { Clock, Timer } from '#lib/clock'
import { inTurns } from '#lib/turns'
import { demandRenewMs } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'
import type { Arbitrage } from './arbitrageActor.ts'
import { Slices } from './slices.ts'

/** Books that change within this time are priced together: what a subscriber waits at most for our own sake. */
const gatherMs = 2
/** Books read in one go; the rest waits for the thread to answer others. */
const booksPerTurn = 50
const clustersPerTurn = 50

export interface SurfaceFeedOptions {
  bus: Pick<Bus, 'publish' | 'subscribe'>
  feed: BookFeed
  arbitrage: Pick<Arbitrage, 'setClusters' | 'flush'> & { publisher: Pick<Arbitrage['publisher'], 'nearLegs'> }
  clock: Clock
  /** Unique per running process, also beside its gateway's own. */
  demandId: string
  /** Whose books are to be believed. */
  owners: Pick<VenueOwners, 'admits' | 'onDoubt'>
}

export interface SurfaceFeed {
  /** The matcher's clusters, whole. Their books are watched from now on, others no longer. */
  setClusters(clusters: readonly ClusterInput[]): Promise<DroppedCounts>
  /** Nobody has spoken for the venue for too long: none of its legs is executable until its books are told anew. */
  venueSilent(venue: string): void
  /** It speaks again, perhaps without knowing that it was not heard: its books are asked for, quiet ones too. */
  venueHeard(venue: string): void
  stop: Stop
}

export async function startSurfaceFeed(options: SurfaceFeedOptions): Promise<SurfaceFeed> {
  const { bus, feed, arbitrage, clock, demandId, owners } = options
  let gathering: Timer | null = null
  let told = new Set<string>()
  /** Sets of clusters given so far. */
  let sets = 0
  /** Legs of rows that are executable or nearly so, by venue, the nearest first. */
  let near = new Map<string, string[]>()
  const slices = new Slices(clock)
  const looking = new Slices(clock)
  /** Venues with books to be called stale: those said under a lower epoch than this. */
  const silent: { venue: string; below: number }[] = []
  const judging = new Slices(clock)
  let stopped = false

  const flush = (): void => {
    gathering = null
    if (stopped) return
    const read = feed.flush(booksPerTurn)
    arbitrage.flush()
    if (read === booksPerTurn) gathering = clock.after(0, flush)
  }
  /** Venue → when one of its books last came late: quiet ones among them are asked for again. */
  const late = new Map<string, number>()
  const unsubscribe = await Promise.all([
    bus.subscribe('books', (update, lateMs = 0) => {
      if (!owners.admits(update)) return
      const isLate = lateMs > bookLateMs && update.state === 'live'
      if (isLate) late.set(update.venue, clock.monotonic())
      if (feed.update(isLate ? { ...update, state: 'stale', staleReason: 'late' } : update))
        gathering ??= clock.after(gatherMs, flush)
    }),
    bus.subscribe('proofs', (proofs, lateMs = 0) => {
      if (lateMs > bookLateMs || !owners.admits(proofs)) return
      if (feed.prove(proofs)) gathering ??= clock.after(gatherMs, flush)
    }),
    bus.subscribe('health', (health) => {
      if (owners.admits(health)) feed.limitProofs(health.venue, health.legProofMs)
    }),
  ])
  function* judge(): Generator<void, void, void> {
    if ((yield* feed.judgeProofs()) > 0) arbitrage.flush()
  }
  const judgement = clock.every(judgeEveryMs, () => {
    if (judging.busy) return
    judging.run(judge(), (error) => {
      if (error !== null) throw error
    })
  })
  const publish = (venue: string, marketIds: string[], key = `${demandId}:${venue}`): void =>
    bus.publish('demand', key, {
      gatewayId: demandId,
      venue,
      marketIds,
      purpose: 'surface',
      near: near.get(venue) ?? [],
      at: clock.now(),
    })
  const tellDemand = (): void => {
    const wanted = feed.wanted()
    for (const [venue, marketIds] of wanted) publish(venue, marketIds)
    for (const venue of told) if (!wanted.has(venue)) publish(venue, [])
    told = new Set(wanted.keys())
  }
  /** Ingest publishes again what becomes wanted. Two keys, lest the bus keep only the newer message. */
  function askAgain(venue: string): void {
    const marketIds = feed.wanted().get(venue)
    if (marketIds === undefined) return
    publish(venue, [], `${demandId}:${venue}:again`)
    publish(venue, marketIds)
  }
  function* look(): Generator<void, void, void> {
    near = yield* arbitrage.publisher.nearLegs()
  }
  const renewal = clock.every(demandRenewMs, () => {
    for (const [venue, at] of late) {
      if (clock.monotonic() - at >= caughtUpMs && late.delete(venue)) askAgain(venue)
    }
    if (looking.busy) tellDemand()
    else
      looking.run(look(), (error) => {
        if (error !== null) throw error
        tellDemand()
      })
  })
  /** One venue after the other: an ingest process that dies silences all of its venues at once. */
  function markSilent(): void {
    const next = slices.busy ? undefined : silent.shift()
    if (next === undefined) return
    const { venue, below } = next
    function* marking(): Generator<void, void, void> {
      if ((yield* feed.markVenueStale(venue, below)) > 0) arbitrage.flush()
    }
    slices.run(marking(), (error) => {
      if (error !== null) throw error
      markSilent()
    })
  }

  async function setClusters(clusters: readonly ClusterInput[]): Promise<DroppedCounts> {
    const mine = ++sets
    const refusedBefore = feed.refused
    const dropped = await arbitrage.setClusters(clusters)
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
    const released = feed.retain((venue, bookId) => needed.get(venue)?.has(bookId) === true)
    // Some found no room beside the books of the set before: there is room now, and nobody may give a set for hours.
    if (released > 0 && feed.refused > refusedBefore) return setClusters(clusters)
    tellDemand()
    return dropped
  }

  function doubt(venue: string, below: number): void {
    silent.push({ venue, below })
    markSilent()
  }
  const ignore = owners.onDoubt((venue, below) => {
    // A new owner tells its books by itself; one that does not know that we slept is asked.
    if (below === Number.POSITIVE_INFINITY) late.set(venue, clock.monotonic())
    doubt(venue, below)
  })

  return {
    setClusters,
    venueSilent: (venue) => doubt(venue, Number.POSITIVE_INFINITY),
    venueHeard: askAgain,
    async stop() {
      if (stopped) return
      stopped = true
      gathering?.cancel()
      renewal.cancel()
      slices.stop()
      looking.stop()
      ignore()
      judgement.cancel()
      judging.stop()
      await Promise.all(unsubscribe.map((stop) => stop()))
      for (const venue of told) publish(venue, [])
    },
  }
}
