// Limitless' manifest: the venue's capabilities, given by the functions that implement them.
import { defineVenue } from '../venue.ts'
import { fetchMetrics } from './data/metrics.ts'
import { optionPrices } from './data/optionPrices.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { traders } from './data/traders.ts'
import { limitlessLane } from './exec/index.ts'
import { usdc } from './exec/typedData.ts'
import { feeModel } from './fees.ts'
import { bookRef, isPoolBook, marketBook } from './ids.ts'

export const limitless = defineVenue({
  slug: 'limitless',
  title: 'Limitless',
  urls: { ...limitlessLane.urls, WS: 'wss://ws.limitless.exchange' },
  credentialNames: [],
  /** The venue states no limit; its clients make five requests a second. */
  budget: { perSecond: 5 },
  volume24h: { source: 'derived_cumulative', unit: 'USDC' },
  deposit: { chain: 'eip155:8453', token: usdc, symbol: 'USDC', decimals: 6 },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    isSynthetic: isPoolBook,
    marketBook,
    feeModel,
    fetchOrderBook,
    fetchTrades,
    fetchMetrics,
    optionPrices,
    stream,
    requestsPerSecond: 3,
    poll: { intervalMs: 5_000, concurrency: 2, tradesEveryMs: 10_000 },
  },
  traders,
  exec: limitlessLane,
})
