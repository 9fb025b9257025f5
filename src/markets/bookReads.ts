// One book for one reader, from the freshest place that has it:
//
//   live book in memory ──► venue over REST (shared by equal requests, watched from then on) ──► tape, with its age ──► 404
//
// The first answers without waiting for anything.
import { Fault } from '#lib/fault'
import type { BookUpdate } from '#schemas/topics'
import type { BookRef, BookSnapshot } from '#venues/venue'
import { type EncodedBook, encodeBook, encodeLive } from './bookBytes.ts'
import { Coalesce } from './coalesce.ts'
import { askVenue } from './deadline.ts'
import type { MarketFacts, NegRisk } from './marketFacts.ts'
import { Memory } from './memory.ts'
import type { MarketsPorts, VenueReads } from './ports.ts'
import { archivedBook, bookOfSnapshot, complementBook, limitBook } from './snapshotBook.ts'

/** An id the venue has just said it does not know is not asked about again for this long. */
const unknownForMs = 5_000
const unknownMax = 20_000

/** Both views of one live state, each encoded at its first read. */
interface Views {
  own: EncodedBook | null
  other: EncodedBook | null
}

/** What a batch knows that a single read does not. */
export interface ReadHints {
  levelsMax?: number
  /** What a batch request has already brought, by book id; null where the venue knows no such book. */
  fetched?: ReadonlyMap<string, BookSnapshot | null>
  /** The venue failed to answer a moment ago in this very call: do not wait for it again. */
  venueFailure?: unknown
}

export class BookReads {
  private readonly views = new WeakMap<BookUpdate, Views>()
  private readonly asking = new Coalesce<BookSnapshot | null>()
  private readonly unknown: Memory<true>
  private readonly ports: MarketsPorts
  private readonly facts: MarketFacts

  constructor(ports: MarketsPorts, facts: MarketFacts) {
    this.ports = ports
    this.facts = facts
    this.unknown = new Memory(unknownMax, ports.clock)
  }

  /** Throws Fault OUTCOME_NOT_FOUND, or what the venue's failure was when the tape has nothing either. */
  read(venue: VenueReads, outcomeId: string, hints: ReadHints = {}): EncodedBook | Promise<EncodedBook> {
    const ref = venue.data.bookRef(outcomeId)
    if (ref === null) throw notFound(venue)
    return (
      this.readLive(venue.slug, outcomeId, ref, hints.levelsMax) ?? this.readElsewhere(venue, outcomeId, ref, hints)
    )
  }

  /** Null when memory holds no fresh book. */
  readLive(
    venue: string,
    outcomeId: string,
    ref: BookRef,
    levelsMax?: number,
  ): EncodedBook | Promise<EncodedBook> | null {
    const update = this.ports.books.get(venue, ref.bookId)
    if (update?.state !== 'live') return null
    if (levelsMax === undefined) {
      const views = this.views.get(update)
      const ready = ref.complement ? views?.other : views?.own
      if (ready != null) return ready
    }
    const isNegRisk = this.facts.isNegRisk(venue, outcomeId)
    if (isNegRisk instanceof Promise) return isNegRisk.then((known) => this.encode(update, ref, known, levelsMax))
    return this.encode(update, ref, isNegRisk, levelsMax)
  }

  private encode(update: BookUpdate, ref: BookRef, isNegRisk: NegRisk, levelsMax: number | undefined): EncodedBook {
    const { books } = this.ports
    const side = ref.complement ? books.complement(update.core) : update.core
    if (levelsMax !== undefined) return encodeLive(update, books.limit(side, levelsMax), ref.complement, isNegRisk)
    const views = this.views.get(update) ?? { own: null, other: null }
    this.views.set(update, views)
    const book = encodeLive(update, side, ref.complement, isNegRisk)
    if (ref.complement) views.other = book
    else views.own = book
    return book
  }

  private async readElsewhere(
    venue: VenueReads,
    outcomeId: string,
    ref: BookRef,
    hints: ReadHints,
  ): Promise<EncodedBook> {
    let failure: unknown = hints.venueFailure
    if (failure === undefined) {
      try {
        const fetched = hints.fetched?.get(ref.bookId)
        const snapshot = fetched === undefined ? await this.askForBook(venue, ref.bookId) : fetched
        if (snapshot !== null) {
          this.ports.demand.hold(venue.slug, ref.bookId)
          return encodeBook(limitBook(bookOfSnapshot(venue.slug, snapshot, ref.complement), hints.levelsMax))
        }
      } catch (error) {
        failure = error
      }
    }
    const archived = await this.readArchive(venue.slug, outcomeId, ref, failure)
    if (archived !== null) return encodeBook(limitBook(archived, hints.levelsMax))
    throw failure ?? notFound(venue)
  }

  private async askForBook(venue: VenueReads, bookId: string): Promise<BookSnapshot | null> {
    const key = `${venue.slug}:${bookId}`
    if (this.unknown.get(key) === true) return null
    const { clock } = this.ports
    const snapshot = await this.asking.run(key, () =>
      askVenue(venue, clock, (context) => venue.data.fetchOrderBook(context, bookId)),
    )
    if (snapshot === null) this.unknown.set(key, true, unknownForMs)
    return snapshot
  }

  /** Newest archived book. A one-book venue may have taped only the book's own outcome: then its mirror is the answer. */
  private async readArchive(venue: string, outcomeId: string, ref: BookRef, venueFailure: unknown) {
    const { tape, clock, log } = this.ports
    if (tape === null) return null
    try {
      const own = await tape.findBook(venue, outcomeId, clock.now())
      if (own !== null) return archivedBook(own)
      if (!ref.complement) return null
      const other = await tape.findBook(venue, ref.bookId, clock.now())
      return other === null ? null : complementBook(archivedBook(other))
    } catch (error) {
      // The reader is told about the first place that failed; this one is for the operator.
      log.warn(
        { venue, outcomeId, err: error, venueFailed: venueFailure !== undefined },
        'the tape could not answer a book read',
      )
      return null
    }
  }
}

const notFound = (venue: VenueReads): Fault =>
  new Fault('OUTCOME_NOT_FOUND', 'no order book for this outcome', { exchange: venue.slug })
