// Predict.fun's manifest: the venue's capabilities, given by the functions that implement them. Every read requires the operator's key. No candles
// are built: the venue has computed points, no bars.
import { bnbUsdt } from '../shared/deposit.ts'
import { defineVenue } from '../venue.ts'
import { missing } from './data/endpoints.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { traders } from './data/traders.ts'
import { predictfunLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef, marketBook } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const predictfun = defineVenue({
  slug: 'predictfun',
  title: 'Predict.fun',
  urls: { ...predictfunLane.urls, WS: 'wss://ws.predict.fun/ws', GRAPHQL: 'https://graphql.predict.fun/graphql' },
  credentialNames: ['API_KEY'],
  /** 240 or 250 per minute and key, depending on the documentation page. */
  budget: { perSecond: 3 },
  volume24h: { source: 'venue', unit: 'USD' },
  deposit: { ...bnbUsdt, afterwards: 'orders of a smart wallet are paid by that wallet: move it there' },
  data: {
    missing,
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    marketBook,
    feeModel,
    orderSizes,
    fetchOrderBook,
    fetchTrades,
    stream,
    requestsPerSecond: 3,
    poll: { intervalMs: 5_000, concurrency: 2, tradesEveryMs: 5_000 },
  },
  traders,
  exec: predictfunLane,
})
