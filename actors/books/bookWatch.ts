// Keeps a feed of books up to date: the books from the bus, which process owns them, the age of their proofs, and the demand that keeps
// ingest sending them. Notifies the books' users when some were read.
import { TimeSlicer } from '#actors/runtime/timeSlicer'
import { backlogReadMs, bookLateMs, type Invalidation, type VenueOwners } from '#core/books/epochFencing'
import { type BookFeed, livenessCheckMs } from '#core/books/sharedBookPublisher'
import type { Clock, Timer } from '#core/clock'
import { type Demand, demandRenewMs } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'

/** A book that changes after a pause is read at once; those that follow within this time are read together. */
const gatherMs = 2
/** Books read per turn of the event loop. */
const booksPerTurn = 50

export interface BookWatchOptions {
  bus: Pick<Bus, 'publish' | 'subscribe'>
  feed: BookFeed
  clock: Clock
  /** Unique per running process and user within it. */
  demandId: string
  purpose: Demand['purpose']
  /** Decides whose books are trusted. */
  owners: Pick<VenueOwners, 'admits' | 'onInvalidation'>
  /** Books were read or became stale. */
  flushed(): void
  /** What has priority upstream, by venue; read before each renewal. */
  near(): Iterator<void, ReadonlyMap<string, string[]>, void>
}

export interface BookWatch {
  /** The set of books the feed keeps has changed. */
  publishDemand(): void
  /** The owner of this part of the venue has been silent for too long: all its books are stale until they are sent again. */
  venueSilent(venue: string, part?: string): void
  /** The owner sends again, perhaps unaware of its silence: requests its books, quiet ones too. */
  venueResumed(venue: string): void
  stop: Stop
}

export async function startBookWatch(options: BookWatchOptions): Promise<BookWatch> {
  const { bus, feed, clock, demandId, purpose, owners, flushed } = options
  let gathering: Timer | null = null
  let flushedAt = Number.NEGATIVE_INFINITY
  let demandedVenues = new Set<string>()
  let near: ReadonlyMap<string, string[]> = new Map()
  const slices = new TimeSlicer(clock)
  const looking = new TimeSlicer(clock)
  /** Venues with books to mark stale. */
  const silent: { venue: string; isVoid: Invalidation['isVoid'] }[] = []
  const checkSlicer = new TimeSlicer(clock)
  let stopped = false

  const flush = (): void => {
    gathering = null
    if (stopped) return
    flushedAt = clock.monotonic()
    const read = feed.flush(booksPerTurn)
    flushed()
    if (read === booksPerTurn) gathering = clock.after(0, flush)
  }
  const gather = (): void => {
    if (gathering !== null) return
    const leftMs = flushedAt + gatherMs - clock.monotonic()
    gathering = leftMs > 0 ? clock.after(leftMs, flush) : clock.soon(flush)
  }
  /** Venue → when one of its books last arrived late: its quiet books are requested again. */
  const late = new Map<string, number>()
  const unsubscribe = await Promise.all([
    bus.subscribe('books', (update, lateMs = 0) => {
      if (!owners.admits(update)) return
      const isLate = lateMs > bookLateMs && update.state === 'live'
      if (isLate) late.set(update.venue, clock.monotonic())
      if (feed.update(isLate ? { ...update, state: 'stale', staleReason: 'received_late' } : update)) gather()
    }),
    bus.subscribe('proofs', (proofs, lateMs = 0) => {
      if (lateMs > bookLateMs || !owners.admits(proofs)) return
      if (feed.prove(proofs)) gather()
    }),
    bus.subscribe('health', (health) => {
      if (owners.admits(health)) feed.limitProofs(health.venue, health.legProofMs)
    }),
  ])
  function* checkProofs(): Generator<void, void, void> {
    if ((yield* feed.expireProofs()) > 0) flushed()
  }
  const checkTimer = clock.every(livenessCheckMs, () => {
    if (checkSlicer.busy) return
    checkSlicer.run(checkProofs(), (error) => {
      if (error !== null) throw error
    })
  })
  const publish = (
    venue: string,
    marketIds: string[],
    lacking = feed.lacking(venue, marketIds),
    key = `${demandId}:${venue}`,
  ): void =>
    bus.publish('demand', key, {
      gatewayId: demandId,
      venue,
      marketIds,
      purpose,
      near: near.get(venue) ?? [],
      ...(lacking.length > 0 && { lacking }),
      at: clock.now(),
    })
  const publishDemand = (): void => {
    const wanted = feed.wanted()
    for (const [venue, marketIds] of wanted) publish(venue, marketIds)
    for (const venue of demandedVenues) if (!wanted.has(venue)) publish(venue, [])
    demandedVenues = new Set(wanted.keys())
  }
  /** None of its books is trusted. A key of its own, so that the next renewal does not replace the message on its way. */
  function requestBooks(venue: string): void {
    const marketIds = feed.wanted().get(venue)
    if (marketIds === undefined) return
    publish(venue, marketIds, [...marketIds.keys()], `${demandId}:${venue}:again`)
  }
  function* look(): Generator<void, void, void> {
    const nearReader = options.near()
    for (;;) {
      const { done, value } = nearReader.next()
      if (done === true) {
        near = value
        return
      }
      yield
    }
  }
  const renewal = clock.every(demandRenewMs, () => {
    for (const [venue, at] of late) {
      if (clock.monotonic() - at >= backlogReadMs && late.delete(venue)) requestBooks(venue)
    }
    if (looking.busy) publishDemand()
    else
      looking.run(look(), (error) => {
        if (error !== null) throw error
        publishDemand()
      })
  })
  /** One venue after the other: a dying ingest process silences all of its venues at once. */
  function markSilent(): void {
    const next = slices.busy ? undefined : silent.shift()
    if (next === undefined) return
    const { venue, isVoid } = next
    function* marking(): Generator<void, void, void> {
      if ((yield* feed.markVenueStale(venue, isVoid)) > 0) flushed()
    }
    slices.run(marking(), (error) => {
      if (error !== null) throw error
      markSilent()
    })
  }
  function queueSilent(venue: string, isVoid: Invalidation['isVoid']): void {
    silent.push({ venue, isVoid })
    markSilent()
  }
  const ignore = owners.onInvalidation((venue, { isVoid, hasSlept }) => {
    // A new owner sends its books by itself; one unaware that we slept must be sent a request.
    if (hasSlept) late.set(venue, clock.monotonic())
    queueSilent(venue, isVoid)
  })

  return {
    publishDemand,
    venueSilent: (venue, part) => queueSilent(venue, (sent) => sent.part === part),
    venueResumed: requestBooks,
    async stop() {
      if (stopped) return
      stopped = true
      gathering?.cancel()
      renewal.cancel()
      slices.stop()
      looking.stop()
      ignore()
      checkTimer.cancel()
      checkSlicer.stop()
      await Promise.all(unsubscribe.map((stop) => stop()))
      for (const venue of demandedVenues) publish(venue, [])
    },
  }
}
