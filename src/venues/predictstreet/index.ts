// PredictStreet's manifest: the venue's capabilities, given by the functions that implement them. Its stream requires a key of ours, and
// the form of its changes is undocumented: books are polled.
import { defineVenue } from '../venue.ts'
import { fetchEvent, fetchMarket, fetchOrderBook, fetchTrades, walkCatalog } from './data/reads.ts'
import { predictStreetLane } from './exec/index.ts'
import { feeModel } from './fees.ts'
import { bookRef } from './ids.ts'

export const predictstreet = defineVenue({
  slug: 'predictstreet',
  title: 'ADI Predictstreet',
  urls: { ...predictStreetLane.urls },
  credentialNames: [],
  /** 240 per minute and address is the venue's tightest documented limit on public reads. */
  budget: { perSecond: 3 },
  volume24h: { source: 'venue', unit: 'USD' },
  deposit: {
    chain: 'eip155:36900',
    token: '0x9cb8142aEBBcdc60AF7c97Af897A67A8f3CA71C2',
    symbol: 'USDC',
    decimals: 6,
    afterwards: 'orders are paid from the owner’s vault: move it there',
  },
  data: {
    walkCatalog,
    fetchMarket,
    fetchEvent,
    bookRef,
    feeModel,
    fetchOrderBook,
    fetchTrades,
    requestsPerSecond: 2,
    poll: { intervalMs: 3_000, concurrency: 2, tradesEveryMs: 5_000 },
  },
  exec: predictStreetLane,
})
