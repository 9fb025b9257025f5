// SX Bet's manifest: what this venue can do, given by the functions that do it. The socket wants a key; without one books are polled. No orders are
// built; those that were placed otherwise are looked at.
import { defineVenue } from '../venue.ts'
import { fetchMarket, fetchMarkets, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { feeModel } from './fees.ts'
import { bookRef, marketBook } from './hash.ts'
import { orderSizes } from './orderSizes.ts'
import { sxbetStatus } from './status/index.ts'

export const sxbet = defineVenue({
  slug: 'sxbet',
  title: 'SX Bet',
  urls: { ...sxbetStatus.urls, WS: 'wss://realtime.sx.bet/connection/websocket' },
  credentialNames: ['API_KEY'],
  /** 500 a minute and address; of trades 200, which weigh as much more. */
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
