// Publishes books on the bus: each dirty book is encoded once and published once, at the end of the event-loop turn or once per tick.
import type { LiveBook } from '#books/liveBook'
import type { Clock, Timer } from '#lib/clock'
import { Pace } from '#lib/pace'
import type { OwnedBus } from './owner/ownedBus.ts'
import type { Tenure } from './owner/venueOwner.ts'

/** Approximate cost of encoding one book and handing it over (measured 2 to 8 us). */
const publishCostMs = 0.005
/** How often a doubtful tenure is checked again. */
const doubtMs = 50

export interface PublisherOptions {
  venue: string
  bus: Pick<OwnedBus, 'publish'>
  clock: Clock
  /** How often books are published while many change. */
  tickMs: number
  tenure: Pick<Tenure, 'epoch' | 'holds'>
  defer(run: () => void): void
}

export class Publisher {
  published = 0
  /** Receive time of the newest venue bytes published, epoch ms. */
  lastMessageAt: number | null = null
  /** From venue time to our receipt, for the last book that carried a time. */
  lagMs: number | null = null
  private seq = 0
  private dirty: LiveBook[] = []
  private due = false
  private stopped = false
  private timer: Timer | null = null
  private readonly pace: Pace
  private readonly options: PublisherOptions

  constructor(options: PublisherOptions) {
    this.options = options
    this.pace = new Pace(options.tickMs, options.clock.monotonic())
  }

  /** A field, so that a book can hold it as its callback. */
  readonly mark = (book: LiveBook): void => {
    this.dirty.push(book)
    if (this.due) return
    this.due = true
    const { clock, defer } = this.options
    const delayMs = this.pace.delayMs(clock.monotonic())
    if (delayMs === 0) defer(this.flush)
    else this.timer = clock.after(delayMs, this.flush)
  }

  readonly flush = (): void => {
    this.due = false
    this.timer = null
    if (this.dirty.length === 0) return
    const { venue, bus, clock, tenure } = this.options
    if (!tenure.holds()) {
      if (this.stopped) return
      this.due = true
      this.timer = clock.after(doubtMs, this.flush)
      return
    }
    const batch = this.dirty
    this.dirty = []
    for (const book of batch) {
      const update = book.update(tenure.epoch)
      // Readers order updates by `seq`. A book that is released and reopened would count from one, below what readers hold, and a
      // republished book would look like a repeat: so the venue's publisher counts, not the book.
      update.seq = ++this.seq
      book.publishedSeq = update.seq
      bus.publish('books', `${venue}:${book.marketId}`, update)
      if (book.eventTs !== null && book.recvTs > 0) this.lagMs = Math.max(0, book.recvTs - book.eventTs)
      if (book.recvTs > (this.lastMessageAt ?? 0)) this.lastMessageAt = book.recvTs
    }
    this.published += batch.length
    this.pace.ran(batch.length * publishCostMs, clock.monotonic())
  }

  /** Publishes what is dirty now. */
  stop(): void {
    this.stopped = true
    this.timer?.cancel()
    this.flush()
  }
}
