// External dependencies of the reference feed routes: the feeds themselves. src/roles connects them to Binance and to the nodes of a
// chain.
import type { Feeds } from './feed.ts'

export interface FeedsRouteDeps {
  feeds: Feeds
}
