// What the matcher says of markets on different venues, as it is stored and as others read it.
import type { VenueSlug } from './venues.ts'

export type MatchBand = 'verified' | 'minor' | 'material' | 'hidden' | 'unscored'

/** One thing in which two questions differ. The points of all sum to 100 − score. */
export interface MatchDifference {
  kind: string
  detail: string
  points: number
}

export interface MatchResolution {
  compatible: boolean
  reason: string
  auditReasons: string[]
}

/**
 * How the Yes of a stands to the Yes of b: `identity` the same answer, `complement` the opposite one; `subset` a can only be Yes when b
 * is; `superset` the other way round; `overlap` both may be Yes and need not; `disjoint` never both.
 */
export const matchRelations = ['identity', 'complement', 'subset', 'superset', 'overlap', 'disjoint'] as const
export type MatchRelation = (typeof matchRelations)[number]

export interface MarketRef {
  venue: VenueSlug
  marketId: string
}

/** A judged pair of binary markets of two venues. `inverse`: YES of one is NO of the other. */
export interface StoredMatch {
  a: MarketRef
  b: MarketRef
  score: number | null
  band: MatchBand
  polarity: 'same' | 'inverse'
  /** Always there on stored pairs. */
  relation?: MatchRelation
  /**
   * How sure the relation is, whatever keeps the questions apart: `verified` only where it may be relied on. On `overlap` the band in which the
   * two may yet be one question; null where nothing is known.
   */
  relationBand?: MatchBand | null
  differences: MatchDifference[]
  resolution: MatchResolution
  resolutionEquivalence: string
  /** An operator said so, whatever the matcher thinks. */
  override: 'pinned' | 'forbidden' | null
}

/** Markets that ask one question. The id survives runs for as long as the members mostly do. */
export interface StoredCluster {
  clusterId: string
  question: string
  /** Polarity is against the cluster's question: the first member's is `same`. */
  members: (MarketRef & { polarity: 'same' | 'inverse' })[]
  /** Every judged pair among the members that is shown. */
  pairs: StoredMatch[]
}
