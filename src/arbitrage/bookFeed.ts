// Keeps the books that clusters need in shared memory, from the updates every process hears on the bus. Of several updates between two
// flushes only the newest is read: a flood on one market costs one parse.
import { DecodedBook } from '#books/decodedBook'
import { SharedBooksWriter, type SlotHandle } from '#books/shared/index'
import type { BookUpdate } from '#schemas/topics'

interface KeptBook {
  handle: SlotHandle
  /** Of the newest update told. */
  epoch: number
  /** Newest update not yet read. */
  waiting: BookUpdate | null
  /** What shared memory says of it. */
  live: boolean
}

const booksPerStep = 100

export class BookFeed {
  /** Updates that could not be read. */
  malformed = 0
  private readonly writer: SharedBooksWriter
  private readonly touched: (slot: number) => void
  private readonly kept = new Map<string, Map<string, KeptBook>>()
  private readonly due: KeptBook[] = []
  private readonly decoded = new DecodedBook()

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
    books.set(bookId, { handle, epoch: 0, waiting: null, live: false })
    this.kept.set(venue, books)
    return handle
  }

  /** Every book kept, by venue: what must be watched upstream. */
  wanted(): Map<string, string[]> {
    return new Map([...this.kept].map(([venue, books]) => [venue, [...books.keys()]]))
  }

  /** Lets go of every book not in `wanted`; their slots are given to others. Returns how many. */
  retain(wanted: (venue: string, bookId: string) => boolean): number {
    let released = 0
    for (const [venue, books] of this.kept) {
      for (const bookId of books.keys()) {
        if (wanted(venue, bookId)) continue
        books.delete(bookId)
        this.writer.release(keyOf(venue, bookId))
        released++
      }
      if (books.size === 0) this.kept.delete(venue)
    }
    return released
  }

  /** True when the book is one of ours and waits for `flush`. */
  update(update: BookUpdate): boolean {
    const kept = this.kept.get(update.venue)?.get(update.marketId)
    if (kept === undefined) return false
    if (kept.waiting === null) this.due.push(kept)
    kept.waiting = update
    kept.epoch = update.epoch
    return true
  }

  /** Reads what waits into shared memory; returns how many books. */
  flush(max = Infinity): number {
    const count = Math.min(max, this.due.length)
    for (const kept of this.due.splice(0, count)) {
      const update = kept.waiting
      kept.waiting = null
      if (update === null || this.kept.get(update.venue)?.get(update.marketId) !== kept) continue
      this.write(kept, update)
    }
    return count
  }

  /**
   * Nobody speaks for this venue any more, or nobody who spoke under an epoch below this one: such books are not to be believed until they
   * are told anew. Yields now and then; returns how many.
   */
  *markVenueStale(venue: string, below = Number.POSITIVE_INFINITY): Generator<void, number, void> {
    let marked = 0
    let step = 0
    for (const kept of this.kept.get(venue)?.values() ?? []) {
      if (++step % booksPerStep === 0) yield
      if (kept.epoch >= below) continue
      kept.waiting = null
      if (!kept.live) continue
      this.markStale(kept)
      marked++
    }
    return marked
  }

  /** Ingest has judged the order already: what is told last stands, also where a venue turned its clock back. */
  private write(kept: KeptBook, update: BookUpdate): void {
    if (update.state === 'stale') {
      this.markStale(kept)
      return
    }
    try {
      this.decoded.read(update)
    } catch {
      // A core our own encoder did not write: the book cannot be believed.
      this.malformed++
      this.markStale(kept)
      return
    }
    kept.live = true
    this.writer.write(kept.handle.slot, this.decoded)
    this.touched(kept.handle.slot)
  }

  private markStale(kept: KeptBook): void {
    kept.live = false
    this.writer.markStale(kept.handle.slot)
    this.touched(kept.handle.slot)
  }
}

const keyOf = (venue: string, bookId: string): string => `${venue} ${bookId}`
