// Books whose feed has just contradicted them. The venue often repairs such a book by itself within a second, with the next whole book or a further
// change: until then readers keep the last published book, and after that it is stale.

import type { Clock, Timer } from '#core/clock'
import type { StaleReason } from '#schemas/staleReason'
import type { IngestBook } from './ingestBook.ts'

/** In a public study of Polymarket's socket (2026-09), the next whole book repaired all of 191 contradicted books within 995 ms. */
export const repairMs = 1_000

export interface HeldBooksOptions {
  clock: Clock
  books: ReadonlyMap<string, IngestBook>
  /** Nothing has repaired the book. */
  onExpired(bookId: string, reason: StaleReason): void
}

export class HeldBooks {
  /** At most one for each book, and for as long as a repair may take. */
  private readonly waits = new Map<string, { timer: Timer; hold: number }>()
  private readonly options: HeldBooksOptions

  constructor(options: HeldBooksOptions) {
    this.options = options
  }

  /** A contradiction during the wait does not prolong it. False: the book cannot be held. */
  hold(bookId: string, reason: StaleReason): boolean {
    const { clock, books, onExpired } = this.options
    const book = books.get(bookId)
    if (book?.hold() !== true) return false
    const hold = book.holds
    const running = this.waits.get(bookId)
    if (running?.hold === hold) return true
    running?.timer.cancel()
    const timer = clock.after(repairMs, () => {
      this.waits.delete(bookId)
      if (book.isHeld && book.holds === hold) onExpired(bookId, reason)
    })
    this.waits.set(bookId, { timer, hold })
    return true
  }

  clear(): void {
    for (const { timer } of this.waits.values()) timer.cancel()
    this.waits.clear()
  }
}
