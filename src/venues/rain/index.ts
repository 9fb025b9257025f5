// Rain's manifest: pools on Arbitrum One. Its API lists them, its contracts have their prices and trades; no public trades over REST, no candles.
import { defineVenue } from '../venue.ts'
import { chainTrades } from './data/chainTrades.ts'
import { openOrders } from './data/openOrders.ts'
import { optionPrices } from './data/optionPrices.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, walkCatalog } from './data/reads.ts'
import { traders } from './data/traders.ts'
import { rainLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef, marketBook } from './ids.ts'

export const rain = defineVenue({
  slug: 'rain',
  title: 'Rain',
  urls: { ...rainLane.urls, REST: 'https://prod2-api.rain.one' },
  credentialNames: [],
  /** The venue states no limit. */
  budget: { perSecond: 3 },
  volume24h: { source: 'derived_cumulative', unit: 'COLLATERAL' },
  deposit: {
    chain: 'eip155:42161',
    token: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
    symbol: 'USDT',
    decimals: 6,
    afterwards: 'a pool with another base token cannot be paid with it',
  },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    marketBook,
    feeModel,
    fetchOrderBook,
    chainTrades,
    openOrders,
    optionPrices,
    requestsPerSecond: 2,
    poll: { intervalMs: 10_000, concurrency: 1 },
  },
  traders,
  exec: rainLane,
})
