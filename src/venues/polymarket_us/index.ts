// Polymarket US's manifest: the venue's capabilities, given by the functions that implement them. Its socket requires the operator's key;
// without one its books are polled. No public trades, no candles.
import { defineVenue } from '../venue.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, walkCatalog } from './data/reads.ts'
import { credentialNames, stream } from './data/stream.ts'
import { polymarketUsLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef, marketBook } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const polymarketUs = defineVenue({
  slug: 'polymarket_us',
  title: 'Polymarket US',
  urls: {
    ...polymarketUsLane.urls,
    GATEWAY: 'https://gateway.polymarket.us',
    WS: 'wss://api.polymarket.us/v1/ws/markets',
  },
  credentialNames,
  /** Its edge limits by address; its API by key, 20 a second. */
  budget: { perSecond: 1, callersPerSecond: 10 },
  volume24h: false,
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    marketBook,
    feeModel,
    orderSizes,
    fetchOrderBook,
    stream,
    /** 20 are documented, but its edge has refused books requested once a second. */
    requestsPerSecond: 1,
    poll: { intervalMs: 30_000, concurrency: 1 },
  },
  exec: polymarketUsLane,
})
