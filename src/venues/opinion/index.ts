// Opinion's manifest: the venue's capabilities, given by the functions that implement them. No public trades, no candles (it has price points,
// no bars).
import { bnbUsdt } from '../shared/deposit.ts'
import { defineVenue } from '../venue.ts'
import { fetchMetrics } from './data/metrics.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { traders } from './data/traders.ts'
import { opinionLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'

export const opinion = defineVenue({
  slug: 'opinion',
  title: 'Opinion',
  urls: { ...opinionLane.urls, WS: 'wss://ws.opinion.trade' },
  /** Required by the socket; reads also work without it, and books are polled then. */
  credentialNames: ['API_KEY'],
  /** Five a second and address without a key, fifteen with one. */
  budget: { perSecond: 4 },
  volume24h: { source: 'venue', unit: 'USD' },
  deposit: { ...bnbUsdt, afterwards: 'orders of a Safe are paid by the Safe: move it there' },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    feeModel,
    fetchOrderBook,
    fetchMetrics,
    stream,
    requestsPerSecond: 4,
    poll: { intervalMs: 5_000, concurrency: 2 },
  },
  traders,
  exec: opinionLane,
})
