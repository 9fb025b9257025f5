// Keeps the books that clusters need in shared memory, from the updates every process hears on the bus. Of several updates between two
// flushes only the newest is read: a flood on one market costs one parse.
import { decodeCore } from '#books/encode'
import { ASK, BID } from '#books/levelStore'
import { LiveBook } from '#books/liveBook'
import { SharedBooksWriter, type SlotHandle } from '#books/shared/index'
import { microsOf } from '#lib/price'
import type { BookUpdate } from '#schemas/topics'

interface KeptBook {
  handle: SlotHandle
  /** Null until it was first told of: most are told within seconds, and one costs a good many microseconds to make. */
  book: LiveBook | null
  /** Newest update not yet read. */
  waiting: BookUpdate | null
  epoch: number
}

const booksPerStep = 100

export class BookFeed {
  /** Updates that could not be read. */
  malformed = 0
  private readonly writer: SharedBooksWriter
  private readonly touched: (slot: number) => void
  private readonly kept = new Map<string, Map<string, KeptBook>>()
  private readonly due: KeptBook[] = []

  /** `touched`: this slot was written; told from within `flush`. */
  constructor(arena: SharedArrayBuffer, touched: (slot: number) => void) {
    this.writer = new SharedBooksWriter(arena)
    this.touched = touched
  }

  /** Books without a free slot since the start. */
  get refused(): number {
    return this.writer.refused
  }

  /** From now on this book is kept. Null: no room. */
  readonly slotOf = (venue: string, bookId: string): SlotHandle | null => {
    const books = this.kept.get(venue) ?? new Map<string, KeptBook>()
    const known = books.get(bookId)
    if (known !== undefined) return known.handle
    const handle = this.writer.allocate(keyOf(venue, bookId))
    if (handle === null) return null
    books.set(bookId, { handle, book: null, waiting: null, epoch: 0 })
    this.kept.set(venue, books)
    return handle
  }

  /** Every book kept, by venue: what must be watched upstream. */
  wanted(): Map<string, string[]> {
    return new Map([...this.kept].map(([venue, books]) => [venue, [...books.keys()]]))
  }

  /** Lets go of every book not in `wanted`; their slots are given to others. */
  retain(wanted: (venue: string, bookId: string) => boolean): void {
    for (const [venue, books] of this.kept) {
      for (const bookId of books.keys()) {
        if (wanted(venue, bookId)) continue
        books.delete(bookId)
        this.writer.release(keyOf(venue, bookId))
      }
      if (books.size === 0) this.kept.delete(venue)
    }
  }

  /** True when the book is one of ours and waits for `flush`. */
  update(update: BookUpdate): boolean {
    const kept = this.kept.get(update.venue)?.get(update.marketId)
    if (kept === undefined) return false
    if (kept.waiting === null) this.due.push(kept)
    kept.waiting = update
    return true
  }

  /** Reads what waits into shared memory; returns how many books. */
  flush(max = Infinity): number {
    const count = Math.min(max, this.due.length)
    for (const kept of this.due.splice(0, count)) {
      const update = kept.waiting
      kept.waiting = null
      if (update === null || this.kept.get(update.venue)?.get(update.marketId) !== kept) continue
      this.writer.write(kept.handle.slot, this.read(kept, update))
      this.touched(kept.handle.slot)
    }
    return count
  }

  /** Nobody speaks for this venue any more: its books are not to be believed until they are told anew. Yields now and then; returns how many. */
  *markVenueStale(venue: string, reason: string): Generator<void, number, void> {
    let marked = 0
    let step = 0
    for (const kept of this.kept.get(venue)?.values() ?? []) {
      if (++step % booksPerStep === 0) yield
      if (kept.book?.synced !== true) continue
      kept.book.markStale(reason)
      this.writer.write(kept.handle.slot, kept.book)
      this.touched(kept.handle.slot)
      marked++
    }
    return marked
  }

  private read(kept: KeptBook, update: BookUpdate): LiveBook {
    kept.book ??= newBook(update.venue, update.marketId)
    if (update.state === 'stale') {
      kept.book.markStale(update.staleReason ?? 'resync')
      return kept.book
    }
    // Ingest has judged the order already; a book that came from another process, or whose venue turned its clock back, begins anew.
    if (kept.epoch !== 0 && (update.epoch !== kept.epoch || !kept.book.accepts(update.eventTs)))
      kept.book = newBook(update.venue, update.marketId)
    kept.epoch = update.epoch
    const { book } = kept
    try {
      const { bids, asks } = decodeCore(update.core)
      book.beginSnapshot()
      for (const { price, size } of bids) book.set(BID, microsOf(price) ?? -1, size)
      for (const { price, size } of asks) book.set(ASK, microsOf(price) ?? -1, size)
      book.commit(update.eventTs, update.recvTs)
    } catch {
      // A core our own encoder did not write: the book cannot be believed.
      this.malformed++
      book.abandonSnapshot()
      book.markStale('malformed')
    }
    return book
  }
}

const keyOf = (venue: string, bookId: string): string => `${venue} ${bookId}`

const newBook = (venue: string, marketId: string): LiveBook =>
  new LiveBook({ venue, marketId, tickMicros: null, onDirty: () => undefined })
