// What features and readers ask of the matcher's stored result. PostgreSQL answers; no other module knows how.

import type { Market } from '#schemas/market'
import type { MatchRelation, StoredCluster, StoredMatch } from '#schemas/matches'

export interface MatchQuery {
  /** Any of these: of a to b, or with `of` of the other market to the one asked about. */
  relations: readonly MatchRelation[]
  /** 0 to 1: score / 100. */
  minConfidence: number
  /** Both sides stand on one of these. */
  venues: readonly string[]
  /** Pairs of these markets; all, when left out. */
  of?: readonly { venue: string; marketId: string }[]
  /** Words of one side's title. */
  query?: string
  /** Of one side. */
  category?: string
  /** Least distance of the two prices, probability. */
  minDifference?: number
  sort: 'confidence' | 'volume' | 'priceDifference'
  limit: number
}

/** A pair with its two markets as the catalog has them. */
export interface FoundMatch {
  match: StoredMatch & { relation: MatchRelation }
  clusterId: string | null
  a: Market
  b: Market
  /** Last prices of Yes the catalog knows, probability. */
  aPrice: number | null
  bPrice: number | null
  /** Between the two for the same answer. */
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
  find(query: MatchQuery): Promise<FoundMatch[]>
  findCluster(clusterId: string): Promise<StoredCluster | null>
  findClusterOf(venue: string, marketId: string): Promise<StoredCluster | null>
}
