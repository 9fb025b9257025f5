// XO's manifest: the venue's capabilities, given by the functions that implement them. It serves no trades of its own, and orders are built and
// not sent.
import { defineVenue } from '../venue.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, walkCatalog } from './data/reads.ts'
import { stream } from './data/stream.ts'
import { traders } from './data/traders.ts'
import { xoLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'

export const xo = defineVenue({
  slug: 'xo',
  title: 'XO Market',
  urls: {
    DATA: 'https://api-mainnet.xo.market',
    CLOB: 'https://orderbooks.xo.market',
    WS: 'wss://orderbooks.xo.market/ws/market',
  },
  credentialNames: [],
  /** No limit is documented; clients were refused under load and waited a second and more. */
  budget: { perSecond: 2 },
  volume24h: false,
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    feeModel,
    fetchOrderBook,
    stream,
    requestsPerSecond: 2,
    poll: { intervalMs: 5_000, concurrency: 2 },
  },
  traders,
  exec: xoLane,
})
