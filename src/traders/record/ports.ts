// What the record of traders needs of the catalog.
import type { Market } from '#schemas/market'

/** Where a taped trade belongs. */
export interface TradePlace {
  /** The venue's own. */
  marketId: string
  /** The outcome whose price the trade's is. */
  outcomeId: string
  /** When the market is to be resolved, epoch ms; null: the venue does not say. */
  closesAt: number | null
}

export interface RecordCatalog {
  /** By the outcome as the tape has it. Null: the catalog does not know it (yet). */
  findPlace(venue: string, outcomeId: string): Promise<TradePlace | null>
  /** Those of them that the catalog knows. */
  findMarkets(markets: readonly { venue: string; marketId: string }[]): Promise<{ venue: string; market: Market }[]>
}
