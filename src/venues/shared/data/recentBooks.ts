// Reuses a recently read book, for venues with tight request limits whose books are never very fresh.
import { Cache } from '#core/cache'
import type { HttpClient } from '#net/http'
import type { BookSnapshot } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'

const booksMax = 2_000

/** Keyed by client: one per deployment. */
const caches = new WeakMap<HttpClient, Cache<BookSnapshot>>()

/** Reads at most once in `freshMs`. The absence of a book is never cached: the caller wants to know whether the venue has it now. */
export async function recentBook(
  { http, clock }: Pick<VenueContext, 'http' | 'clock'>,
  bookId: string,
  freshMs: number,
  read: () => Promise<BookSnapshot | null>,
): Promise<BookSnapshot | null> {
  const books = caches.get(http) ?? new Cache<BookSnapshot>(booksMax, { clock })
  caches.set(http, books)
  const held = books.get(bookId)
  if (held !== undefined) return held
  const snapshot = await read()
  if (snapshot !== null) books.set(bookId, snapshot, freshMs)
  return snapshot
}
