// A reference feed's interface to its routes and to the stream. Absent functions are unsupported.
//
// Reference prices are used for settlement, and a read can succeed when it should not: an oracle answers with an old round, with one carried
// over, while the rollup's sequencer is down, or for another pair; a muted socket keeps its last window. So a ticker has a price only while
// something proves it now, and is null otherwise (docs/feeds.md, "Prices are proven").
import type { FeedMarket, FeedName, FeedTicker, OracleRound } from '#schemas/feeds'

/** `price` null: nothing proves one now. */
export type OnTicker = (ticker: FeedTicker) => void

export interface ReferenceFeed {
  name: FeedName
  /** By symbol, in the order they are listed. */
  markets: ReadonlyMap<string, FeedMarket>
  /**
   * In the order requested, symbols as listed. Throws FEED_UPSTREAM, and FEEDS_UNAVAILABLE when the deployment cannot read it.
   */
  fetchTickers(symbols: readonly string[]): Promise<FeedTicker[]>
  /** The newest. Throws like `fetchTickers`. */
  fetchOracleRound?(symbol: string): Promise<OracleRound>
  /** Newest first, at most `limit`, none of an earlier phase. Throws like `fetchTickers`. */
  fetchOracleHistory?(symbol: string, limit: number): Promise<OracleRound[]>
  /**
   * Calls immediately with what is known, then on every change, until the returned function is called. Null: this deployment cannot read
   * the feed.
   */
  watchTicker: ((symbol: string, onTicker: OnTicker) => () => void) | null
}

export type Feeds = ReadonlyMap<string, ReferenceFeed>

/** In any case, or the upstream's own id of it; null when the feed has no such symbol. */
export function symbolOf({ markets }: Pick<ReferenceFeed, 'markets'>, given: string): string | null {
  const wanted = given.toUpperCase()
  if (markets.has(wanted)) return wanted
  for (const { symbol, id } of markets.values()) if (id.toUpperCase() === wanted) return symbol
  return null
}
