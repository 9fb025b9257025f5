// Reference feeds: prices from outside the prediction markets, by Binance and by Chainlink.
import { fetchFeedOrderBook } from './routes/fetchFeedOrderBook.ts'
import { fetchFeedTicker } from './routes/fetchFeedTicker.ts'
import { fetchFeedTickers } from './routes/fetchFeedTickers.ts'
import { fetchOracleHistory } from './routes/fetchOracleHistory.ts'
import { fetchOracleRound } from './routes/fetchOracleRound.ts'
import { listFeeds } from './routes/listFeeds.ts'
import { loadFeedMarkets } from './routes/loadFeedMarkets.ts'
import { readFeed } from './routes/readFeed.ts'

export { binanceMarkets, usualPairs } from './binance/pairs.ts'
export { createBinanceRest } from './binance/rest.ts'
export { createChainlinkFeed } from './chainlink/chainlinkFeed.ts'
export { chainlinkChains } from './chainlink/feedRegistry.ts'
export { feedTickerChannel } from './channel.ts'
export type { Feeds, ReferenceFeed } from './feed.ts'
export type { FeedsRouteDeps } from './ports.ts'

export const feedRoutes = [
  listFeeds,
  loadFeedMarkets,
  fetchFeedTicker,
  fetchFeedTickers,
  fetchOracleRound,
  fetchOracleHistory,
  fetchFeedOrderBook,
  readFeed,
] as const
