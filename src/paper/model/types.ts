// The vocabulary of the fill model. Prices are micros of a dollar (0 to 1,000,000), sizes millionths of a contract: safe integers. All
// times of one matcher are epoch ms on one clock.

/** Must not be changed after it was passed to a matcher, which keeps it until the next one. */
export interface PaperBook {
  seq: number
  /** Epoch ms. */
  at: number
  /** False: stale, synthetic, gapped or closed. Nothing fills on it, and the queue positions of working orders are lost. */
  isLive: boolean
  /** Best first. */
  bids: readonly PaperLevel[]
  asks: readonly PaperLevel[]
}

export type PaperLevel = readonly [price: number, size: number]

export interface PaperTrade {
  id: string
  /** When it happened. */
  at: number
  /** When it became known; absent: immediately. */
  receivedAt?: number
  price: number
  size: number
  /** Side of the taker; null: not published. */
  takerSide: 'buy' | 'sell' | null
}

export interface PaperOrderRequest {
  id: string
  side: 'buy' | 'sell'
  /** Its limit; a market order has its worst price. */
  price: number
  size: number
  timeInForce: 'GTC' | 'GTD' | 'FOK' | 'IOC'
  /** Epoch ms; null: never. */
  expiresAt: number | null
  postOnly: boolean
}

export interface FillEvidence {
  /** The book on which, or during which, it filled. */
  bookSeq: number
  /** Empty for fills against the book. */
  tradeIds: readonly string[]
}

export type PaperEvent = { orderId: string; at: number } & (
  | {
      kind: 'accepted'
      /** Size ahead at its price; 0: it does not rest, or is the first. */
      queueAhead: number
    }
  | { kind: 'rejected'; reason: 'NO_LIVE_BOOK' | 'POST_ONLY_WOULD_TAKE' | 'FOK_NOT_FILLABLE' }
  | { kind: 'fill'; price: number; size: number; liquidity: 'taker' | 'maker'; evidence: FillEvidence }
  | { kind: 'closed'; reason: 'filled' | 'canceled' | 'expired' | 'ioc_remainder' }
)

type WithoutOrder<E> = E extends unknown ? Omit<E, 'orderId' | 'at'> : never
export type PaperEventBody = WithoutOrder<PaperEvent>

export interface FillModelSettings {
  /** Log-normal latency. */
  latencyMedianMs: number
  latencySigma: number
  /**
   * Of a size that disappears from our price without a trade, the share that is taken from ahead of us when as much is ahead as behind;
   * otherwise weighted by both. 0 to 1.
   */
  cancelShareAhead: number
  seed: string
}
