// Gemini's manifest: what this venue can do, by naming the function that does it. No stream is built: books are polled.
import { defineVenue } from '../venue.ts'
import { bookRef } from './data/outcomeId.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { feeModel } from './fees.ts'

export const gemini = defineVenue({
  slug: 'gemini',
  title: 'Gemini Predictions',
  urls: { REST: 'https://api.gemini.com' },
  credentialNames: [],
  volume24h: { source: 'venue', unit: 'CONTRACTS' },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    feeModel,
    fetchOrderBook,
    fetchTrades,
    /** Two a second is the limit, one is what the venue advises. */
    requestsPerSecond: 1,
    /** One after the other; with more books than seconds readers' come first. */
    poll: { intervalMs: 5_000, concurrency: 1, tradesEveryMs: 10_000 },
  },
})
