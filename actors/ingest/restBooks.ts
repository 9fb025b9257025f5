// What ingest asks the venue over REST: a book to begin again from, a book to compare a silent feed with, and whether the venue is there.
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import type { VenueContext, VenueData } from '#venues/venue'
import type { IngestBook } from './ingestBook.ts'
import type { IngestMessage } from './messages.ts'
import { applySnapshot, sameBook } from './snapshot.ts'
import type { VenueSockets } from './venueSockets.ts'

/** How often an idle venue is asked whether it is there. */
const reachMs = 10_000

export interface RestBooksOptions {
  venue: string
  data: VenueData
  context: VenueContext
  clock: Clock
  log: Log
  books: ReadonlyMap<string, IngestBook>
  /** Null where the venue is polled. */
  sockets: VenueSockets | null
  tell(message: IngestMessage): void
}

export class RestBooks {
  resyncs = 0
  private reachedAt = Number.NEGATIVE_INFINITY
  private readonly options: RestBooksOptions

  constructor(options: RestBooksOptions) {
    this.options = options
  }

  /** On the socket where the protocol has a request for it, else over REST. */
  async resync(shard: number, bookId: string): Promise<void> {
    const { venue, data, context, log, books, sockets, tell } = this.options
    this.resyncs++
    if (sockets?.resync(shard, bookId)) return
    try {
      const snapshot = await data.fetchOrderBook(context, bookId)
      const book = books.get(bookId)
      if (book === undefined || book.synced) return
      if (snapshot === null) {
        tell({ kind: 'refused', bookId, reason: 'the venue has no such book' })
        return
      }
      applySnapshot(book, snapshot)
      sockets?.snapshotWritten(shard, bookId, snapshot.recvTs)
    } catch (error) {
      log.warn({ venue, bookId, err: error }, 'resync failed')
      tell({ kind: 'resyncFailed', bookId })
    }
  }

  /**
   * A socket that says nothing: is the market quiet, or is the feed frozen? The venue's own books know. Two are compared: the one that moved
   * last, which a frozen feed leaves behind first, and the one whose turn it is.
   */
  async probe(shard: number, bookIds: readonly string[]): Promise<void> {
    const { venue, data, context, log, books, sockets, tell } = this.options
    const movedAt = (bookId: string): number => books.get(bookId)?.recvTs ?? 0
    const [turn] = bookIds
    if (turn === undefined) return
    const freshest = bookIds.reduce((best, bookId) => (movedAt(bookId) > movedAt(best) ? bookId : best), turn)
    if (sockets?.resync(shard, freshest)) return
    try {
      let compared = false
      for (const bookId of new Set([freshest, turn])) {
        const snapshot = await data.fetchOrderBook(context, bookId)
        const book = books.get(bookId)
        if (snapshot === null || !book?.synced) continue
        compared = true
        if (sameBook(book, snapshot)) continue
        tell({ kind: 'probed', shard, same: false })
        return
      }
      if (compared) tell({ kind: 'probed', shard, same: true })
    } catch (error) {
      log.debug({ venue, shard, err: error }, 'probe failed; silence decides')
    }
  }

  /**
   * With nothing to watch nobody would notice an unreachable venue: a book that does not exist is asked for, and any answer will do.
   * Undefined when it was not asked now; else null, or why it cannot be reached.
   */
  async reach(): Promise<string | null | undefined> {
    const { data, context, clock, books } = this.options
    if (books.size > 0 || clock.now() - this.reachedAt < reachMs) return undefined
    this.reachedAt = clock.now()
    try {
      await data.fetchOrderBook(context, '0')
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
