// What a test of ingest needs of a venue of its own, beside how its books are read.
import type { Clock } from '#lib/clock'
import { silentLog } from '#lib/log'
import type { VenueContext, VenueData } from '#venues/venue'

/** Nobody asks the venue over HTTP: the test answers for it. */
export const contextOf = (venue: VenueContext['venue'], clock: Clock): VenueContext => ({
  venue,
  http: { request: () => Promise.reject(new Error('nobody asks')) },
  clock,
  log: silentLog,
  urls: {},
  credentials: null,
  signal: new AbortController().signal,
})

/** Each outcome has a book of its own, and there is nothing else to be known. */
export const booksOnly: Pick<VenueData, 'walkCatalog' | 'fetchMarket' | 'bookRef' | 'feeModel'> = {
  walkCatalog: () => {
    throw new Error('nobody walks')
  },
  fetchMarket: async () => null,
  bookRef: (bookId) => ({ bookId, complement: false }),
  feeModel: () => {
    throw new Error('nobody asks')
  },
}
