// Pascal's manifest: the venue's capabilities, given by the functions that implement them. Books are live, trades are
// polled.
import { defineVenue } from '../venue.ts'
import { pascalLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { fetchMetrics } from './metrics.ts'
import { openOrders } from './openOrders.ts'
import { orderSizes } from './orderSizes.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchOrderBooks, fetchTrades, walkCatalog } from './reads.ts'
import { stream } from './stream.ts'
import { bookRef } from './symbol.ts'
import { traders } from './traders.ts'

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
