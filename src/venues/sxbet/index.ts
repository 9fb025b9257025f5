// SX Bet's manifest: the venue's capabilities, given by the functions that implement them. The socket requires a key; without one books are polled.
// No orders are built; those placed elsewhere can be read.
import { defineVenue } from '../venue.ts'
import { fetchMarket, fetchMarkets, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { sxbetStatus } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef, marketBook } from './ids.ts'
import { orderSizes } from './orderSizes.ts'

export const sxbet = defineVenue({
  slug: 'sxbet',
  title: 'SX Bet',
  urls: { ...sxbetStatus.urls, WS: 'wss://realtime.sx.bet/connection/websocket' },
  credentialNames: ['API_KEY'],
  /** 500 per minute and address; 200 for trades, which weigh accordingly more. */
  budget: { perSecond: 7 },
  volume24h: { source: 'derived_tape', unit: 'USD' },
  deposit: {
    chain: 'eip155:4162',
    token: '0x6629Ce1Cf35Cc1329ebB4F63202F3f197b3F050B',
    symbol: 'USDC',
    decimals: 6,
    afterwards: 'orders are paid from the owner’s proxy wallet at the venue: move it there with a permit',
  },
  data: {
    walkCatalog,
    fetchMarket,
    fetchMarkets,
    bookRef,
    marketBook,
    feeModel,
    orderSizes,
    fetchOrderBook,
    fetchTrades,
    stream,
    requestsPerSecond: 4,
    poll: { intervalMs: 5_000, concurrency: 2, tradesEveryMs: 10_000 },
  },
  status: sxbetStatus,
})
