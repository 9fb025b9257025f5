// Matches between markets of different venues, as stored and as served.
import type { VenueSlug } from './venues.ts'

export type MatchBand = 'verified' | 'minor' | 'material' | 'hidden' | 'unscored'

/** One difference between two questions. The points of all differences sum to 100 − score. */
export interface MatchDifference {
  kind: string
  detail: string
  points: number
}

/** The `kind` of the difference of a pair whose prices differ too much: it waits for a review. */
export const priceDifferenceKind = 'market_prices'

export interface MatchResolution {
  compatible: boolean
  reason: string
  auditReasons: string[]
}

/**
 * How the Yes of a relates to the Yes of b: `identity` the same answer, `complement` the opposite answer; `subset` a can only be Yes
 * when b is; `superset` the other way round; `overlap` both may be Yes but need not be; `disjoint` never both.
 */
export const matchRelations = ['identity', 'complement', 'subset', 'superset', 'overlap', 'disjoint'] as const
export type MatchRelation = (typeof matchRelations)[number]

export interface MarketRef {
  venue: VenueSlug
  marketId: string
}

/** A compared pair of binary markets of two venues. `inverse`: YES of one is NO of the other. */
export interface StoredMatch {
  a: MarketRef
  b: MarketRef
  score: number | null
  band: MatchBand
  polarity: 'same' | 'inverse'
  /** Always set on stored pairs. */
  relation?: MatchRelation
  /**
   * Confidence in the relation, even when the questions differ: `verified` only when it can be relied on. On `overlap`, the band in which the
   * two may still be one question; null when unknown.
   */
  relationBand?: MatchBand | null
  differences: MatchDifference[]
  resolution: MatchResolution
  resolutionEquivalence: string
  /** An operator's decision; it overrides the matcher. */
  override: 'pinned' | 'forbidden' | null
}

/** Markets that ask the same question. The id is stable across runs as long as most members stay. */
export interface StoredCluster {
  clusterId: string
  question: string
  /** Polarity relative to the cluster's question: the first member is always `same`. */
  members: (MarketRef & { polarity: 'same' | 'inverse' })[]
  /** Every compared pair among the shown members. */
  pairs: StoredMatch[]
}
