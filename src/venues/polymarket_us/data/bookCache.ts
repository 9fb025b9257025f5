// What was read of a book a moment ago is told again: the venue counts calls, and its own reads are half a minute old as it is.
import type { HttpClient } from '#net/http'
import type { BookSnapshot } from '../../venue.ts'

/** A little shorter than the poll's cadence, so that the poll itself always reads. */
export const freshMs = 25_000
const booksMax = 2_000

/** One client is one deployment's reads. In order of reading, oldest first. */
const caches = new WeakMap<HttpClient, Map<string, { snapshot: BookSnapshot; readAt: number }>>()

/** `now` here and below: on the monotonic clock. */
export function recallBook(http: HttpClient, bookId: string, now: number): BookSnapshot | null {
  const known = caches.get(http)?.get(bookId)
  return known !== undefined && now - known.readAt < freshMs ? known.snapshot : null
}

export function rememberBook(http: HttpClient, snapshot: BookSnapshot, now: number): void {
  const books = caches.get(http) ?? new Map<string, { snapshot: BookSnapshot; readAt: number }>()
  caches.set(http, books)
  books.delete(snapshot.bookId)
  books.set(snapshot.bookId, { snapshot, readAt: now })
  if (books.size <= booksMax) return
  for (const oldest of books.keys()) {
    books.delete(oldest)
    break
  }
}
