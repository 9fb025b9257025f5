// What ingest reads from the venue over REST: a book to restart from, a book to compare a silent feed with, and whether the venue is
// reachable.
//
// A REST snapshot repairs a book; it does not make one live. It is written only while the feed behind the book is up, because otherwise
// the next change would go unnoticed. A feed that was found silent is up once it has delivered something for the book: what it acknowledges
// proves nothing.
import { backoffMs } from '#core/backoff'
import type { Clock } from '#core/clock'
import type { ThrottledLog } from '#core/throttledLog'
import type { BookSnapshot, VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { type FeedLag, laggingReason } from './feedLatency.ts'
import type { IngestBook } from './ingestBook.ts'
import type { BookMessage, IngestMessage } from './messages.ts'
import { booksPerRead, readBooks } from './readBooks.ts'
import { applySnapshot, compareBook } from './snapshot.ts'
import type { VenueSockets } from './venueSockets.ts'

/** How often an idle venue's reachability is checked. */
const reachMs = 10_000
/** Failed snapshots are requested again; the maximum delay is short, so that books recover soon after their venue. */
const retryBackoff = { baseMs: 500, capMs: 4_000 }

export interface RestBooksOptions {
  venue: string
  data: VenueData
  context: VenueContext
  clock: Clock
  lines: ThrottledLog
  random(): number
  books: ReadonlyMap<string, IngestBook>
  /** Null when the venue is polled. */
  sockets:
    | (Pick<VenueSockets, 'resync' | 'feeds' | 'delivers' | 'snapshotWritten'> & { lag: Pick<FeedLag, 'isDistrusted'> })
    | null
  send(message: IngestMessage): void
  sendBookEvent(message: BookMessage): void
  /** Null: reads succeed again. */
  onFailure(reason: string | null): void
}

export class RestBooks {
  resyncs = 0
  private reachedAt = Number.NEGATIVE_INFINITY
  /** Books to be read, and the shard that feeds them: each once, however often it is requested. */
  private readonly waiting = new Map<string, number>()
  private isReading = false
  private failures = 0
  /** Their books are read first. */
  private readers: ReadonlySet<string> = new Set()
  private near: readonly string[] = []
  private readonly options: RestBooksOptions

  constructor(options: RestBooksOptions) {
    this.options = options
  }

  /** On the socket if the protocol has a request for it, otherwise over REST, many in one request. */
  resync(shard: number, bookIds: readonly string[]): void {
    const { sockets } = this.options
    this.resyncs++
    for (const bookId of bookIds) {
      if (sockets === null || sockets.resync(shard, bookId)) continue
      if (this.mayRepair(shard, bookId)) this.waiting.set(bookId, shard)
    }
    if (this.waiting.size > 0 && !this.isReading) void this.readWaiting()
  }

  /** Stale books wait to be read. */
  get isRepairing(): boolean {
    return this.waiting.size > 0
  }

  rank(readers: ReadonlySet<string>, near: readonly string[]): void {
    this.readers = readers
    this.near = near
  }

  /** Only a fed book is repaired; one whose feed was found silent only after that feed has delivered something. */
  private mayRepair(shard: number, bookId: string): boolean {
    const { books, sockets } = this.options
    if (sockets?.feeds(shard, bookId) !== true) return false
    const awaits = books.get(bookId)?.awaits ?? null
    return awaits === null || sockets.delivers(shard, awaits === 'message' ? bookId : null)
  }

  private async readWaiting(): Promise<void> {
    const { data, context, random, sendBookEvent: sendBook, onFailure } = this.options
    const size = booksPerRead(data)
    this.isReading = true
    while (this.waiting.size > 0) {
      const batch = this.next(size)
      if (batch.length === 0) break
      const bookIds = batch.map(([bookId]) => bookId)
      try {
        const snapshots = await readBooks(data, context, bookIds)
        this.failures = 0
        onFailure(null)
        for (const [bookId, shard] of batch) this.repair(shard, bookId, snapshots.get(bookId))
        for (const bookId of bookIds) this.waiting.delete(bookId)
      } catch (error) {
        const retryMs = backoffMs(this.failures++, retryBackoff, random)
        this.fail('resync failed', error)
        for (const bookId of this.waiting.keys()) sendBook({ kind: 'resyncFailed', bookId, retryMs })
        this.waiting.clear()
      }
    }
    this.isReading = false
  }

  /** Readers' books, then near legs, then the rest; books that arrived meanwhile or are no longer wanted are skipped. */
  private next(size: number): [bookId: string, shard: number][] {
    const { books } = this.options
    for (const bookId of this.waiting.keys()) if (books.get(bookId)?.synced !== false) this.waiting.delete(bookId)
    const batch: [string, number][] = []
    const take = (bookId: string): void => {
      const shard = this.waiting.get(bookId)
      if (shard !== undefined && batch.length < size && !batch.some(([taken]) => taken === bookId))
        batch.push([bookId, shard])
    }
    for (const group of [this.readers, this.near, this.waiting.keys()]) {
      for (const bookId of group) {
        if (batch.length === size) return batch
        take(bookId)
      }
    }
    return batch
  }

  private repair(shard: number, bookId: string, snapshot: BookSnapshot | undefined): void {
    const { books, sockets, sendBookEvent: sendBook } = this.options
    const book = books.get(bookId)
    if (book === undefined || book.synced) return
    if (snapshot === undefined) {
      sendBook({ kind: 'refused', bookId, reason: 'the venue has no such book' })
      return
    }
    // The connection may have gone while the venue answered; its replacement brings its own snapshot.
    if (sockets === null || !this.mayRepair(shard, bookId)) return
    if (sockets.lag.isDistrusted(shard)) book.withhold(laggingReason)
    else book.release()
    applySnapshot(book, snapshot)
    sockets.snapshotWritten(shard, bookId, snapshot.recvTs)
  }

  /**
   * A silent socket: is the market quiet, or is the feed frozen? The venue's own books show it. Two are compared: the one that moved last,
   * which a frozen feed misses first, and the next one in turn.
   */
  async probe(shard: number, bookIds: readonly string[]): Promise<void> {
    const { data, context, books, sockets, send } = this.options
    const movedAt = (bookId: string): number => books.get(bookId)?.recvTs ?? 0
    const [turn] = bookIds
    if (turn === undefined) return
    const freshest = bookIds.reduce((best, bookId) => (movedAt(bookId) > movedAt(best) ? bookId : best), turn)
    if (sockets?.resync(shard, freshest)) return
    try {
      let compared = false
      const snapshots = await readBooks(data, context, [...new Set([freshest, turn])])
      for (const [bookId, snapshot] of snapshots) {
        const book = books.get(bookId)
        if (!book?.synced) continue
        compared = true
        if (compareBook(book, snapshot, data.stream?.levels) !== 'different') continue
        send({ kind: 'probed', shard, same: false, bookId })
        return
      }
      if (compared) send({ kind: 'probed', shard, same: true })
    } catch (error) {
      // The silence check decides.
      this.fail('probe failed', error)
    }
  }

  /**
   * With nothing watched, an unreachable venue would go unnoticed: a nonexistent book is requested, and any answer will do.
   * Undefined when no request was made; otherwise null, or why it cannot be reached.
   */
  async reach(): Promise<string | null | undefined> {
    const { data, context, clock, books } = this.options
    if (books.size > 0 || clock.monotonic() - this.reachedAt < reachMs) return undefined
    this.reachedAt = clock.monotonic()
    try {
      await data.fetchOrderBook(context, '0')
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  private fail(what: string, error: unknown): void {
    const { venue, lines, onFailure } = this.options
    lines.warn({ venue, err: error }, what)
    onFailure(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
