// Pascal's manifest: the venue's capabilities, given by the functions that implement them. Books are live, trades are
// polled.
import { defineVenue } from '../venue.ts'
import { fetchMetrics } from './data/metrics.ts'
import { openOrders } from './data/openOrders.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchOrderBooks, fetchTrades, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { traders } from './data/traders.ts'
import { pascalLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const pascal = defineVenue({
  slug: 'pascal',
  title: 'Pascal',
  urls: { ...pascalLane.urls, WS: 'wss://data.pascal.trade/ws' },
  credentialNames: [],
  /** No limit is documented. */
  budget: { perSecond: 2 },
  volume24h: { source: 'venue', unit: 'USD' },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    feeModel,
    orderSizes,
    fetchOrderBook,
    fetchOrderBooks,
    fetchTrades,
    openOrders,
    fetchMetrics,
    stream,
    requestsPerSecond: 1,
    /** Fifty books per request. */
    poll: { intervalMs: 5_000, concurrency: 1, tradesEveryMs: 10_000 },
  },
  traders,
  exec: pascalLane,
})
