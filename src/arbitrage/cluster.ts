// The surface's input for a cluster: plain data from the matcher and the venues' facts. The surface computes none of it itself.
import type { FeeModel, SettlementFee } from './fees.ts'

/** Where an outcome's offers come from. `complement`: they are one minus the bids of that book. */
export interface BookSource {
  /** Stream market id. */
  bookId: string
  complement: boolean
  /** The book is synthesized from a spot price, a pool or odds: indicative, never executable. */
  synthetic?: boolean
}

export interface ClusterMember {
  venue: string
  /** Null when the catalog has none. */
  canonicalMarketId: string | null
  marketId: string
  /** The venue's own YES and NO, whatever the polarity. Null: no such book is known. */
  yesBook: BookSource | null
  noBook: BookSource | null
  /** `inverse`: this venue's YES is the cluster's NO. */
  polarity: 'same' | 'inverse'
  fee: FeeModel
  settlementFee: SettlementFee
  /** 0 to 1 against the cluster's question, null when not scored. */
  similarity: number | null
  /** The venue is not served now: priced if a book is held, never executable. */
  dark?: boolean
}

export const matchBands = ['verified', 'minor', 'material', 'hidden', 'unscored'] as const
export type MatchBand = (typeof matchBands)[number]

export interface MatchDifference {
  kind: string
  detail: string
  points: number
}

export interface ResolutionFacts {
  compatible: boolean | null
  reason: string | null
  auditReasons: readonly string[]
}

/** The matcher's verdict on two members; the order of `a` and `b` (venues) is irrelevant. */
export interface PairFacts {
  a: string
  b: string
  /** Absent: the smaller of the two members' own. */
  similarity?: number | null
  /** Integer 0 to 100, null when unscored. */
  matchScore: number | null
  matchBand: MatchBand
  /** Points sum to 100 − matchScore. */
  matchDifferences: readonly MatchDifference[]
  resolution: ResolutionFacts
  /** Only `verified` lets a row be executable. */
  resolutionEquivalence: string
}

export interface ClusterInput {
  clusterId: string
  question: string
  /** One per venue; of several the first counts. Of more than `membersMax` those with the best pairs count. */
  members: readonly ClusterMember[]
  /** A pair that is missing here has no rows. */
  pairs: readonly PairFacts[]
}

/** Ten venues make the 90 ordered pairs a cluster may have. */
export const membersMax = 10

/**
 * False if it must not be published: an unknown band, a score that is not an integer in 0 to 100, a scored band without a score or
 * vice versa, differences that do not add up. Counted as `invalid-match-score`.
 */
export function validScore({ matchScore, matchBand, matchDifferences }: PairFacts): boolean {
  if (!matchBands.includes(matchBand)) return false
  if (matchScore === null) return matchBand === 'unscored' || matchBand === 'hidden'
  if (!Number.isInteger(matchScore) || matchScore < 0 || matchScore > 100) return false
  const points = matchDifferences.reduce((sum, difference) => sum + difference.points, 0)
  return Math.abs(points - (100 - matchScore)) < 1e-9
}
