// Writes the books a worker needs to shared memory, from the updates every process receives on the bus. Between two flushes only the
// newest update of a book is read, so a flood on one market costs one parse. Breaks in between are not lost with the skipped updates:
// the slot counts them.
import type { Clock } from '#core/clock'
import type { Sender } from '#core/ownerEpochs'
import type { BookUpdate, BookVerification } from '#schemas/topics'
import { conflationMs } from './conflation.ts'
import { DecodedBook } from './decodedBook.ts'
import { SharedBooksWriter, type SlotHandle } from './shared/index.ts'

interface KeptBook {
  handle: SlotHandle
  /** Some update of it was received. */
  hasArrived: boolean
  /** Of the newest update received. */
  epoch: number
  part: string | undefined
  seq: number
  /** The owner's break count as of that update. */
  ownersBreaks: number
  /** Breaks so far: those the owner reported and our own. */
  breaks: number
  /** Newest unread update, and the book's time at the first unread one. */
  waiting: BookUpdate | null
  waitingSince: number
  /** As last reported by ingest. */
  live: boolean
  /** As shown in shared memory: live, and proven recently. */
  shown: boolean
  /** The update held in shared memory. */
  written: { epoch: number; seq: number }
  /** Time of the last proof, on the monotonic clock. */
  provenAt: number
}

/** Maximum age of the proof of a leg's book, ms, unless its venue sets another. */
export const legProofMs = 15_000
/** How often proofs are checked: a proof that would expire before the next check counts as expired. */
export const livenessCheckMs = 1_000

const booksPerStep = 100

export class BookFeed {
  /** Updates that could not be read. */
  malformed = 0
  /** How often a book was marked stale in shared memory. */
  staleMarks = 0
  private readonly writer: SharedBooksWriter
  private readonly touched: (slot: number) => void
  private readonly kept = new Map<string, Map<string, KeptBook>>()
  private readonly due: KeptBook[] = []
  private readonly decoded = new DecodedBook()
  private readonly clock: Pick<Clock, 'now' | 'monotonic'> | null
  /** By venue, ms. */
  private readonly proofLimits = new Map<string, number>()

  /** `touched`: called when this slot was written, from within `flush`, `prove` and the marking. Without a clock, proofs do not age. */
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

  /** Writes this book from now on. Null: no free slot. */
  readonly slotOf = (venue: string, bookId: string): SlotHandle | null => {
    const books = this.kept.get(venue) ?? new Map<string, KeptBook>()
    const known = books.get(bookId)
    if (known !== undefined) return known.handle
    const handle = this.writer.allocate(keyOf(venue, bookId))
    if (handle === null) return null
    books.set(bookId, {
      handle,
      hasArrived: false,
      epoch: 0,
      part: undefined,
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

  /** Every kept book, by venue: what must be watched upstream. */
  wanted(): Map<string, string[]> {
    return new Map([...this.kept].map(([venue, books]) => [venue, [...books.keys()]]))
  }

  /** Positions, among these kept books of the venue, of those that have never arrived. */
  lacking(venue: string, bookIds: readonly string[]): number[] {
    const books = this.kept.get(venue)
    return bookIds.flatMap((bookId, position) => (books?.get(bookId)?.hasArrived === true ? [] : [position]))
  }

  /** Releases every book not in `wanted`, freeing its slot. Returns how many. */
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
    const isApart = kept.waiting !== null && Math.abs(time - kept.waitingSince) > conflationMs
    if (isApart || isBroken(kept, update)) noteBreak(kept)
    if (isApart || kept.waiting === null) kept.waitingSince = time
    kept.waiting = update
    kept.hasArrived = true
    kept.epoch = update.epoch
    kept.part = update.part
    kept.seq = update.seq
    kept.ownersBreaks = update.breaks ?? 0
    return true
  }

  /** Writes waiting updates to shared memory; returns how many books. */
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
   * Books of the venue whose last update is void are stale until they are sent again. Yields now and then; returns how many.
   */
  *markVenueStale(venue: string, isVoid: (sent: Sender) => boolean = () => true): Generator<void, number, void> {
    let marked = 0
    let step = 0
    for (const kept of this.kept.get(venue)?.values() ?? []) {
      if (++step % booksPerStep === 0) yield
      if (!isVoid(kept)) continue
      kept.waiting = null
      if (!kept.live) continue
      kept.live = false
      this.hide(kept)
      marked++
    }
    return marked
  }

  /** Sets the maximum proof age for legs on this venue's books, ms. */
  limitProofs(venue: string, limitMs: number): void {
    this.proofLimits.set(venue, limitMs)
  }

  /** Live, by a proof that has not expired now: sooner than `expireProofs` marks it, which may be late. */
  isProven(venue: string, bookId: string): boolean {
    const kept = this.kept.get(venue)?.get(bookId)
    return kept?.shown === true && !this.isOld(venue, kept)
  }

  /** Books proven unchanged. Returns true when some become live again. */
  prove({ venue, epoch, books, at }: BookVerification): boolean {
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

  /** Marks books stale whose proof has expired, until the next proof. Yields now and then; returns how many. */
  *expireProofs(): Generator<void, number, void> {
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

  /** Ingest has already decided the order: the last update received wins, even when a venue set its clock back. */
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
      // A core our own encoder did not write: the book cannot be trusted.
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
    this.staleMarks++
    noteBreak(kept)
    this.writer.markStale(kept.handle.slot, kept.breaks)
    this.touched(kept.handle.slot)
  }

  /** On the monotonic clock; a wall clock that was set back never makes anything younger than now. */
  private momentOf(at: number): number {
    return this.clock === null ? 0 : this.clock.monotonic() - Math.max(0, this.clock.now() - at)
  }

  private isOld(venue: string, kept: KeptBook): boolean {
    if (this.clock === null) return false
    const limitMs = this.proofLimits.get(venue) ?? legProofMs
    return this.clock.monotonic() - kept.provenAt > limitMs - livenessCheckMs
  }
}

/** Between the previous update and this one the book was untrustworthy, or may have been. */
const isBroken = (kept: KeptBook, { state, epoch, seq, breaks }: BookUpdate): boolean =>
  state !== 'live' || epoch !== kept.epoch || seq < kept.seq || (breaks ?? 0) !== kept.ownersBreaks

/** Published with the next write; until then readers of the slot see the book from before the break. */
function noteBreak(kept: KeptBook): void {
  kept.breaks = (kept.breaks + 1) | 0
}

const keyOf = (venue: string, bookId: string): string => `${venue} ${bookId}`
