// PRED's manifest: what this venue can do, given by the functions that do it. No public trades. Its stream (Ably) wants a token that only an account's
// session gets: books are polled.
import { defineVenue } from '../venue.ts'
import { predLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef, marketBook } from './marketId.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, walkCatalog } from './reads.ts'

export const pred = defineVenue({
  slug: 'pred',
  title: 'PRED',
  urls: predLane.urls,
  /** Of the operator's account; documented as needed for books. No secrets, and no order is signed with them. */
  credentialNames: ['WALLET_ADDRESS', 'PROXY_ADDRESS'],
  /** No limit is documented but that of discovery: bursts below some ten a second. */
  budget: { perSecond: 5 },
  volume24h: { source: 'derived_cumulative', unit: 'USD' },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    marketBook,
    feeModel,
    fetchOrderBook,
    requestsPerSecond: 3,
    poll: { intervalMs: 3_000, concurrency: 2 },
  },
  exec: predLane,
})
