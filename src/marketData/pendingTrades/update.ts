// A fill that waits for its block, as published on the stream: once when it is seen, once when its outcome is known.
import type { TradeData } from '#schemas/topics'
import type { PendingFill } from '#venues/venue'

/** `timeout`: in no block in time, or another transaction has its place. `reverted`: in a block, without effect. */
export type DropReason = 'timeout' | 'reverted'

export type PendingState =
  | { status: 'pending' }
  | { status: 'confirmed'; blockNumber: number }
  | { status: 'dropped'; dropReason: DropReason }

export interface PendingTradeUpdate {
  venue: string
  bookId: string
  /** Fills are numbered in the order they are seen. */
  n: number
  /** Epoch ms. */
  seenAt: number
  state: PendingState
  /** The same in both updates. `time` is when it was seen: it has no other yet. */
  data: TradeData
}

/** All fills of one settlement at once. */
export type OnPendingTrade = (updates: readonly PendingTradeUpdate[]) => void

/** Sent with the acknowledgement. */
export interface PendingDisclosure {
  provenance: 'mempool'
  /** Recent time from seeing a settlement to its block, ms; null: not measured yet. */
  latencyMs: number | null
  completeness: string
}

/** The watcher's interface for the stream. */
export interface PendingTrades {
  /** Whether this venue is watched. */
  watches(venue: string): boolean
  readonly disclosure: PendingDisclosure
  /** Number of the newest fill seen. */
  readonly newest: number
  listen(listener: OnPendingTrade): () => void
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
