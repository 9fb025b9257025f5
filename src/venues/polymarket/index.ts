// Polymarket (international), CLOB V2: the manifest.
import { defineVenue } from '../venue.ts'
import { candleResolutionsMs } from './data/candles.ts'
import { fetchMetrics } from './data/metrics.ts'
import { pendingTrades } from './data/pendingTrades.ts'
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
import { traders } from './data/traders.ts'
import { polymarketLane } from './exec/index.ts'
import { pusd } from './exec/typedData.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const polymarket = defineVenue({
  slug: 'polymarket',
  title: 'Polymarket',
  urls: {
    ...polymarketLane.urls,
    GAMMA: 'https://gamma-api.polymarket.com',
    WS: 'wss://ws-subscriptions-clob.polymarket.com/ws/market',
  },
  credentialNames: [],
  /** Its tightest limit is 20 a second, on trades and on lists of tags. */
  budget: { perSecond: 20 },
  volume24h: { source: 'venue', unit: 'USD' },
  deposit: {
    chain: 'eip155:137',
    token: pusd,
    symbol: 'pUSD',
    decimals: 6,
    afterwards: 'orders of a proxy, a Safe or a deposit wallet are paid by that wallet: move it there',
  },
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
    pendingTrades,
    // 1,500 books per 10 s are allowed; polling is only for when the stream is unreachable.
    poll: { intervalMs: 2_000, concurrency: 4 },
  },
  traders,
  exec: polymarketLane,
})
