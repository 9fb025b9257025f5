// A book is live because something proved it recently: a message of its own, or a comparison with the venue's own book. Heartbeats of a socket,
// and other books on it, prove nothing about this one; and a message proves that the feed is up, not that none was lost before it. So every
// book is compared with the venue's regularly, busy or not, least recently compared first, those near execution before all others.
//
// due ──requested in band──► its snapshot arrives and replaces it   no snapshot or message, twice, while others flow ─┐
//     ──read over REST──► equal: proven, readers are notified       a level differs, twice, untouched meanwhile ──────┼─► frozen
// whole book in addition to the changes ──► a level differs, and no change of it arrives before or soon after ────────┘
import { TopK } from '#arbitrage/topK'
import type { Clock } from '#core/clock'
import type { ThrottledLog } from '#core/throttledLog'
import type { BookVerification } from '#schemas/topics'
import { type BookSnapshot, defaultRequestsPerSecond, type VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { Contradictions } from './contradictions.ts'
import { sweepMs } from './housekeeping.ts'
import type { IngestBook } from './ingestBook.ts'
import { booksPerRead, readBooks } from './readBooks.ts'
import { type HeldLevels, holdLevels, wrongLevels } from './snapshot.ts'
import type { VenueSockets } from './venueSockets.ts'

/**
 * Age of a comparison at which another is due: of a book with a reader, of a leg near execution (early enough that two tries fit into a leg's
 * maximum age), and of any other.
 */
const readQuietMs = 5_000
const nearQuietMs = 4_000
const quietMs = 8_000
/** A book that differs is compared again after this: its own message may have been on its way. */
const confirmMs = 1_500
/** A snapshot requested on the socket arrives within this time, or is requested once more. */
const answerMs = 1_500
/** What a comparison over REST takes at most before the venue counts as slow. */
const readMs = 1_000
/** Share of the requests the venue allows us, unless its manifest says otherwise. */
const readShare = 0.25
/** Share of the comparisons that books with readers leave to the others. */
const othersShare = 0.25

/** Requests per second for comparisons. */
export const comparesPerSecond = ({ stream, requestsPerSecond = defaultRequestsPerSecond }: VenueData): number =>
  stream?.comparesPerSecond ?? Math.max(1, Math.floor(requestsPerSecond * readShare))

/** From the change that a feed did not deliver until its book is stale, when it is compared every `everyMs`, ms. */
const detectionMs = (everyMs: number, isInBand: boolean): number =>
  everyMs + sweepMs + (isInBand ? 2 * (answerMs + sweepMs) : confirmMs + sweepMs + readMs)

/** How many books with readers are compared so often that the venue's declared bound holds for each. */
export function boundedBooks(data: VenueData): number {
  if (data.stream === undefined) return 0
  const everyMs = data.stream.stalenessMaxMs - detectionMs(0, data.stream.resyncInBand)
  const booksPerSecond = comparesPerSecond(data) * booksPerRead(data) * (1 - othersShare)
  return Math.floor((everyMs / 1_000) * booksPerSecond)
}

export interface ProverOptions {
  venue: string
  data: VenueData
  context: VenueContext
  clock: Clock
  lines: ThrottledLog
  books: ReadonlyMap<string, IngestBook>
  sockets: Pick<VenueSockets, 'confirm' | 'dataSince' | 'isQuiet'>
  /** Identifies what is published. */
  epoch: number
  publish(proofs: BookVerification): void
  /** This book differs from the venue's: its feed has delivered nothing since the difference was first seen, or something, but not all. */
  differs(bookId: string, feed: 'silent' | 'lossy'): void
  /** Likewise, and the whole connection that feeds this book has been silent for half of the time after which it counts as frozen. */
  feedFrozen(bookId: string): void
}

interface Due {
  bookId: string
  /** The lowest first. */
  rank: number
  comparedAt: number
}

interface PendingRequest {
  at: number
  again: boolean
  /** Snapshots the book had applied by then. */
  snapshots: number
  recvTs: number
}

export class BookVerifier {
  /** The time that books record their messages with: the monotonic time of the last sweep. */
  readonly beat: { at: number }
  /** Comparisons that found a different book, since the start. */
  differences = 0
  private readers: ReadonlySet<string> = new Set()
  private near: ReadonlySet<string> = new Set()
  /** Requests that may be made, carried over when less than one. */
  private credit = 0
  /** Comparisons that books without readers are entitled to. */
  private othersCredit = 0
  /** Requested on the socket: since when, and whether for the second time. */
  private readonly pendingRequests = new Map<string, PendingRequest>()
  /** Found different: since when, the message the book was then at, and our levels where the venue had others. */
  private readonly suspects = new Map<string, { at: number; recvTs: number; wrong: ReadonlyMap<number, number> }>()
  private readonly contradictions = new Contradictions()
  private proven: string[] = []
  private provenSince = 0
  private isReading = false
  private readonly options: ProverOptions
  private readonly readsPerSweep: number
  private readonly isInBand: boolean

  constructor(options: ProverOptions) {
    this.options = options
    this.beat = { at: options.clock.monotonic() }
    this.readsPerSweep = (comparesPerSecond(options.data) * sweepMs) / 1_000
    this.isInBand = options.data.stream?.resyncInBand === true
  }

  /** Books to be proven first: those with readers, then those near execution. */
  rank(readers: ReadonlySet<string>, near: readonly string[]): void {
    this.readers = readers
    this.near = new Set(near)
  }

  /** The time within which this many books are each proven, ms. */
  withinMs(books: number): number {
    const booksPerSweep = this.readsPerSweep * booksPerRead(this.options.data)
    return detectionMs(quietMs, this.isInBand) + Math.ceil(books / booksPerSweep) * sweepMs
  }

  /** Age of the oldest proof among live books, ms; null when none is live. */
  oldestMs(): number | null {
    let oldest = Number.POSITIVE_INFINITY
    for (const book of this.options.books.values()) if (book.shown) oldest = Math.min(oldest, book.provenBeat)
    return oldest === Number.POSITIVE_INFINITY ? null : Math.round(this.options.clock.monotonic() - oldest)
  }

  /** Called once a second. */
  sweep(): void {
    const now = this.options.clock.monotonic()
    this.beat.at = now
    this.publishProofs()
    this.checkRequests(now)
    this.checkWholeBooks(now)
    this.credit = Math.min(this.credit + this.readsPerSweep, Math.max(1, this.readsPerSweep))
    const reads = Math.floor(this.credit)
    if (reads === 0) return
    const due = this.choose(now, reads * booksPerRead(this.options.data))
    if (due.length === 0) return
    this.credit -= Math.ceil(due.length / booksPerRead(this.options.data))
    const { books, sockets } = this.options
    const withheld = due.filter((bookId) => books.get(bookId)!.withheld !== null)
    // A socket that is not trusted cannot prove its own books.
    const left = new Set([...withheld, ...sockets.confirm(due.filter((bookId) => !withheld.includes(bookId)))])
    for (const bookId of due) if (!left.has(bookId)) this.note(bookId, now, false)
    if (left.size > 0 && !this.isReading) void this.compare([...left])
  }

  private note(bookId: string, at: number, again: boolean): void {
    const book = this.options.books.get(bookId)
    if (book !== undefined)
      this.pendingRequests.set(bookId, { at, again, snapshots: book.snapshots, recvTs: book.recvTs })
  }

  private choose(now: number, count: number): string[] {
    const { books } = this.options
    const order = (a: Due, b: Due): number => a.rank - b.rank || a.comparedAt - b.comparedAt
    const first = new TopK<Due>(count, order)
    const others = new TopK<Due>(count, order)
    for (const [bookId, book] of books) {
      if (!book.synced || book.isHeld || this.pendingRequests.has(bookId)) continue
      const suspect = this.suspects.get(bookId)
      const isUrgent =
        suspect !== undefined || !(book.shown || book.isDisputed) || this.contradictions.mayRecover(bookId, book, now)
      const isRead = this.readers.has(bookId)
      const isNear = this.near.has(bookId)
      const restMs = isUrgent ? confirmMs : isNear ? nearQuietMs : isRead ? readQuietMs : quietMs
      if (now - (suspect?.at ?? book.comparedBeat) < restMs) continue
      const due = { bookId, rank: isUrgent ? 0 : isRead ? 1 : isNear ? 2 : 3, comparedAt: book.comparedBeat }
      if (isUrgent || isRead) first.offer(due)
      else others.offer(due)
    }
    return this.divide(first.sorted(), others.sorted(), count).map(({ bookId }) => bookId)
  }

  /** Books without readers get what the others leave, and a share of it at least. */
  private divide(first: Due[], others: Due[], count: number): Due[] {
    this.othersCredit = others.length === 0 ? 0 : this.othersCredit + count * othersShare
    const othersCount = Math.min(Math.floor(this.othersCredit), others.length, count)
    const chosen = first.slice(0, count - othersCount)
    const left = others.slice(0, count - chosen.length)
    this.othersCredit = Math.max(0, this.othersCredit - left.length)
    return [...chosen, ...left]
  }

  private checkRequests(now: number): void {
    const { books, sockets } = this.options
    for (const [bookId, { at, again, snapshots, recvTs }] of this.pendingRequests) {
      const book = books.get(bookId)
      if (book === undefined || !book.synced || book.snapshots !== snapshots) {
        this.pendingRequests.delete(bookId)
        continue
      }
      if (now - at < answerMs) continue
      this.pendingRequests.delete(bookId)
      // Its feed is up, although the response is missing: it waits until it is due again.
      if (book.recvTs !== recvTs) {
        book.comparedBeat = now
        continue
      }
      // A completely silent socket is handled as a whole.
      if (!sockets.dataSince(bookId, at)) continue
      if (again) this.freeze(bookId, book, now, 'silent')
      else if (sockets.confirm([bookId]).length === 0) this.note(bookId, now, true)
    }
    for (const bookId of this.suspects.keys()) if (books.get(bookId)?.synced !== true) this.suspects.delete(bookId)
    this.contradictions.keep(books)
  }

  /**
   * Books that were sent whole in addition to the changes, requested or not, and differed from ours: a change that was on its way has
   * arrived by now. They repair the book, but until the next one it is wrong again, so it is withheld until its changes flow.
   */
  private checkWholeBooks(now: number): void {
    for (const [bookId, book] of this.options.books) {
      const missing = book.synced ? book.unexplained.missing(book) : null
      if (missing === null || now - book.unexplained.since < confirmMs) continue
      book.unexplained.clear()
      // A book that was not requested may be ahead of some changes, or repair what the venue itself left out.
      if (missing === 'some' && !this.isInBand) continue
      this.differences++
      if (this.contradictions.rests(bookId, book, now)) continue
      this.freeze(bookId, book, now, missing === 'all' ? 'silent' : 'lossy', book.messages)
    }
  }

  private freeze(
    bookId: string,
    book: IngestBook,
    now: number,
    feed: 'silent' | 'lossy',
    lostAfter: number | null = null,
  ): void {
    this.contradictions.note(bookId, book, now, lostAfter)
    this.options.differs(bookId, feed)
  }

  private async compare(bookIds: readonly string[]): Promise<void> {
    const { venue, data, context, clock, lines, books } = this.options
    const size = booksPerRead(data)
    this.isReading = true
    try {
      for (let from = 0; from < bookIds.length; from += size) {
        const batch = bookIds.slice(from, from + size)
        const before = new Map<string, HeldLevels>()
        for (const bookId of batch) {
          const book = books.get(bookId)
          if (book?.synced) before.set(bookId, holdLevels(book, data.stream?.levels))
        }
        const requestedAt = { at: clock.now(), beat: clock.monotonic() }
        for (const [bookId, snapshot] of await readBooks(data, context, batch)) {
          const book = books.get(bookId)
          const held = before.get(bookId)
          if (!book?.synced || book.isHeld || held === undefined) this.suspects.delete(bookId)
          else this.applyComparison(bookId, book, held, snapshot, requestedAt)
        }
      }
    } catch (error) {
      lines.warn({ venue, err: error }, 'failed to compare quiet books with the venue’s')
    }
    this.isReading = false
  }

  private applyComparison(
    bookId: string,
    book: IngestBook,
    before: HeldLevels,
    snapshot: BookSnapshot,
    requestedAt: { at: number; beat: number },
  ): void {
    const { levels } = this.options.data.stream ?? {}
    const after = holdLevels(book, levels)
    const wrong = wrongLevels(before, after, snapshot, levels)
    const suspect = this.suspects.get(bookId)
    if (wrong === null || wrong.size === 0) book.comparedBeat = requestedAt.beat
    if (wrong === null) return
    if (wrong.size === 0) {
      this.suspects.delete(bookId)
      if (!this.contradictions.settle(bookId, book, requestedAt.beat)) return
      if (!book.shown && this.options.sockets.isQuiet(bookId)) book.release()
      // A book touched meanwhile is proven by that message, as of when it happened.
      if (after.recvTs !== before.recvTs) return
      book.provenBeat = Math.max(book.provenBeat, requestedAt.beat)
      book.provenAt = requestedAt.at
      if (this.proven.length === 0) this.provenSince = requestedAt.at
      this.proven.push(bookId)
      return
    }
    this.differences++
    if (this.contradictions.rests(bookId, book, requestedAt.beat)) {
      book.comparedBeat = requestedAt.beat
      return
    }
    if (suspect === undefined || requestedAt.beat - suspect.at < confirmMs) {
      this.suspects.set(bookId, { at: requestedAt.beat, recvTs: after.recvTs, wrong })
      return
    }
    const isStill = [...wrong].some(([key, ours]) => suspect.wrong.get(key) === ours)
    this.suspects.delete(bookId)
    if (isStill) {
      const isSilent = suspect.recvTs === after.recvTs
      // One message may be the whole book that comes on resubscribing.
      this.freeze(bookId, book, requestedAt.beat, isSilent ? 'silent' : 'lossy', isSilent ? book.messages + 1 : null)
      const { sockets, data } = this.options
      const silentSince = requestedAt.beat - (data.stream?.silenceMs ?? 0) / 2
      if (isSilent && !sockets.dataSince(bookId, silentSince)) this.options.feedFrozen(bookId)
    } else this.suspects.set(bookId, { at: requestedAt.beat, recvTs: after.recvTs, wrong })
  }

  private publishProofs(): void {
    if (this.proven.length === 0) return
    const { venue, epoch, books, publish } = this.options
    const proofs: [string, number][] = []
    for (const bookId of this.proven) {
      const book = books.get(bookId)
      if (book?.synced && book.publishedSeq > 0) proofs.push([bookId, book.publishedSeq])
    }
    this.proven = []
    publish({ venue, epoch, books: proofs, at: this.provenSince })
  }
}
