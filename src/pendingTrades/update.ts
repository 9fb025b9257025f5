// A fill that waits for its block, as the stream hears of it: once when it is seen, once when it is clear what became of it.
import type { TradeData } from '#schemas/topics'
import type { PendingFill } from '#venues/venue'

/** `timeout`: in no block in time, or another transaction has its place. `reverted`: in a block, where it did nothing. */
export type DropReason = 'timeout' | 'reverted'

export type PendingState =
  | { status: 'pending' }
  | { status: 'confirmed'; blockNumber: number }
  | { status: 'dropped'; dropReason: DropReason }

export interface PendingTradeUpdate {
  venue: string
  bookId: string
  /** Fills are numbered as they are seen. */
  n: number
  /** Epoch ms. */
  seenAt: number
  state: PendingState
  /** The same from first to last. `time` is when it was seen: it has no other yet. */
  data: TradeData
}

/** All fills of one settlement at once. */
export type TellPendingTrades = (updates: readonly PendingTradeUpdate[]) => void

/** Said with the acknowledgement. */
export interface PendingDisclosure {
  provenance: 'mempool'
  /** From seeing a settlement to its block, as measured lately, ms; null: not yet. */
  latencyMs: number | null
  completeness: string
}

/** What the stream needs of whoever watches. */
export interface PendingTrades {
  /** Whether anybody watches for this venue. */
  watches(venue: string): boolean
  readonly disclosure: PendingDisclosure
  /** Of the newest fill that was seen. */
  readonly newest: number
  listen(tell: TellPendingTrades): () => void
}

/** `index`: the fill's place in its settlement. */
export function tradeOf(fill: PendingFill, hash: string, index: number, seenAt: number): TradeData {
  return {
    id: `${hash}:${index}`,
    time: new Date(seenAt).toISOString(),
    timestamp: seenAt,
    type: fill.type,
    usd: fill.usd,
    outcome: null,
    outcomeIndex: null,
    shares: fill.shares,
    price: fill.price,
    maker: fill.maker,
    transactionHash: hash,
    wallet: fill.wallet,
    counterparty: fill.counterparty,
  }
}
