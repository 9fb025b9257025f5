// Kalshi's manifest: the venue's capabilities, given by the functions that implement them.
import { defineVenue } from '../venue.ts'
import { candleResolutionsMs } from './data/candles.ts'
import { fetchMetrics } from './data/metrics.ts'
import {
  fetchCandles,
  fetchEvent,
  fetchMarket,
  fetchOrderBook,
  fetchOrderBooks,
  fetchTrades,
  walkCatalog,
} from './data/reads.ts'
import { stream } from './data/stream.ts'
import { kalshiLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const kalshi = defineVenue({
  slug: 'kalshi',
  title: 'Kalshi',
  urls: {
    ...kalshiLane.urls,
    WS: 'wss://external-api-ws.kalshi.com/trade-api/ws/v2',
  },
  /** The socket requires a signed handshake even for public channels; without a key books are polled over REST. */
  credentialNames: ['API_KEY_ID', 'PRIVATE_KEY_PEM'],
  /** A 429 names no time: its bucket refills within a second. */
  budget: { perSecond: 10, callersPerSecond: 10, restSeconds: 1 },
  volume24h: { source: 'venue', unit: 'CONTRACTS' },
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
    fetchCandles,
    candleResolutionsMs,
    fetchMetrics,
    stream,
    /** The smallest tier reads 20 requests a second; half of that leaves room for callers during the catalog walk. */
    requestsPerSecond: 10,
    poll: { intervalMs: 2_000, concurrency: 4, tradesEveryMs: 1_000 },
  },
  exec: kalshiLane,
})
