// A pool's known prices, and what the stream's channel needs to find and watch a pool.
import type { StreamErrorCode } from '#schemas/errors'
import type { OptionPrice, PriceTrigger } from '#schemas/optionPrices'
import type { PricedPool } from '#venues/optionPrices'

/** One reading; an empty list means that no price could be read. */
export interface PoolPrices {
  prices: readonly OptionPrice[]
  triggeredBy: PriceTrigger | null
  /** Epoch ms. */
  asOfMs: number
}

export type OnPrices = (prices: PoolPrices) => void

export interface PriceRefusal {
  code: StreamErrorCode
  message: string
}

/** A pool that can be watched. */
export interface FoundPool {
  /** The venue's own id, without the venue prefix. */
  marketId: string
  /** The catalog's market of that name; null: the name means several of its markets. */
  catalogMarketId: string | null
  pool: PricedPool
  /** Immediately calls with what is known and fresh, then on every change, until the returned function is called. */
  watch(onPrices: OnPrices): () => void
}

export interface PriceQuery {
  venue: string
  marketId: string
  marketAddress?: string | undefined
}

/** Rejects when the catalog is unavailable. */
export type FindPool = (query: PriceQuery) => PriceRefusal | Promise<FoundPool | PriceRefusal>
