// PRED's manifest: the venue's capabilities, given by the functions that implement them. No public trades. Its stream (Ably) requires a token that
// only an account's session gets: books are polled.
import { defineVenue } from '../venue.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, walkCatalog } from './data/reads.ts'
import { predLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef, marketBook } from './ids.ts'

export const pred = defineVenue({
  slug: 'pred',
  title: 'PRED',
  urls: predLane.urls,
  /** Of the operator's account; documented as required for books. No secrets, and no order is signed with them. */
  credentialNames: ['WALLET_ADDRESS', 'PROXY_ADDRESS'],
  /** The only documented limit is that of discovery: bursts below some ten a second. */
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
