// Novig's manifest: the venue's capabilities, given by the functions that implement them. Only keyless reads; the stream requires a key of an account,
// so books are polled.
import { defineVenue } from '../venue.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, walkCatalog } from './data/reads.ts'
import { novigLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const novig = defineVenue({
  slug: 'novig',
  title: 'Novig',
  urls: { ...novigLane.urls, GQL: 'https://gql.novig.us' },
  credentialNames: [],
  /** No limit is documented; four a second were measured as free of refusals (2026-09-25). */
  budget: { perSecond: 4, burst: 8 },
  volume24h: { source: 'derived_cumulative', unit: 'CASH' },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    feeModel,
    orderSizes,
    fetchOrderBook,
    requestsPerSecond: 3,
    poll: { intervalMs: 5_000, concurrency: 1 },
  },
  exec: novigLane,
})
