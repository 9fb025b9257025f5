// The list of market-data verbs. A new verb is one file under verbs/ and one line here; routes, OpenAPI and `has` follow.
import type { Method } from './defineVerb.ts'
import { close } from './verbs/close.ts'
import { compareMarketPrices } from './verbs/compareMarketPrices.ts'
import { fetchArbitrage } from './verbs/fetchArbitrage.ts'
import { fetchEvent } from './verbs/fetchEvent.ts'
import { fetchEventMatches } from './verbs/fetchEventMatches.ts'
import { fetchEvents } from './verbs/fetchEvents.ts'
import { fetchEventsPaginated } from './verbs/fetchEventsPaginated.ts'
import { fetchMarket } from './verbs/fetchMarket.ts'
import { fetchMarketMatches, fetchMatches } from './verbs/fetchMarketMatches.ts'
import { fetchMarkets } from './verbs/fetchMarkets.ts'
import { fetchMarketsPaginated } from './verbs/fetchMarketsPaginated.ts'
import { fetchMatchedMarkets, fetchMatchedPrices } from './verbs/fetchMatchedMarkets.ts'
import { fetchOHLCV } from './verbs/fetchOHLCV.ts'
import { fetchOrderBook } from './verbs/fetchOrderBook.ts'
import { fetchOrderBooks } from './verbs/fetchOrderBooks.ts'
import { fetchHedges, fetchRelatedMarkets } from './verbs/fetchRelatedMarkets.ts'
import { fetchSeries } from './verbs/fetchSeries.ts'
import { fetchTrades } from './verbs/fetchTrades.ts'
import { filterEvents } from './verbs/filterEvents.ts'
import { filterMarkets } from './verbs/filterMarkets.ts'
import { getExecutionPrice } from './verbs/getExecutionPrice.ts'
import { getExecutionPriceDetailed } from './verbs/getExecutionPriceDetailed.ts'
import { createHas } from './verbs/has.ts'
import { loadMarkets } from './verbs/loadMarkets.ts'

export const verbs: readonly Method[] = [
  loadMarkets,
  fetchMarkets,
  fetchMarketsPaginated,
  fetchMarket,
  fetchEvents,
  fetchEventsPaginated,
  fetchEvent,
  fetchSeries,
  fetchOrderBook,
  fetchOrderBooks,
  fetchTrades,
  fetchOHLCV,
  fetchMarketMatches,
  fetchMatches,
  fetchEventMatches,
  compareMarketPrices,
  fetchRelatedMarkets,
  fetchHedges,
  fetchMatchedMarkets,
  fetchMatchedPrices,
  fetchArbitrage,
  getExecutionPrice,
  getExecutionPriceDetailed,
  filterMarkets,
  filterEvents,
  createHas(() => verbs),
  close,
]
