// Publishes books on the bus: each dirty book is encoded once and published once, at the end of the event-loop turn or once per tick.

import { AdaptiveBatcher } from '#core/adaptiveBatchSize'
import { emptyCore } from '#core/books/encode'
import type { LiveBook } from '#core/books/liveBook'
import type { Clock, Timer } from '#core/clock'
import { unwatchedReason } from '#schemas/topics'
import type { Demands } from './demands.ts'
import type { OwnedBus } from './owner/fencedBus.ts'
import type { LeaseTerm } from './owner/venueLeaseManager.ts'

/** Approximate cost of encoding and publishing one book (measured 2 to 8 us). */
const publishCostMs = 0.005
/** How often an uncertain lease is checked again. */
const leaseRetryMs = 50

export interface PublisherOptions {
  venue: string
  bus: Pick<OwnedBus, 'publish'>
  clock: Clock
  /** How often books are published while many change. */
  tickMs: number
  lease: Pick<LeaseTerm, 'epoch' | 'part' | 'holds'>
  demands: Pick<Demands, 'inboxesOf'>
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
  /** Inbox → books to withdraw from it. */
  private readonly withdrawn = new Map<number, Set<string>>()
  private due = false
  private stopped = false
  private timer: Timer | null = null
  private readonly pace: AdaptiveBatcher
  private readonly options: PublisherOptions

  constructor(options: PublisherOptions) {
    this.options = options
    this.pace = new AdaptiveBatcher(options.tickMs, options.clock.monotonic())
  }

  /** A field, so that a book can hold it as its callback. */
  readonly mark = (book: LiveBook): void => {
    this.dirty.push(book)
    this.schedule()
  }

  /** The last update of these books for the inbox is that they are stale, unless they are demanded for it again. */
  withdraw(inbox: number, bookIds: readonly string[]): void {
    const withdrawn = this.withdrawn.get(inbox) ?? new Set()
    this.withdrawn.set(inbox, withdrawn)
    for (const bookId of bookIds) withdrawn.add(bookId)
    this.schedule()
  }

  private schedule(): void {
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
    if (this.dirty.length === 0 && this.withdrawn.size === 0) return
    const { venue, bus, clock, lease } = this.options
    if (!lease.holds()) {
      if (this.stopped) return
      this.due = true
      this.timer = clock.after(leaseRetryMs, this.flush)
      return
    }
    const batch = this.dirty
    this.dirty = []
    for (const book of batch) {
      const update = book.update(lease.epoch)
      if (lease.part !== undefined) update.part = lease.part
      // Readers order updates by `seq`. A book that is released and reopened would count from one, below what readers hold, and a
      // republished book would look like a repeat: so the venue's publisher counts, not the book.
      update.seq = ++this.seq
      book.publishedSeq = update.seq
      bus.publish('books', `${venue}:${book.marketId}`, update)
      if (book.eventTs !== null && book.recvTs > 0) this.lagMs = Math.max(0, book.recvTs - book.eventTs)
      if (book.recvTs > (this.lastMessageAt ?? 0)) this.lastMessageAt = book.recvTs
    }
    for (const [inbox, bookIds] of this.withdrawn) for (const bookId of bookIds) this.sendWithdrawal(inbox, bookId)
    this.withdrawn.clear()
    this.published += batch.length
    this.pace.ran(batch.length * publishCostMs, clock.monotonic())
  }

  private sendWithdrawal(inbox: number, bookId: string): void {
    const { venue, bus, clock, lease, demands } = this.options
    if (demands.inboxesOf('books', bookId).includes(inbox)) return
    const now = clock.now()
    bus.publish(
      'books',
      `${venue}:${bookId}`,
      {
        venue,
        marketId: bookId,
        state: 'stale',
        staleReason: unwatchedReason,
        seq: ++this.seq,
        epoch: lease.epoch,
        ...(lease.part !== undefined && { part: lease.part }),
        eventTs: null,
        recvTs: now,
        core: emptyCore(now),
        lastTradeMicros: null,
      },
      [inbox],
    )
  }

  /** Publishes what is dirty now. */
  stop(): void {
    this.stopped = true
    this.timer?.cancel()
    this.flush()
  }
}
