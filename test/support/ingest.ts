// Parts that an ingest test with its own venue needs, apart from how its books are read.
import type { Clock } from '#core/clock'
import { silentLog } from '#core/log'
import type { VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

/** No HTTP request reaches the venue: the test responds instead. */
export const contextOf = (venue: VenueContext['venue'], clock: Clock): VenueContext => ({
  venue,
  http: { request: () => Promise.reject(new Error('unexpected HTTP request')) },
  clock,
  log: silentLog,
  urls: {},
  credentials: null,
  signal: new AbortController().signal,
})

/** Each outcome has a book of its own, and has no metadata. */
export const booksOnly: Pick<VenueData, 'walkCatalog' | 'fetchMarket' | 'bookRef' | 'feeModel'> = {
  walkCatalog: () => {
    throw new Error('unexpected catalog walk')
  },
  fetchMarket: async () => null,
  bookRef: (bookId) => ({ bookId, complement: false }),
  feeModel: () => {
    throw new Error('unexpected HTTP request')
  },
}
