// Novig's manifest: the venue's capabilities, given by the functions that implement them. Only keyless reads: no public trades; the stream and the
// REST API need an account's token, so books are polled.
import { defineVenue } from '../venue.ts'
import { novigLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './id.ts'
import { orderSizes } from './orderSizes.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchOrderBooks, walkCatalog } from './reads.ts'

export const novig = defineVenue({
  slug: 'novig',
  title: 'Novig',
  urls: { ...novigLane.urls, GQL: 'https://gql.novig.us' },
  credentialNames: [],
  /** No limit is documented. */
  budget: { perSecond: 2 },
  volume24h: { source: 'derived_cumulative', unit: 'CASH' },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    feeModel,
    orderSizes,
    fetchOrderBook,
    fetchOrderBooks,
    requestsPerSecond: 1,
    poll: { intervalMs: 5_000, concurrency: 1 },
  },
  exec: novigLane,
})
