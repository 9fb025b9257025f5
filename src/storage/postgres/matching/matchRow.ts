// A compared pair as stored.
import type { MatchBand, MatchDifference, MatchRelation, MatchResolution, StoredMatch } from '#schemas/matches'
import type { VenueSlug } from '#schemas/venues'

export interface MatchPairRow {
  a_venue: string
  a_market_id: string
  b_venue: string
  b_market_id: string
  cluster_id: string | null
  score: number | null
  band: MatchBand
  polarity: 'same' | 'inverse'
  relation: MatchRelation
  relation_band: MatchBand | null
  differences: MatchDifference[]
  resolution: MatchResolution
  resolution_equivalence: string
  override: 'pinned' | 'forbidden' | null
}

export const pairColumns =
  'a_venue, a_market_id, b_venue, b_market_id, cluster_id, score, band, polarity, relation, relation_band, differences, resolution, resolution_equivalence, override'

export const matchOfRow = (row: MatchPairRow): StoredMatch => ({
  a: { venue: row.a_venue as VenueSlug, marketId: row.a_market_id },
  b: { venue: row.b_venue as VenueSlug, marketId: row.b_market_id },
  score: row.score,
  band: row.band,
  polarity: row.polarity,
  relation: row.relation,
  relationBand: row.relation_band,
  differences: row.differences,
  resolution: row.resolution,
  resolutionEquivalence: row.resolution_equivalence,
  override: row.override,
})
