// The interface to the matcher's stored result. PostgreSQL implements it; no other module knows how.

import type { Market } from '#schemas/market'
import type { MatchRelation, StoredCluster, StoredMatch } from '#schemas/matches'

export interface MatchQuery {
  /** Any of these: from a to b, or with `of` from the other market to the requested one. */
  relations: readonly MatchRelation[]
  /** 0 to 1: score / 100. */
  minConfidence: number
  /** Both sides are on one of these. */
  venues: readonly string[]
  /** Pairs of these markets; absent: all. */
  of?: readonly { venue: string; marketId: string }[]
  /** Words of one side's title. */
  query?: string
  /** Of one side. */
  category?: string
  /** Minimum difference of the two prices, probability. */
  minDifference?: number
  sort: 'confidence' | 'volume' | 'priceDifference'
  limit: number
}

/** A pair with its two markets from the catalog. */
export interface ScoredPair {
  match: StoredMatch & { relation: MatchRelation }
  clusterId: string | null
  a: Market
  b: Market
  /** Last Yes prices known to the catalog, probability. */
  aPrice: number | null
  bPrice: number | null
  /** Price difference for the same answer. */
  difference: number | null
}

export interface MatchState {
  runId: string
  /** Epoch ms. */
  finishedAt: number
}

/** Every function throws Fault MATCHES_UNAVAILABLE when the store is down or the matcher has never finished a run. */
export interface Matches {
  state(): Promise<MatchState>
  find(query: MatchQuery): Promise<ScoredPair[]>
  findCluster(clusterId: string): Promise<StoredCluster | null>
  findClusterOf(venue: string, marketId: string): Promise<StoredCluster | null>
}
