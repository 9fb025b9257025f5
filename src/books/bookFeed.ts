// Keeps the books that a worker needs in shared memory, from the updates every process hears on the bus. Of several updates between two
// flushes only the newest is read: a flood on one market costs one parse. That a book was not to be believed in between is not lost with
// the updates that said so: its slot counts such breaks.
import type { Clock } from '#lib/clock'
import type { BookProofs, BookUpdate } from '#schemas/topics'
import { DecodedBook } from './decodedBook.ts'
import { SharedBooksWriter, type SlotHandle } from './shared/index.ts'
import { unseenMs } from './unseen.ts'

interface KeptBook {
  handle: SlotHandle
  /** Of the newest update told. */
  epoch: number
  seq: number
  /** Breaks its owner had counted by then. */
  ownersBreaks: number
  /** Breaks so far, by its owner's word and by our own. */
  breaks: number
  /** Newest update not yet read, and the book's time of the first that was not. */
  waiting: BookUpdate | null
  waitingSince: number
  /** What ingest last said of it. */
  live: boolean
  /** What shared memory says of it: live, and proven lately. */
  shown: boolean
  /** The update that shared memory has. */
  written: { epoch: number; seq: number }
  /** When something last proved it, on the monotonic clock. */
  provenAt: number
}

/** How old the proof of a leg's book may be, ms, where its venue says nothing else. */
export const legProofMs = 15_000
/** So often proofs are judged: what would be too old before the next time is so already. */
export const judgeEveryMs = 1_000

const booksPerStep = 100

export class BookFeed {
  /** Updates that could not be read. */
  malformed = 0
  private readonly writer: SharedBooksWriter
  private readonly touched: (slot: number) => void
  private readonly kept = new Map<string, Map<string, KeptBook>>()
  private readonly due: KeptBook[] = []
  private readonly decoded = new DecodedBook()
  private readonly clock: Pick<Clock, 'now' | 'monotonic'> | null
  /** By venue, ms. */
  private readonly proofLimits = new Map<string, number>()

  /** `touched`: this slot was written; told from within `flush`, `prove` and the marking. Without a clock, the age of a proof is not used. */
  constructor(
    arena: SharedArrayBuffer,
    touched: (slot: number) => void,
    clock: Pick<Clock, 'now' | 'monotonic'> | null = null,
  ) {
    this.writer = new SharedBooksWriter(arena)
    this.touched = touched
    this.clock = clock
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
    books.set(bookId, {
      handle,
      epoch: 0,
      seq: 0,
      ownersBreaks: 0,
      breaks: 0,
      waiting: null,
      waitingSince: 0,
      live: false,
      shown: false,
      written: { epoch: 0, seq: 0 },
      provenAt: 0,
    })
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
    const time = update.eventTs ?? update.recvTs
    if (kept.waiting === null) this.due.push(kept)
    const isApart = kept.waiting !== null && Math.abs(time - kept.waitingSince) > unseenMs
    if (isApart || isBroken(kept, update)) noteBreak(kept)
    if (isApart || kept.waiting === null) kept.waitingSince = time
    kept.waiting = update
    kept.epoch = update.epoch
    kept.seq = update.seq
    kept.ownersBreaks = update.breaks ?? 0
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
      kept.live = false
      this.hide(kept)
      marked++
    }
    return marked
  }

  /** How old the proof of a leg on one of this venue's books may be, ms. */
  limitProofs(venue: string, limitMs: number): void {
    this.proofLimits.set(venue, limitMs)
  }

  /** Books that stand as they were last told. True: some are shown as live again. */
  prove({ venue, epoch, books, at }: BookProofs): boolean {
    let changed = false
    const known = this.kept.get(venue)
    for (const [bookId, seq] of books) {
      const kept = known?.get(bookId)
      if (kept === undefined || kept.written.epoch !== epoch || kept.written.seq !== seq) continue
      kept.provenAt = Math.max(kept.provenAt, this.momentOf(at))
      if (!kept.live || kept.shown || this.isOld(venue, kept)) continue
      kept.shown = true
      this.writer.markLive(kept.handle.slot)
      this.touched(kept.handle.slot)
      changed = true
    }
    return changed
  }

  /** Books whose proof has become too old are not to be believed until the next. Yields now and then; returns how many. */
  *judgeProofs(): Generator<void, number, void> {
    let hidden = 0
    let step = 0
    for (const [venue, books] of this.kept) {
      for (const kept of books.values()) {
        if (++step % booksPerStep === 0) yield
        if (!kept.shown || !this.isOld(venue, kept)) continue
        this.hide(kept)
        hidden++
      }
    }
    return hidden
  }

  /** Ingest has judged the order already: what is told last stands, also where a venue turned its clock back. */
  private write(kept: KeptBook, update: BookUpdate): void {
    kept.written = { epoch: update.epoch, seq: update.seq }
    kept.live = update.state === 'live'
    if (!kept.live) {
      this.hide(kept)
      return
    }
    try {
      this.decoded.read(update)
    } catch {
      // A core our own encoder did not write: the book cannot be believed.
      this.malformed++
      kept.live = false
      this.hide(kept)
      return
    }
    kept.provenAt = this.momentOf(update.provenAt ?? update.recvTs)
    this.writer.write(kept.handle.slot, this.decoded, kept.breaks)
    kept.shown = true
    if (this.isOld(update.venue, kept)) this.hide(kept)
    else this.touched(kept.handle.slot)
  }

  private hide(kept: KeptBook): void {
    kept.shown = false
    noteBreak(kept)
    this.writer.markStale(kept.handle.slot, kept.breaks)
    this.touched(kept.handle.slot)
  }

  /** On the monotonic clock; a wall that was set back makes nothing younger than now. */
  private momentOf(at: number): number {
    return this.clock === null ? 0 : this.clock.monotonic() - Math.max(0, this.clock.now() - at)
  }

  private isOld(venue: string, kept: KeptBook): boolean {
    if (this.clock === null) return false
    const limitMs = this.proofLimits.get(venue) ?? legProofMs
    return this.clock.monotonic() - kept.provenAt > limitMs - judgeEveryMs
  }
}

/** Between the newest update told and this one the book was not to be believed, or nobody can say that it was. */
const isBroken = (kept: KeptBook, { state, epoch, seq, breaks }: BookUpdate): boolean =>
  state !== 'live' || epoch !== kept.epoch || seq < kept.seq || (breaks ?? 0) !== kept.ownersBreaks

/** Told with what is written next: who reads the slot before that sees the book from before the break. */
function noteBreak(kept: KeptBook): void {
  kept.breaks = (kept.breaks + 1) | 0
}

const keyOf = (venue: string, bookId: string): string => `${venue} ${bookId}`
