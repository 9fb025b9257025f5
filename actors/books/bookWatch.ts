// Keeps a feed of books going: the books from the bus, which process owns them, the age of their proofs, and the demand that keeps ingest
// sending them. Notifies the books' users when some were read.
import { Slices } from '#actors/runtime/slices'
import { type BookFeed, judgeEveryMs } from '#books/bookFeed'
import { bookLateMs, caughtUpMs, type VenueOwners } from '#books/owners'
import type { Clock, Timer } from '#lib/clock'
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
  owners: Pick<VenueOwners, 'admits' | 'onDoubt'>
  /** Books were read or became stale. */
  flushed(): void
  /** What has priority upstream, by venue; asked before each renewal. */
  near(): Iterator<void, ReadonlyMap<string, string[]>, void>
}

export interface BookWatch {
  /** The set of books the feed keeps has changed. */
  tellDemand(): void
  /** The venue's owner has been silent for too long: all its books are stale until they are sent again. */
  venueSilent(venue: string): void
  /** It is heard again, perhaps unaware that it was not: asks for its books, quiet ones too. */
  venueHeard(venue: string): void
  stop: Stop
}

export async function startBookWatch(options: BookWatchOptions): Promise<BookWatch> {
  const { bus, feed, clock, demandId, purpose, owners, flushed } = options
  let gathering: Timer | null = null
  let flushedAt = Number.NEGATIVE_INFINITY
  let told = new Set<string>()
  let near: ReadonlyMap<string, string[]> = new Map()
  const slices = new Slices(clock)
  const looking = new Slices(clock)
  /** Venues with books to mark stale: those sent under an epoch below this. */
  const silent: { venue: string; below: number }[] = []
  const judging = new Slices(clock)
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
      if (feed.update(isLate ? { ...update, state: 'stale', staleReason: 'late' } : update)) gather()
    }),
    bus.subscribe('proofs', (proofs, lateMs = 0) => {
      if (lateMs > bookLateMs || !owners.admits(proofs)) return
      if (feed.prove(proofs)) gather()
    }),
    bus.subscribe('health', (health) => {
      if (owners.admits(health)) feed.limitProofs(health.venue, health.legProofMs)
    }),
  ])
  function* judge(): Generator<void, void, void> {
    if ((yield* feed.judgeProofs()) > 0) flushed()
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
      purpose,
      near: near.get(venue) ?? [],
      at: clock.now(),
    })
  const tellDemand = (): void => {
    const wanted = feed.wanted()
    for (const [venue, marketIds] of wanted) publish(venue, marketIds)
    for (const venue of told) if (!wanted.has(venue)) publish(venue, [])
    told = new Set(wanted.keys())
  }
  /** Ingest republishes whatever becomes wanted. Two keys, so that the bus does not keep only the newer message. */
  function askAgain(venue: string): void {
    const marketIds = feed.wanted().get(venue)
    if (marketIds === undefined) return
    publish(venue, [], `${demandId}:${venue}:again`)
    publish(venue, marketIds)
  }
  function* look(): Generator<void, void, void> {
    const asked = options.near()
    for (;;) {
      const { done, value } = asked.next()
      if (done === true) {
        near = value
        return
      }
      yield
    }
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
  /** One venue after the other: a dying ingest process silences all of its venues at once. */
  function markSilent(): void {
    const next = slices.busy ? undefined : silent.shift()
    if (next === undefined) return
    const { venue, below } = next
    function* marking(): Generator<void, void, void> {
      if ((yield* feed.markVenueStale(venue, below)) > 0) flushed()
    }
    slices.run(marking(), (error) => {
      if (error !== null) throw error
      markSilent()
    })
  }
  function doubt(venue: string, below: number): void {
    silent.push({ venue, below })
    markSilent()
  }
  const ignore = owners.onDoubt((venue, below) => {
    // A new owner sends its books by itself; one unaware that we slept has to be asked.
    if (below === Number.POSITIVE_INFINITY) late.set(venue, clock.monotonic())
    doubt(venue, below)
  })

  return {
    tellDemand,
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
