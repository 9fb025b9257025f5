// What the routes of reference feeds need from outside: the feeds themselves. src/run joins them to Binance and to the nodes of a chain.
import type { Feeds } from './feed.ts'

export interface FeedsRouteDeps {
  feeds: Feeds
}
