// Gemini's manifest: the venue's capabilities, given by the functions that implement them.
import { defineVenue } from '../venue.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { geminiLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const gemini = defineVenue({
  slug: 'gemini',
  title: 'Gemini Predictions',
  urls: { ...geminiLane.urls, WS: 'wss://ws.gemini.com' },
  credentialNames: [],
  /** 120 per minute and address without a key, 600 with one; the advised rates are one and five a second. */
  budget: { perSecond: 1, callersPerSecond: 5 },
  volume24h: { source: 'venue', unit: 'CONTRACTS' },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    feeModel,
    orderSizes,
    fetchOrderBook,
    fetchTrades,
    stream,
    requestsPerSecond: 1,
    /** Books are read one after the other; books with readers come first. */
    poll: { intervalMs: 5_000, concurrency: 1, tradesEveryMs: 10_000 },
  },
  exec: geminiLane,
})
