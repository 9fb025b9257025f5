// Hyperliquid's manifest: HIP-4 outcome markets.
import { defineVenue } from '../venue.ts'
import { fetchMetrics } from './data/metrics.ts'
import { openOrders } from './data/openOrders.ts'
import { fetchMarket, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { traders } from './data/traders.ts'
import { hyperliquidLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const hyperliquid = defineVenue({
  slug: 'hyperliquid',
  title: 'Hyperliquid',
  urls: { ...hyperliquidLane.urls, WS: 'wss://api.hyperliquid.xyz/ws', STATS: 'https://stats-data.hyperliquid.xyz' },
  credentialNames: [],
  /** In the venue's own weights, of which an address may spend 1,200 per minute: the reserve for a walk, and its refill rate. */
  budget: { perSecond: 14, burst: 350 },
  volume24h: { source: 'venue', unit: 'USDC' },
  /** The spot balance, from which outcomes are bought. */
  deposit: {
    chain: 'hypercore:mainnet',
    token: '0x2000000000000000000000000000000000000000',
    symbol: 'USDC',
    decimals: null,
  },
  data: {
    walkCatalog,
    fetchMarket,
    bookRef,
    feeModel,
    orderSizes,
    fetchOrderBook,
    fetchTrades,
    openOrders,
    fetchMetrics,
    stream,
    /**
     * Books cost 2: six a second leave 480 per minute, enough for a walk (60, and 20 for each settled outcome), the lane, and four reads of trades.
     */
    requestsPerSecond: 6,
    poll: { intervalMs: 5_000, concurrency: 4, tradesEveryMs: 15_000 },
  },
  traders,
  exec: hyperliquidLane,
})
