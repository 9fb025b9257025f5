// What this thread has seen of each book. A book that was written more often than it was read, in distant steps, went unseen in between;
// its reader treats this like any other break.

import { conflationMs } from '#core/books/conflation'
import type { SharedDepth } from '#core/books/shared/index'

export class WatchedBooks {
  private readonly versions: Int32Array
  /** Of the books, epoch ms. */
  private readonly times: Float64Array
  /** Breaks that only we know of. */
  private readonly own: Int32Array

  constructor(slots: number) {
    this.versions = new Int32Array(slots)
    this.times = new Float64Array(slots)
    this.own = new Int32Array(slots)
  }

  /** For a book just read: adds to its `breaks` what was not seen here. */
  note(slot: number, book: Pick<SharedDepth, 'version' | 'eventTs' | 'recvTs' | 'breaks'>): void {
    const time = book.eventTs >= 0 ? book.eventTs : book.recvTs
    const wasMissed = ((book.version - this.versions[slot]!) | 0) > 1
    if (wasMissed && Math.abs(time - this.times[slot]!) > conflationMs) this.own[slot]!++
    this.versions[slot] = book.version
    this.times[slot] = time
    book.breaks = (book.breaks + this.own[slot]!) | 0
  }
}
