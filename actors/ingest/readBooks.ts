// Books over REST: many in one request where the venue supports that, otherwise one after the other.
import type { BookSnapshot, VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { batchMax } from './pollerPool.ts'

/** How many books one request reads. */
export const booksPerRead = (data: Pick<VenueData, 'fetchOrderBooks'>): number =>
  data.fetchOrderBooks === undefined ? 1 : batchMax

/** Books the venue does not know are absent from the result. */
export async function readBooks(
  data: Pick<VenueData, 'fetchOrderBook' | 'fetchOrderBooks'>,
  context: VenueContext,
  bookIds: readonly string[],
): Promise<Map<string, BookSnapshot>> {
  if (data.fetchOrderBooks !== undefined) return data.fetchOrderBooks(context, bookIds)
  const books = new Map<string, BookSnapshot>()
  for (const bookId of bookIds) {
    const snapshot = await data.fetchOrderBook(context, bookId)
    if (snapshot !== null) books.set(bookId, snapshot)
  }
  return books
}
