// A book is live because something proved it lately: a message of its own, or the venue's own book beside it. Heartbeats of a socket, and other
// books on it, prove nothing of this one: so books that are quiet are asked for, least recently proven first, those that a surface calls
// near execution before all others.
//
//   quiet ──asked in band──► its snapshot comes: proven by its own message       none comes, twice, while others flow ─┐
//         ──read over REST─► the same: proven, readers are told                  another, twice, with no word between ─┴─► frozen
import { Best } from '#arbitrage/best'
import { backoffMs } from '#lib/backoff'
import type { Clock } from '#lib/clock'
import type { FewLines } from '#lib/fewLines'
import type { BookProofs } from '#schemas/topics'
import { type BookSnapshot, defaultRequestsPerSecond, type VenueContext, type VenueData } from '#venues/venue'
import type { IngestBook } from './ingestBook.ts'
import { booksPerRead, readBooks } from './readBooks.ts'
import { compareBook } from './snapshot.ts'
import { sweepMs } from './sweep.ts'
import type { VenueSockets } from './venueSockets.ts'

/** Age of a proof at which another is sought; for near legs early enough that two tries fit into what a leg is allowed. */
const quietMs = 8_000
const nearQuietMs = 4_000
/** A book that differs is compared again after this: its own message may have been on its way. */
const confirmMs = 1_500
/** A snapshot asked for on the socket comes within this time, or is asked for once more. */
const answerMs = 3_000
/**
 * A book that was called frozen and differs again without ever having been the same: feed and REST contradict each other, and nobody knows who
 * is right. It is compared more and more rarely, lest it be subscribed anew for ever; a surface does not call it executable meanwhile.
 */
const contradictionBackoff = { baseMs: 10_000, capMs: 600_000 }
/** Of the requests the venue allows us. */
const readShare = 0.25

export interface ProverOptions {
  venue: string
  data: VenueData
  context: VenueContext
  clock: Clock
  lines: FewLines
  books: ReadonlyMap<string, IngestBook>
  sockets: Pick<VenueSockets, 'confirm' | 'feeds' | 'dataSince'>
  /** Of what is published. */
  epoch: number
  publish(proofs: BookProofs): void
  /** The feed has left this book behind. */
  frozen(bookId: string): void
}

export class Prover {
  /** What books note their messages by: the monotonic time of the last sweep. */
  readonly beat: { at: number }
  /** Comparisons that found another book than ours, since the start. */
  differences = 0
  private near: ReadonlySet<string> = new Set()
  /** Asked for on the socket: since when, and for the second time? */
  private readonly asked = new Map<string, { at: number; again: boolean }>()
  /** Found different: since when, and the message it then stood on. */
  private readonly suspects = new Map<string, { at: number; recvTs: number }>()
  /** Called frozen, and not found the same since: how often, and before when they are not compared again. */
  private readonly contradicted = new Map<string, { times: number; until: number }>()
  private proven: string[] = []
  private provenSince = 0
  private isReading = false
  private readonly options: ProverOptions
  private readonly readsPerSweep: number

  constructor(options: ProverOptions) {
    this.options = options
    this.beat = { at: options.clock.monotonic() }
    const perSecond = (options.data.requestsPerSecond ?? defaultRequestsPerSecond) * readShare
    this.readsPerSweep = Math.max(1, Math.floor((perSecond * sweepMs) / 1_000))
  }

  /** Books that are wanted proven first. */
  rank(near: readonly string[]): void {
    this.near = new Set(near)
  }

  /** The time within which so many books are each proven, ms. */
  withinMs(books: number): number {
    return quietMs + Math.ceil(books / this.booksPerSweep) * sweepMs + confirmMs + 2 * sweepMs
  }

  /** Age of the oldest proof among live books, ms; null when none is live. */
  oldestMs(): number | null {
    let oldest = Number.POSITIVE_INFINITY
    for (const book of this.options.books.values()) if (book.synced) oldest = Math.min(oldest, book.provenBeat)
    return oldest === Number.POSITIVE_INFINITY ? null : Math.round(this.options.clock.monotonic() - oldest)
  }

  /** Once a second. */
  sweep(): void {
    const now = this.options.clock.monotonic()
    this.beat.at = now
    this.publishProofs()
    this.judgeAsked(now)
    const due = this.choose(now)
    if (due.length === 0) return
    const left = new Set(this.options.sockets.confirm(due))
    for (const bookId of due) if (!left.has(bookId)) this.asked.set(bookId, { at: now, again: false })
    if (left.size > 0 && !this.isReading) void this.compare([...left])
  }

  private get booksPerSweep(): number {
    return this.readsPerSweep * booksPerRead(this.options.data)
  }

  private choose(now: number): string[] {
    const { books } = this.options
    const best = new Best<{ bookId: string; rank: number; provenAt: number }>(
      this.booksPerSweep,
      (a, b) => a.rank - b.rank || a.provenAt - b.provenAt,
    )
    for (const [bookId, book] of books) {
      if (!book.synced || this.asked.has(bookId) || now < (this.contradicted.get(bookId)?.until ?? 0)) continue
      const isNear = this.near.has(bookId)
      const suspect = this.suspects.get(bookId)
      const isDue =
        suspect === undefined
          ? now - book.provenBeat >= (isNear ? nearQuietMs : quietMs)
          : now - suspect.at >= confirmMs
      if (isDue) best.offer({ bookId, rank: suspect !== undefined ? 0 : isNear ? 1 : 2, provenAt: book.provenBeat })
    }
    return best.sorted().map(({ bookId }) => bookId)
  }

  private judgeAsked(now: number): void {
    const { books, sockets } = this.options
    for (const [bookId, { at, again }] of this.asked) {
      const book = books.get(bookId)
      if (book === undefined || !book.synced || book.provenBeat > at) {
        this.asked.delete(bookId)
        continue
      }
      if (now - at < answerMs) continue
      this.asked.delete(bookId)
      // A socket that says nothing at all is judged as a whole.
      if (!sockets.dataSince(bookId, at)) continue
      if (again) this.freeze(bookId, now)
      else if (sockets.confirm([bookId]).length === 0) this.asked.set(bookId, { at: now, again: true })
    }
    for (const bookId of this.suspects.keys()) if (books.get(bookId)?.synced !== true) this.suspects.delete(bookId)
    for (const bookId of this.contradicted.keys()) if (!books.has(bookId)) this.contradicted.delete(bookId)
  }

  private freeze(bookId: string, now: number): void {
    const times = (this.contradicted.get(bookId)?.times ?? 0) + 1
    // The first time it may be compared as soon as it is quiet again.
    const restMs = times === 1 ? 0 : backoffMs(times - 2, contradictionBackoff, () => 1)
    this.contradicted.set(bookId, { times, until: now + restMs })
    this.options.frozen(bookId)
  }

  private async compare(bookIds: readonly string[]): Promise<void> {
    const { venue, data, context, clock, lines, books } = this.options
    const size = booksPerRead(data)
    this.isReading = true
    try {
      for (let from = 0; from < bookIds.length; from += size) {
        const batch = bookIds.slice(from, from + size)
        const stoodOn = new Map(batch.map((bookId) => [bookId, books.get(bookId)?.recvTs]))
        const asked = { at: clock.now(), beat: clock.monotonic() }
        for (const [bookId, snapshot] of await readBooks(data, context, batch)) {
          const book = books.get(bookId)
          // Its own message came meanwhile: that is proof enough, and the two cannot be compared.
          if (!book?.synced || book.recvTs !== stoodOn.get(bookId)) this.suspects.delete(bookId)
          else this.judge(bookId, book, snapshot, asked)
        }
      }
    } catch (error) {
      lines.warn({ venue, err: error }, 'quiet books could not be compared with the venue’s')
    }
    this.isReading = false
  }

  private judge(bookId: string, book: IngestBook, snapshot: BookSnapshot, asked: { at: number; beat: number }): void {
    const verdict = compareBook(book, snapshot)
    if (verdict === 'same') {
      this.suspects.delete(bookId)
      this.contradicted.delete(bookId)
      book.provenBeat = Math.max(book.provenBeat, asked.beat)
      book.provenAt = asked.at
      if (this.proven.length === 0) this.provenSince = asked.at
      this.proven.push(bookId)
    } else if (verdict === 'different') {
      this.differences++
      const suspect = this.suspects.get(bookId)
      if (suspect !== undefined && suspect.recvTs === book.recvTs && asked.beat - suspect.at >= confirmMs) {
        this.suspects.delete(bookId)
        this.freeze(bookId, asked.beat)
      } else this.suspects.set(bookId, { at: asked.beat, recvTs: book.recvTs })
    }
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
