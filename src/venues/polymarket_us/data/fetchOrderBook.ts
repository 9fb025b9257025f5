// One book over REST. A 404 is never remembered: whoever asks for a book that is not there wants to know whether the venue is.
import type { BookSnapshot, VenueContext } from '../../venue.ts'
import { recallBook, rememberBook } from './bookCache.ts'
import { isSlug } from './bookRef.ts'
import { getBook, unreadable } from './endpoints.ts'
import { normalizeBook } from './normalizeBook.ts'

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  if (!isSlug(bookId)) return null
  const { http, clock } = context
  const known = recallBook(http, bookId, clock.monotonic())
  if (known !== null) return known
  const body = await getBook(context, bookId)
  if (body === null) return null
  const snapshot = normalizeBook(bookId, body.marketData, clock.now())
  if (snapshot === null) throw unreadable(`/v1/markets/${bookId}/book`, 'a level that is none, or another market')
  rememberBook(http, snapshot, clock.monotonic())
  return snapshot
}
