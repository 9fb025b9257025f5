// One book for one reader, from the freshest source that has it:
//
//   live book in memory ──► venue over REST (shared by equal requests, watched from then on) ──► tape, with its age ──► 404
//
// The first answers without waiting for anything. The tape is only consulted for outcomes in the catalog: everything taped is listed.

import { Cache } from '#core/cache'
import { Fault } from '#core/fault'
import { SingleFlight } from '#core/singleFlight'
import type { BookUpdate } from '#schemas/topics'
import type { BookRef, BookSnapshot } from '#venues/venue'
import { type EncodedBook, encodeBook, encodeLive } from './bookBytes.ts'
import type { MarketFact, MarketFacts } from './marketFacts.ts'
import type { MarketsPorts, VenueReads } from './ports.ts'
import { readFromVenue } from './readDeadline.ts'
import { bookOfSnapshot, historicalBooks, limitBook } from './snapshotBook.ts'

/** An id the venue has just reported unknown is not requested again for this long. */
const unknownForMs = 5_000
const unknownMax = 20_000
/** A live book that is read again and again is wanted by a reader: this is repeated no sooner. */
const holdEveryMs = 5_000

/** Both views of one live state, each encoded at its first read. */
interface Views {
  own: EncodedBook | null
  other: EncodedBook | null
  /** When the book was last held for its readers, on the monotonic clock. */
  heldAt: number
}

/** An outcome with its book and the catalog's data on its market. */
export interface KnownOutcome {
  outcomeId: string
  ref: BookRef
  fact: MarketFact
}

/** What a batch knows that a single read does not. */
export interface ReadHints {
  levelsMax?: number
  /** What a batch request has already returned, by book id; null when the venue knows no such book. */
  fetched?: ReadonlyMap<string, BookSnapshot | null>
  /** The venue failed a moment ago in this very call: do not wait for it again. */
  venueFailure?: unknown
}

export class BookReads {
  private readonly views = new WeakMap<BookUpdate, Views>()
  private readonly inFlight = new SingleFlight<BookSnapshot | null>()
  private readonly unknown: Cache<true>
  private readonly ports: MarketsPorts
  private readonly facts: MarketFacts

  constructor(ports: MarketsPorts, facts: MarketFacts) {
    this.ports = ports
    this.facts = facts
    this.unknown = new Cache(unknownMax, { clock: ports.clock, forMs: unknownForMs })
  }

  /** Throws Fault OUTCOME_NOT_FOUND, or the venue's failure when the tape has nothing either. */
  read(venue: VenueReads, outcomeId: string, hints: ReadHints = {}): EncodedBook | Promise<EncodedBook> {
    const outcome = this.know(venue, outcomeId)
    if (outcome instanceof Promise) return outcome.then((known) => this.readKnown(venue, known, hints))
    return this.readKnown(venue, outcome, hints)
  }

  readKnown(venue: VenueReads, outcome: KnownOutcome, hints: ReadHints = {}): EncodedBook | Promise<EncodedBook> {
    return this.readLive(venue, outcome, hints.levelsMax) ?? this.readFromVenueOrTape(venue, outcome, hints)
  }

  /** Synchronous for a recently read outcome. Throws Fault OUTCOME_NOT_FOUND for an id the venue cannot have. */
  know(venue: VenueReads, outcomeId: string): KnownOutcome | Promise<KnownOutcome> {
    // Checked before the catalog is read, so that invalid ids never reach it.
    if (venue.data.bookRef(outcomeId) === null) throw notFound(venue)
    const fact = this.facts.of(venue.slug, outcomeId)
    return fact instanceof Promise
      ? fact.then((known) => knownOutcome(venue, outcomeId, known))
      : knownOutcome(venue, outcomeId, fact)
  }

  /** Null when memory holds no fresh book. */
  readLive(venue: VenueReads, { ref, fact }: KnownOutcome, levelsMax?: number): EncodedBook | null {
    const update = this.ports.books.get(venue.slug, ref.bookId)
    if (update?.state !== 'live') return null
    const views = this.viewsOf(update)
    this.hold(update, views)
    if (levelsMax === undefined) {
      const ready = ref.complement ? views.other : views.own
      if (ready !== null) return ready
    }
    return this.encode(update, views, ref, fact, levelsMax)
  }

  private viewsOf(update: BookUpdate): Views {
    const known = this.views.get(update)
    if (known !== undefined) return known
    const views = { own: null, other: null, heldAt: Number.NEGATIVE_INFINITY }
    this.views.set(update, views)
    return views
  }

  /** A book may be live only because of the arbitrage surface: once it has a reader it is compared with the venue's own sooner. */
  private hold({ venue, marketId }: BookUpdate, views: Views): void {
    const now = this.ports.clock.monotonic()
    if (now - views.heldAt < holdEveryMs) return
    views.heldAt = now
    this.ports.demand.hold(venue, marketId)
  }

  private encode(
    update: BookUpdate,
    views: Views,
    ref: BookRef,
    fact: MarketFact,
    levelsMax: number | undefined,
  ): EncodedBook {
    const { books } = this.ports
    const side = ref.complement ? books.complement(update.core) : update.core
    if (levelsMax !== undefined) return encodeLive(update, books.limit(side, levelsMax), ref.complement, fact)
    const book = encodeLive(update, side, ref.complement, fact)
    if (ref.complement) views.other = book
    else views.own = book
    return book
  }

  private async readFromVenueOrTape(venue: VenueReads, outcome: KnownOutcome, hints: ReadHints): Promise<EncodedBook> {
    const { ref, fact } = outcome
    let failure: unknown = hints.venueFailure
    if (failure === undefined) {
      try {
        const fetched = hints.fetched?.get(ref.bookId)
        const snapshot = fetched === undefined ? await this.fetchBook(venue, ref.bookId) : fetched
        if (snapshot !== null) {
          this.ports.demand.hold(venue.slug, ref.bookId)
          const book = bookOfSnapshot(venue.slug, snapshot, ref.complement, fact.isSynthetic)
          return encodeBook(limitBook(book, hints.levelsMax))
        }
      } catch (error) {
        failure = error
      }
    }
    const archived = await this.readArchive(venue.slug, outcome, failure)
    if (archived !== null) return encodeBook(limitBook(archived, hints.levelsMax))
    throw failure ?? notFound(venue)
  }

  private async fetchBook(venue: VenueReads, bookId: string): Promise<BookSnapshot | null> {
    const key = `${venue.slug}:${bookId}`
    if (this.unknown.get(key) === true) return null
    const { clock } = this.ports
    const snapshot = await this.inFlight.run(key, () =>
      readFromVenue(venue, clock, (context) => venue.data.fetchOrderBook(context, bookId)),
    )
    if (snapshot === null) this.unknown.set(key, true)
    return snapshot
  }

  /** Newest archived book; null also when the tape is down. */
  private async readArchive(venue: string, { outcomeId, fact }: KnownOutcome, venueFailure: unknown) {
    const { tape, clock, log } = this.ports
    if (tape === null || fact.isListed === false) return null
    try {
      const book = await tape.findBook(venue, outcomeId, clock.now(), fact.marketId)
      return book === null ? null : historicalBooks(venue, fact.isSynthetic)(book)
    } catch (error) {
      // The reader gets the error of the first source that failed; this one is for the operator.
      log.warn(
        { venue, outcomeId, err: error, venueFailed: venueFailure !== undefined },
        'the tape could not answer a book read',
      )
      return null
    }
  }
}

function knownOutcome(venue: VenueReads, outcomeId: string, fact: MarketFact): KnownOutcome {
  const ref = venue.data.bookRef(outcomeId, fact.marketId)
  if (ref === null) throw notFound(venue)
  return { outcomeId, ref, fact }
}

const notFound = (venue: VenueReads): Fault =>
  new Fault('OUTCOME_NOT_FOUND', 'no order book for this outcome', { exchange: venue.slug })
