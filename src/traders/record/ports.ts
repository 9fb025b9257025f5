// The trader record's interface to the catalog.
import type { Market } from '#schemas/market'

/** Where a taped trade belongs. */
export interface TradedMarket {
  /** The venue's own. */
  marketId: string
  /** The outcome whose price the trade's is. */
  outcomeId: string
  /** When the market is to be resolved, epoch ms; null: not reported by the venue. */
  closesAt: number | null
}

export interface RecordCatalog {
  /** By the outcome as on the tape. Null: the catalog does not know it (yet). */
  findPlace(venue: string, outcomeId: string): Promise<TradedMarket | null>
  /** The ones that the catalog knows. */
  findMarkets(markets: readonly { venue: string; marketId: string }[]): Promise<{ venue: string; market: Market }[]>
}
