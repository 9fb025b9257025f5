// Books that differ from the venue's own. The first time a book is resubscribed and shown again. If it differs again without ever having
// been equal, neither book can be shown to be right: it is withheld until a comparison finds it equal, and resubscribed less and less
// often. If its changes are being lost, it is withheld at once: the whole book that arrives on resubscribing may again be the only message.
import { backoffMs } from '#core/backoff'
import type { IngestBook } from './ingestBook.ts'

const restBackoff = { baseMs: 10_000, capMs: 600_000 }
/** A book whose changes come again is compared at once, for this long after they were first seen. */
const urgentMs = 10_000

interface Contradiction {
  /** How often it was resubscribed. */
  times: number
  /** Not resubscribed again before. */
  until: number
  /** Its changes are being lost: they flow again when more than this many have arrived. */
  lostAfter: number | null
  /** When that was first seen. */
  flowsSince: number | null
}

export class Contradictions {
  private readonly books = new Map<string, Contradiction>()

  /** The book is about to be resubscribed. `lostAfter`: see there. */
  note(bookId: string, book: IngestBook, now: number, lostAfter: number | null): void {
    const times = (this.books.get(bookId)?.times ?? 0) + 1
    const areChangesLost = lostAfter !== null
    const step = areChangesLost ? times - 1 : times - 2
    // The first time, it may be compared as soon as it is quiet again.
    const restMs = step < 0 ? 0 : backoffMs(step, restBackoff, () => 1)
    this.books.set(bookId, { times, until: now + restMs, lostAfter, flowsSince: null })
    if (times > 1 || areChangesLost) book.isDisputed = true
  }

  /** It is withheld, and may not be resubscribed yet. */
  rests(bookId: string, book: IngestBook, now: number): boolean {
    return book.isDisputed && now < (this.books.get(bookId)?.until ?? 0)
  }

  /** Changes of it came again after some were lost: a comparison may release it. */
  mayRecover(bookId: string, book: IngestBook, now: number): boolean {
    const one = this.books.get(bookId)
    if (one === undefined || one.lostAfter === null || book.messages <= one.lostAfter) return false
    one.flowsSince ??= now
    return now - one.flowsSince < urgentMs
  }

  /** It was found equal. False: it stays withheld, because a whole book may have made it so, and its changes have yet to arrive. */
  settle(bookId: string, book: IngestBook, now: number): boolean {
    const one = this.books.get(bookId)
    const isMute = one !== undefined && one.lostAfter !== null && book.messages <= one.lostAfter
    if (isMute && now < one.until) return false
    // A market may be quiet for so long. If its feed really is silent, the book pauses for longer the next time.
    if (!isMute) this.books.delete(bookId)
    book.isDisputed = false
    return true
  }

  /** Drops the books that are no longer watched. */
  keep(books: ReadonlyMap<string, IngestBook>): void {
    for (const bookId of this.books.keys()) if (!books.has(bookId)) this.books.delete(bookId)
  }
}
