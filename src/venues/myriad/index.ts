// Myriad's manifest: the venue's capabilities, given by the functions that implement them. Order books are live, pools
// are polled.
import { defineVenue } from '../venue.ts'
import { fetchMetrics } from './data/metrics.ts'
import { openOrders } from './data/openOrders.ts'
import { optionPrices } from './data/optionPrices.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { traders } from './data/traders.ts'
import { myriadLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef, outcomeOf } from './ids.ts'

export const myriad = defineVenue({
  slug: 'myriad',
  title: 'Myriad',
  urls: { ...myriadLane.urls, WS: 'wss://ws.myriadprotocol.com/ws' },
  credentialNames: [],
  /** Without a key 30 per ten seconds and address. */
  budget: { perSecond: 2.5 },
  volume24h: { source: 'venue', unit: 'USD' },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    isSynthetic: (bookId) => outcomeOf(bookId)?.model === 'amm',
    feeModel,
    fetchOrderBook,
    fetchTrades,
    openOrders,
    optionPrices,
    fetchMetrics,
    stream,
    requestsPerSecond: 1,
    poll: { intervalMs: 5_000, concurrency: 2, tradesEveryMs: 10_000 },
  },
  traders,
  exec: myriadLane,
})
