// The matcher's verdict on a pair. The band is a plain function of the score, so a reader can check one against the other.

export type MatchBand = 'verified' | 'minor' | 'material' | 'hidden' | 'unscored'
export type Polarity = 'same' | 'inverse'
export type ResolutionEquivalence = 'verified' | 'unverified' | 'different'

export interface MatchDifference {
  /** Field that differs: `strike`, `date`, `team`, … */
  kind: string
  /** What differs, in words a person can check against the two markets. */
  detail: string
  /** Deduction from 100; an integer. */
  points: number
}

export interface MatchResult {
  /** 0-100, integer; null when a side could not be read. */
  matchScore: number | null
  matchBand: MatchBand
  /** Points sum to exactly 100 − matchScore; empty when unscored. */
  matchDifferences: MatchDifference[]
  /** `inverse`: Yes of one is No of the other. */
  polarity: Polarity
  resolution: { compatible: boolean; reason: string; auditReasons: string[] }
  resolutionEquivalence: ResolutionEquivalence
}

/** Lowest score of each band. A hard difference costs at least `hard` and so rules out the two upper bands. */
export const bandFloors = { verified: 90, minor: 75, material: 40 } as const

/** Deductions: `hard` rules out verified and minor, `blocking` rules out verified only. */
export const ruleOutPoints = 26
export const blocking = 11

export function bandOf(score: number | null): MatchBand {
  if (score === null) return 'unscored'
  if (score >= bandFloors.verified) return 'verified'
  if (score >= bandFloors.minor) return 'minor'
  return score >= bandFloors.material ? 'material' : 'hidden'
}

/** Sums up deductions. Any excess over 100 is cut from the last ones, and a difference left without points is not listed. */
export function scored(differences: readonly MatchDifference[]): { score: number; differences: MatchDifference[] } {
  const sorted = [...differences]
    .filter((each) => each.points > 0)
    .sort((a, b) => b.points - a.points || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.detail < b.detail ? -1 : 1))
  let left = 100
  const kept: MatchDifference[] = []
  for (const each of sorted) {
    const points = Math.min(left, each.points)
    if (points === 0) break
    kept.push({ ...each, points })
    left -= points
  }
  return { score: left, differences: kept }
}
