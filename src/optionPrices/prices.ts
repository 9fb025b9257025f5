// What is known of a pool's prices, and what the stream's channel needs to find a pool and to hear of it.
import type { StreamErrorCode } from '#schemas/errors'
import type { OptionPrice, PriceTrigger } from '#schemas/optionPrices'
import type { PricedPool } from '#venues/optionPrices'

/** One reading; without prices nothing is proven by it. */
export interface PoolPrices {
  prices: readonly OptionPrice[]
  triggeredBy: PriceTrigger | null
  /** Epoch ms. */
  asOfMs: number
}

export type TellPrices = (told: PoolPrices) => void

export interface PriceRefusal {
  code: StreamErrorCode
  message: string
}

/** A pool that can be watched. */
export interface FoundPool {
  /** By the venue's own id, without the venue in front. */
  marketId: string
  /** The catalog's market of that name; null: the name stands for several of its markets. */
  catalogMarketId: string | null
  pool: PricedPool
  /** Tells what is known and fresh at once, then every change, until the returned function is called. */
  watch(tell: TellPrices): () => void
}

export interface PriceQuestion {
  venue: string
  marketId: string
  marketAddress?: string | undefined
}

/** Rejects where the catalog cannot be asked. */
export type FindPool = (asked: PriceQuestion) => PriceRefusal | Promise<FoundPool | PriceRefusal>
