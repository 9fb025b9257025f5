// Reuses a recently read book, for venues with tight request limits whose books are never very fresh.
import type { HttpClient } from '#net/http'
import type { BookSnapshot } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'

const booksMax = 2_000

/** Keyed by client: one per deployment. In order of reading, oldest first; `readAt` on the monotonic clock. */
const caches = new WeakMap<HttpClient, Map<string, { snapshot: BookSnapshot; readAt: number }>>()

/** Reads at most once in `freshMs`. The absence of a book is never cached: the caller wants to know whether the venue has it now. */
export async function recentBook(
  { http, clock }: Pick<VenueContext, 'http' | 'clock'>,
  bookId: string,
  freshMs: number,
  read: () => Promise<BookSnapshot | null>,
): Promise<BookSnapshot | null> {
  const books = caches.get(http) ?? new Map<string, { snapshot: BookSnapshot; readAt: number }>()
  caches.set(http, books)
  const held = books.get(bookId)
  if (held !== undefined && clock.monotonic() - held.readAt < freshMs) return held.snapshot
  const snapshot = await read()
  if (snapshot === null) return null
  books.delete(bookId)
  books.set(bookId, { snapshot, readAt: clock.monotonic() })
  const [oldest] = books.keys()
  if (books.size > booksMax) books.delete(oldest!)
  return snapshot
}
