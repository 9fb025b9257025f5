// Reuses a book that was read a moment ago, for venues with tight request limits whose books are never very fresh.
import type { HttpClient } from '#net/http'
import type { BookSnapshot, VenueContext } from '../../venue.ts'

const booksMax = 2_000

/** One client is one deployment's reads. In order of reading, oldest first; `readAt` on the monotonic clock. */
const caches = new WeakMap<HttpClient, Map<string, { snapshot: BookSnapshot; readAt: number }>>()

/** Reads at most once in `freshMs`. That there is no book is never remembered: whoever asks for one wants to know whether the venue is there. */
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
