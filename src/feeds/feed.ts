// What a reference feed is to its routes and to the stream. What it can do is said by the functions it has.
import type { FeedMarket, FeedName, FeedTicker, OracleRound } from '#schemas/feeds'

/** `price` null: nothing proves one now. */
export type TellTicker = (ticker: FeedTicker) => void

export interface ReferenceFeed {
  name: FeedName
  /** By symbol, in the order they are listed. */
  markets: ReadonlyMap<string, FeedMarket>
  /** In the order asked, symbols as listed. Throws FEED_UPSTREAM, and FEEDS_UNAVAILABLE where the deployment cannot read it. */
  fetchTickers(symbols: readonly string[]): Promise<FeedTicker[]>
  /** The newest. Throws as `fetchTickers`. */
  fetchOracleRound?(symbol: string): Promise<OracleRound>
  /** Newest first, at most `limit`, none of an earlier phase. Throws as `fetchTickers`. */
  fetchOracleHistory?(symbol: string, limit: number): Promise<OracleRound[]>
  /** Tells what is known at once, then every change, until the returned function is called. Null: this deployment cannot read the feed. */
  watchTicker: ((symbol: string, tell: TellTicker) => () => void) | null
}

export type Feeds = ReadonlyMap<string, ReferenceFeed>

/** In any case, or the upstream's own id of it; null where the feed has none such. */
export function symbolOf({ markets }: Pick<ReferenceFeed, 'markets'>, given: string): string | null {
  const wanted = given.toUpperCase()
  if (markets.has(wanted)) return wanted
  for (const { symbol, id } of markets.values()) if (id.toUpperCase() === wanted) return symbol
  return null
}
